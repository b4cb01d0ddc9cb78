"""Sessions over scripted replies and real tools at a folder, for the tests of the tool-use loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from conftest import write_files
from scripted import ManualClock, ScriptedProvider, Step, asked

from orefactor.core import events
from orefactor.core.asking import Asker, Asking, ToolProtocol
from orefactor.core.calls import SessionTools, ToolServer
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import Message, Reasoning, ResponseSchema
from orefactor.core.providers.choose import Choice
from orefactor.core.providers.prices import Price, PriceList
from orefactor.core.redact import Redactor
from orefactor.core.session import Session
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import AnyTool, Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

__all__ = ["EDIT", "LOST", "READ", "SECRET", "Start", "Step", "ToolProtocol", "starting"]

SECRET = "correct-horse-battery"
OPENING = (Message("system", "be brief"), Message("user", "do it"))
FILES = {"x.py": "x = 1\n", "y.py": "y = 2\n", "key.py": f'key = "{SECRET}"\n'}
READ = asked("r", "read_file", path="x.py")
EDIT = asked("e", "edit_file", path="x.py", old_string="x = 1", new_string="x = 2")
LOST = asked("l", "read_file", path="lost.py")


@dataclass
class Talk:
    """One session and what was seen of it."""

    session: Session
    provider: ScriptedProvider
    folder: Path
    seen: list[events.Event] = field(default_factory=list[events.Event])
    thoughts: dict[int, Reasoning] = field(default_factory=dict[int, Reasoning])

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.seen if isinstance(event, kind)]

    @property
    def roles(self) -> list[str]:
        return [message.role for message in self.session.history]

    @property
    def answers(self) -> list[str]:
        return [message.content or "" for message in self.session.history if message.role == "tool"]


Start = Callable[..., Talk]


def starting(folder: Path) -> Start:
    """Make sessions over the tools at a folder with a few files."""
    write_files(folder, FILES)

    def make(
        *steps: Step,
        limits: Limits | None = None,
        clock: ManualClock | None = None,
        tools: dict[str, AnyTool] | None = None,
        server: ToolServer | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        abort: Callable[[], None] = lambda: None,
        protocol: ToolProtocol = "auto",
        answer: ResponseSchema | None = None,
        ends_on_timeout: bool = False,
        must_call: bool = True,
        has_tools: bool = True,
        can_call: bool = True,
    ) -> Talk:
        clock = clock or ManualClock()
        redactor = Redactor({"MY_TOKEN": SECRET})
        provider = ScriptedProvider(steps, tools=can_call)
        seen: list[events.Event] = []
        thoughts: dict[int, Reasoning] = {}
        toolbox = server or Toolbox(TOOLS if tools is None else tools, Workspace(Root(folder)), redactor)
        given = SessionTools(
            toolbox, redactor, clock, seen.append, cancelled, abort, thoughts.__setitem__, ends_on_timeout
        )
        ledger = Ledger(limits or Limits(), clock)
        prices = PriceList({"m": Price(0.1, 1.0, 10.0)})
        asking = Asking([Choice(provider, "m")], ledger, clock, seen.append, redactor, prices, protocol, cancelled)
        asker = Asker(replace(asking, has_tools=has_tools))
        return Talk(
            Session(asker, OPENING, given, ledger, answer, must_call=must_call), provider, folder, seen, thoughts
        )

    return make
