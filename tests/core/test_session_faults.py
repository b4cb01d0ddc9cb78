"""What a session does with replies that are cut, empty, unreadable or refused, and with calls that fail again."""

from __future__ import annotations

from typing import Any

import pytest
from scripted import asked, reply
from sessions import EDIT, LOST, READ, Start, ToolProtocol

from orefactor.core import events
from orefactor.core.errors import ExitCode, LimitReached, ProviderFailed, RunStopped
from orefactor.core.messages import (
    ProviderResponse,
    ToolCall,
)


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_cut_reply_runs_none_of_its_calls(start: Start, finish: Any) -> None:
    write = asked("w", "write_file", path="new.py", content="new = 1\n")
    talk = start(reply(READ, write, finish=finish), reply(READ), reply(text="seen it"))
    talk.session.run()
    assert not (talk.folder / "new.py").exists()
    assert talk.roles[2:5] == ["assistant", "tool", "tool"]
    assert all("cut off" in answer and answer.startswith("ERROR: ") for answer in talk.answers[:2])
    assert [event.reason for event in talk.of(events.ReplyRejected)] == ["cut_for_length"]


def test_a_cut_text_is_no_answer(start: Start) -> None:
    talk = start(reply(READ), reply(text="The chang", finish="length"), reply(text="The change"))
    assert talk.session.run() == "The change"
    assert talk.roles[-2:] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("steps", "reason", "rejected"),
    [
        pytest.param([reply(text="Nothing to do."), reply(text="Nothing to do.")],
                     "model:no_tool_call", ["no_tool_call"], id="never-a-tool"),
        pytest.param([reply(ToolCall("u", "shell", "{}")), reply(text="ok"), reply(text="ok")],
                     "model:no_tool_call", ["no_tool_call"], id="only-refused-calls"),
        pytest.param([reply(READ), reply(text=" \n"), reply()], "model:empty_reply", ["empty"], id="empty"),
    ],
)  # fmt: skip
def test_a_model_that_gives_nothing_is_asked_once_more(
    start: Start, steps: list[ProviderResponse], reason: str, rejected: list[str]
) -> None:
    talk = start(*steps)
    with pytest.raises(RunStopped) as raised:
        talk.session.run()
    stopped = raised.value
    assert (stopped.status, stopped.reason, stopped.exit_code) == ("error", reason, ExitCode.PROVIDER)
    assert [event.reason for event in talk.of(events.ReplyRejected)] == rejected
    assert len(talk.provider.requests) == len(steps)


@pytest.mark.parametrize("first", [reply(text="It looks fine."), reply()])
def test_a_model_that_then_uses_tools_is_heard(start: Start, first: ProviderResponse) -> None:
    talk = start(first, reply(READ), reply(text="No change needed"))
    assert talk.session.run() == "No change needed"


FAULTY = 'I read it first.\n<tool_call>\n{"name": "read_file", "arguments": {"path": \n</tool_call>'


def test_a_call_as_text_that_can_not_be_read_is_asked_for_again(start: Start) -> None:
    talk = start(reply(text=FAULTY), reply(READ), reply(text="seen it"))
    assert talk.session.run() == "seen it"
    assert [event.reason for event in talk.of(events.ReplyRejected)] == ["unreadable_call"]
    told = talk.provider.requests[1].messages
    assert (told[-2].content, told[-1].role) == (FAULTY, "user")
    assert "could not be read" in (told[-1].content or "")


@pytest.mark.parametrize(("protocol", "times"), [("auto", 2), ("text", 3)])
def test_calls_that_can_never_be_read_are_the_end(start: Start, protocol: ToolProtocol, times: int) -> None:
    talk = start(*[reply(text=FAULTY)] * 5, protocol=protocol)
    with pytest.raises(RunStopped) as raised:
        talk.session.run()
    assert (raised.value.reason, raised.value.exit_code) == ("model:unreadable_call", ExitCode.PROVIDER)
    assert len(talk.provider.requests) == times


