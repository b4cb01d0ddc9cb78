"""The tool-use loop, driven by scripted replies over real tools on real files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from scripted import ManualClock, asked, reply
from sessions import EDIT, LOST, READ, SECRET, Start

from orefactor.core import events
from orefactor.core.errors import ToolError
from orefactor.core.messages import (
    Message,
    ProviderResponse,
    Reasoning,
    ToolCall,
    ToolSchema,
)
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.wire import payload
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import AnyTool, Arguments, Tool, Workspace
from orefactor.core.tools.toolbox import Answer


@pytest.mark.traces("REQ-103-017", "REQ-103-018", "REQ-103-019", "TST-103-006")
def test_calls_are_answered_in_order_until_a_reply_has_none(start: Start) -> None:
    talk = start(reply(READ, LOST, text="I look"), reply(EDIT), reply(text="Set x to 2"))
    assert talk.session.run() == "Set x to 2"
    assert talk.roles == ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]
    tools = [(m.tool_call_id, m.name) for m in talk.session.history if m.role == "tool"]
    assert tools == [("r", "read_file"), ("l", "read_file"), ("e", "edit_file")]
    assert talk.answers[0] == "x = 1\n"
    assert talk.answers[1].startswith("ERROR: ")
    assert (talk.folder / "x.py").read_text() == "x = 2\n"


@pytest.mark.traces("REQ-103-019")
def test_the_history_only_grows_and_its_bytes_stay(start: Start) -> None:
    broken = ToolCall("b", "read_file", "{no json")
    talk = start(reply(READ), reply(LOST, broken), reply(text="", finish="length"), reply(EDIT), reply(text="done it"))
    talk.session.run()
    wires = [json.dumps(payload(request, PROVIDERS["deepseek"])["messages"]) for request in talk.provider.requests]
    assert len(wires) == 5
    for before, after in pairwise(wires):
        assert after.startswith(before[:-1])
    assert len({json.dumps(request.tools) for request in talk.provider.requests}) == 1
    assert all(request.tool_choice is None for request in talk.provider.requests)


def test_text_beside_calls_is_no_answer(start: Start) -> None:
    talk = start(reply(READ, text="All done!"), reply(text="Really done"))
    assert talk.session.run() == "Really done"


def test_arguments_that_are_no_object_go_back_as_an_empty_one(start: Start) -> None:
    """Some servers answer 500 to everything that follows a call with broken arguments."""
    calls = [ToolCall("a", "list_dir", ""), ToolCall("b", "list_dir", "[1]"), ToolCall("c", "list_dir", '{"path": ')]
    talk = start(reply(*calls), reply(text="seen it"))
    talk.session.run()
    assert [call.arguments for call in talk.session.history[2].tool_calls] == ["{}", "{}", "{}"]
    assert talk.answers[0] == "key.py\nx.py\ny.py"
    assert "must be one JSON object, not a list" in talk.answers[1]
    assert "not valid JSON" in talk.answers[2]
    assert [event.arguments for event in talk.of(events.CallFinished)] == [{}, "[1]", '{"path": ']


class Meeting:
    """Serves calls that only end when all calls of their group are there; later ones end first."""

    def __init__(self, size: int) -> None:
        self.schemas: tuple[ToolSchema, ...] = ()
        self._barrier = threading.Barrier(size, timeout=10)
        self._ended: list[threading.Event] = [threading.Event() for _ in range(size + 1)]
        self._ended[size].set()

    def effect(self, name: str) -> str | None:
        return "observe" if name == "look" else None

    def call(self, name: str, arguments: dict[str, Any] | str | None) -> Answer:
        number: int = json.loads(str(arguments))["number"]
        self._barrier.wait()
        self._ended[number + 1].wait(10)
        self._ended[number].set()
        return Answer("executed", f"answer {number}")


def test_reads_of_one_reply_run_side_by_side_and_are_answered_in_order(start: Start) -> None:
    calls = [asked(f"c{number}", "look", number=number) for number in range(3)]
    talk = start(reply(*calls), reply(text="seen"), server=Meeting(3))
    talk.session.run()
    assert talk.answers == ["answer 0", "answer 1", "answer 2"]
    assert [event.id for event in talk.of(events.CallFinished)] == ["c0", "c1", "c2"]
    assert [event.id for event in talk.of(events.CallStarted)] == ["c0", "c1", "c2"]


def test_a_change_waits_for_the_reads_before_it(start: Start) -> None:
    """Read, edit, read: the second read sees what the edit made."""
    again = asked("r2", "read_file", path="x.py")
    talk = start(reply(READ, asked("y", "read_file", path="y.py"), EDIT, again), reply(text="done it"))
    talk.session.run()
    assert talk.answers == ["x = 1\n", "y = 2\n", "edited x.py:1: 1 line(s) replaced by 1", "x = 2\n"]


class Nothing(Arguments):
    """Fail."""


def fails(_arguments: Nothing, _workspace: Workspace) -> str:
    raise ToolError("it never works; go on without")


def has_a_bug(_arguments: Nothing, _workspace: Workspace) -> str:
    raise KeyError(SECRET)


BROKEN: dict[str, AnyTool] = {
    **TOOLS,
    "fails": Tool("fails", "observe", Nothing, fails),
    "bug": Tool("bug", "mutate", Nothing, has_a_bug),
}


@pytest.mark.traces("TST-103-006", "REQ-103-009")
@pytest.mark.parametrize("name", ["fails", "bug"])
def test_a_tool_that_fails_leaves_history_files_and_events_whole(start: Start, name: str) -> None:
    bad = [asked(f"b{number}", name) for number in range(2)]
    talk = start(reply(READ, bad[0]), reply(bad[1], EDIT), reply(text="done it"), tools=BROKEN)
    talk.session.run()
    assert talk.roles == ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "tool", "assistant"]
    assert (talk.folder / "x.py").read_text() == "x = 2\n"
    finished = talk.of(events.CallFinished)
    assert [event.status for event in finished] == ["executed", "failed", "failed", "executed"]
    assert [bool(event.bug) for event in finished] == [False, name == "bug", name == "bug", False]
    assert SECRET not in repr(talk.seen) + repr(talk.session.history)


def test_reasoning_is_counted_kept_and_goes_back(start: Start) -> None:
    reasoning = Reasoning("hmm", {"reasoning_content": "hmm"})
    talk = start(
        ProviderResponse(Message("assistant", None, (READ,), reasoning=reasoning), "tool_calls"), reply(text="seen it")
    )
    talk.session.run()
    first = talk.of(events.RoundFinished)[0]
    assert (first.reasoning_chars, first.reasoning_digest) == (3, hashlib.sha256(b"hmm").hexdigest())
    assert talk.provider.requests[1].messages[2].reasoning == reasoning
    assert talk.thoughts == {1: reasoning}
    assert [event.text for event in talk.of(events.ReasoningArrived)] == ["hmm"]


def test_a_round_tells_what_it_takes_to_play_it_again(start: Start) -> None:
    broken = ToolCall("b", "read_file", "{no json")
    talk = start(reply(READ, broken, text="I look"), reply(text="seen it"))
    talk.session.run()
    first = talk.of(events.RoundFinished)[0]
    assert (first.text, first.finish_reason, first.provider, first.model) == (
        "I look", "tool_calls", "scripted", "scripted-1",
    )  # fmt: skip
    assert first.reply_calls == (("r", "read_file", READ.arguments), ("b", "read_file", "{no json"))
    assert first.cost_usd == pytest.approx((10 * 1.0 + 5 * 10.0) / 1e6)


@pytest.mark.traces("SEC-103-003")
def test_secrets_reach_neither_model_nor_events(start: Start) -> None:
    leak = asked(SECRET, SECRET, path=SECRET)
    grep = asked("g", "grep", pattern=f"key|{SECRET}")
    calls = [asked("k", "read_file", path="key.py"), grep, leak, ToolCall("n", "read_file", f"{{{SECRET}")]
    talk = start(reply(*calls, text=f"the key is {SECRET}"), reply(text=f"Removed {SECRET}"))
    assert talk.session.run() == "Removed [REDACTED:environment]"
    assert talk.answers[0] == 'key = "[REDACTED:environment]"\n'
    shown = [event for event in talk.seen if not isinstance(event, events.TextArrived)]
    assert SECRET not in repr(shown)
    assert SECRET not in "".join(talk.answers)


def test_an_event_tells_of_a_call_what_the_model_got(start: Start) -> None:
    clock = ManualClock(5)
    talk = start(reply(READ), reply(text="seen it"), clock=clock)
    talk.session.run()
    [event] = talk.of(events.CallFinished)
    assert (event.round, event.id, event.name, event.arguments) == (1, "r", "read_file", {"path": "x.py"})
    assert (event.status, event.summary, event.duration_ms) == ("executed", "x = 1\n", 0)
    assert event.digest == hashlib.sha256(b"x = 1\n").hexdigest()


def test_the_harness_can_go_on_after_an_answer(start: Start) -> None:
    talk = start(reply(READ), reply(text="first"), reply(text="second"))
    assert talk.session.run() == "first"
    talk.session.say("not yet")
    assert talk.session.run() == "second"
    assert talk.roles[-3:] == ["assistant", "user", "assistant"]


def names(seen: Sequence[events.Event]) -> list[str]:
    return [type(event).__name__ for event in seen]


def test_the_order_of_events(start: Start) -> None:
    talk = start(reply(READ, text="I look"), reply(text="seen it"))
    talk.session.run()
    assert names(talk.seen) == [
        "RoundStarted", "TextArrived", "RoundFinished", "CallStarted", "CallFinished",
        "RoundStarted", "TextArrived", "RoundFinished",
    ]  # fmt: skip
