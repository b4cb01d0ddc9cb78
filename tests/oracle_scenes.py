"""A made-up task in the form of aider's refactor benchmark, and sessions in which an oracle plays over real tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conftest import write_files
from scripted import ManualClock

from orefactor.core import events
from orefactor.core.asking import Asker, Asking
from orefactor.core.calls import SessionTools
from orefactor.core.errors import RunStopped
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import Message, Provider
from orefactor.core.providers.choose import Choice
from orefactor.core.providers.prices import PriceList
from orefactor.core.redact import Redactor
from orefactor.core.session import Session
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Scope, Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

FILE = "shapes.py"
TASK = """# Refactor Square.scaled

Refactor the `scaled` method in the `Square` class to be a stand alone, top level function.
Name the new function `scaled`, exactly the same name as the existing method.
Update any existing `self.scaled` calls to work with the new `scaled` function.
"""
BEFORE = '''"""Shapes."""


class Square:
    """A square."""

    def __init__(self, side):
        self.side = self.scaled(side, 1)

    def area(self):
        """Its area."""
        width = self.side
        height = self.side
        return width * height

    # Used by all.
    def scaled(self, value, factor=2):
        """The value,
        but larger."""
        if value is None:
            return 0
        grown = value * factor
        if grown < 0:
            return 0
        return grown

    def perimeter(self):
        """All around."""
        total = 0
        for side in range(4):
            total += self.side
        return total

    def twice(self):
        return self.scaled(self.side)

    def diagonal(self):
        """Across."""
        square = self.side**2
        return (square + square) ** 0.5

    def thrice(self):
        return self.scaled(self.side, 3)


class Small(Square):
    def half(self):
        return self.scaled(self.side, 0.5)


class Other:
    def scaled(self, value):
        return value

    def same(self):
        return self.scaled(1)
'''
AFTER = '''"""Shapes."""


class Square:
    """A square."""

    def __init__(self, side):
        self.side = scaled(side, 1)

    def area(self):
        """Its area."""
        width = self.side
        height = self.side
        return width * height

    def perimeter(self):
        """All around."""
        total = 0
        for side in range(4):
            total += self.side
        return total

    def twice(self):
        return scaled(self.side)

    def diagonal(self):
        """Across."""
        square = self.side**2
        return (square + square) ** 0.5

    def thrice(self):
        return scaled(self.side, 3)


# Used by all.
def scaled(value, factor=2):
    """The value,
        but larger."""
    if value is None:
        return 0
    grown = value * factor
    if grown < 0:
        return 0
    return grown


class Small(Square):
    def half(self):
        return scaled(self.side, 0.5)


class Other:
    def scaled(self, value):
        return value

    def same(self):
        return self.scaled(1)
'''
FILES = {FILE: BEFORE, "README.md": "# Read me\n", "other.py": "import os\n"}


@dataclass(frozen=True)
class Played:
    """What came of a session.

    Attributes:
        ended: the reason that it was stopped for; empty where it ended with an answer.
        refused: the first words of the answers to calls that weren't carried out, and why replies were refused.
    """

    ended: str
    text: str
    others_same: bool
    refused: Counter[str]
    calls: Counter[str]
    rounds: int


def play(
    folder: Path, provider: Provider, *, rounds: int = 60, files: Mapping[str, str] = FILES, file: str = FILE
) -> Played:
    """Play a provider at a new folder with the task's files; only its own file may change."""
    write_files(folder, files)
    outside = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file() and path.name != file}
    seen: list[events.Event] = []
    clock, redactor = ManualClock(), Redactor({})
    ledger = Ledger(Limits(max_rounds=rounds), clock)
    toolbox = Toolbox(TOOLS, Workspace(Root(folder), Scope((file,))), redactor)
    asker = Asker(Asking([Choice(provider, "m")], ledger, clock, seen.append, redactor, PriceList({})))
    tools = SessionTools(toolbox, redactor, clock, seen.append)
    session = Session(asker, (Message("system", "be brief"), Message("user", TASK)), tools, ledger)
    ended = ""
    try:
        session.run()
    except RunStopped as error:
        ended = error.reason
    finished = [event for event in seen if isinstance(event, events.CallFinished)]
    rejected = [event.reason for event in seen if isinstance(event, events.ReplyRejected)]
    told = [event.summary.removeprefix("ERROR: ")[:40] for event in finished if event.status != "executed"]
    now = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file() and path.name != file}
    return Played(
        ended,
        (folder / file).read_text(),
        now == outside,
        Counter([*told, *rejected]),
        Counter(event.name for event in finished if event.status == "executed"),
        ledger.rounds,
    )