def test_a_call_as_text_that_can_be_read_runs_once(start: Start) -> None:
    text = '```json\n{"name": "read_file", "arguments": {"path": "x.py"}}\n```'
    talk = start(reply(text=text), reply(text="seen it"))
    assert talk.session.run() == "seen it"
    assert talk.answers == ["x = 1\n"]
    assert [event.written for event in talk.of(events.RoundFinished)] == [True, False]
    # The history has one form, whatever the model wrote.
    assert [message.role for message in talk.provider.requests[1].messages][2:] == ["assistant", "tool"]


def test_a_whole_run_over_text(start: Start) -> None:
    read = '<call tool="read_file">\npath: x.py\n</call>'
    edit = '<call tool="edit_file">\npath: x.py\nold_string: x = 1\nnew_string:\n```\nx = 2\n```\n</call>'
    talk = start(reply(text=read), reply(text=f"Now I edit.\n{edit}"), reply(text="Set x to 2"), protocol="text")
    assert talk.session.run() == "Set x to 2"
    assert (talk.folder / "x.py").read_text() == "x = 2\n"
    assert all(request.tools == () for request in talk.provider.requests)
    assert [message.role for message in talk.provider.requests[2].messages] == [
        "system", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip


TOOL_USE_FAILED = ProviderFailed("tool_use_failed", "the server refused the call", hint="x", said='{"name": "rd"')


def test_a_call_that_the_server_refused_is_told_once(start: Start) -> None:
    talk = start(TOOL_USE_FAILED, reply(READ), TOOL_USE_FAILED, reply(text="seen it"))
    assert talk.session.run() == "seen it"
    assert 'You wrote: {"name": "rd"' in (talk.provider.requests[1].messages[-1].content or "")
    assert [event.reason for event in talk.of(events.ReplyRejected)] == ["tool_use_failed"] * 2
    talk = start(TOOL_USE_FAILED, TOOL_USE_FAILED)
    with pytest.raises(ProviderFailed, match="refused the call"):
        talk.session.run()


@pytest.mark.parametrize("call", [LOST, ToolCall("s", "shell", "{}"), ToolCall("n", "read_file", "{no json")])
def test_the_same_failing_call(start: Start, call: ToolCall) -> None:
    """The second time it is told, and the third ends the run."""
    other = asked("o", "read_file", path="other.py")
    talk = start(reply(call), reply(other), reply(call, READ), reply(call))
    with pytest.raises(LimitReached) as raised:
        talk.session.run()
    assert raised.value.reason == "limit:repeated_call"
    first, _, second, _, third = talk.answers
    assert "failed before" not in first
    assert "This very call failed before. Read the file again" in second
    assert third.startswith("ERROR: ")
    assert len(talk.of(events.CallFinished)) == 5


def test_a_call_that_works_in_between_starts_the_count_anew(start: Start) -> None:
    grow = asked("g", "edit_file", path="x.py", old_string="x = 2", new_string="x = 3")
    back = asked("b", "edit_file", path="x.py", old_string="x = 3", new_string="x = 2")
    steps = [reply(READ, grow), reply(grow), reply(EDIT), reply(grow), reply(back), reply(grow), reply(grow)]
    talk = start(*steps, reply(grow), reply(text="done it"))
    assert talk.session.run() == "done it"


def test_cut_replies_with_the_same_calls_are_no_repeated_calls(start: Start) -> None:
    """Nothing of them ran, so the rounds are what limits them."""
    talk = start(*[reply(READ, finish="length")] * 4, reply(READ), reply(text="seen it"))
    assert talk.session.run() == "seen it"


def test_a_provider_that_fails_leaves_the_history_as_it_was(start: Start) -> None:
    broken = ProviderFailed("unreachable", "gone", hint="try again")
    talk = start(reply(READ), broken)
    with pytest.raises(ProviderFailed):
        talk.session.run()
    assert talk.roles == ["system", "user", "assistant", "tool"]
