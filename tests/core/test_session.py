"""The tool-use loop, driven by scripted replies over real tools on real files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files
from scripted import ManualClock, ScriptedProvider, Step, asked, reply

from orefactor.core import events
from orefactor.core.asking import Asker, Asking, ToolProtocol
from orefactor.core.calls import SessionTools, ToolServer
from orefactor.core.errors import Cancelled, ExitCode, LimitReached, ProviderFailed, RunStopped, ToolError
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import (
    Message,
    ProviderRequest,
    ProviderResponse,
    Reasoning,
    ResponseSchema,
    ToolCall,
    ToolSchema,
    Usage,
)
from orefactor.core.providers.choose import Choice
from orefactor.core.providers.prices import Price, PriceList
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.wire import payload
from orefactor.core.redact import Redactor
from orefactor.core.session import Session
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import AnyTool, Arguments, Tool, Workspace
from orefactor.core.tools.toolbox import Answer, Toolbox
from orefactor.sandbox.files import Root

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


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Make a session over the tools at a folder with a few files."""
    write_files(tmp_path, FILES)

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
    ) -> Talk:
        clock = clock or ManualClock()
        redactor = Redactor({"MY_TOKEN": SECRET})
        provider = ScriptedProvider(steps)
        seen: list[events.Event] = []
        thoughts: dict[int, Reasoning] = {}
        toolbox = server or Toolbox(tools or TOOLS, Workspace(Root(tmp_path)), redactor)
        given = SessionTools(toolbox, redactor, clock, seen.append, cancelled, abort, thoughts.__setitem__)
        ledger = Ledger(limits or Limits(), clock)
        prices = PriceList({"m": Price(0.1, 1.0, 10.0)})
        asking = Asking([Choice(provider, "m")], ledger, clock, seen.append, redactor, prices, protocol, cancelled)
        return Talk(Session(Asker(asking), OPENING, given, ledger, answer), provider, tmp_path, seen, thoughts)

    return make


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


@pytest.mark.traces("REQ-103-018", "TST-103-006")
@pytest.mark.parametrize(
    ("limits", "status", "reason", "rounds"),
    [
        pytest.param(Limits(max_rounds=2), "max_iterations", "limit:max_iterations", 2, id="rounds"),
        pytest.param(Limits(max_tokens=700), "limit", "limit:max_tokens", 0, id="no-token-for-the-first"),
        pytest.param(Limits(max_tokens=1500), "limit", "limit:max_tokens", 1, id="usage-passes-it"),
        pytest.param(Limits(max_seconds=25), "limit", "limit:max_seconds", 3, id="seconds"),
        pytest.param(Limits(max_cost=0.0005), "limit", "limit:max_cost", 0, id="no-money-for-the-first"),
        pytest.param(Limits(max_cost=0.003), "limit", "limit:max_cost", 1, id="the-reply-costs-more"),
        pytest.param(Limits(max_cost=0.0047), "limit", "limit:max_cost", 1, id="no-money-for-the-second"),
    ],
)
def test_limits(start: Start, limits: Limits, status: str, reason: str, rounds: int) -> None:
    clock = ManualClock()

    def look(_request: ProviderRequest) -> ProviderResponse:
        clock.seconds += 10
        call = asked(f"r{clock.seconds}", "list_dir", offset=int(clock.seconds) - 10)
        return reply(call, text="I look around", usage=Usage(1400, 0, 200, 1))

    talk = start(*[look] * 9, limits=limits, clock=clock)
    with pytest.raises(LimitReached) as raised:
        talk.session.run()
    assert (raised.value.status, raised.value.reason) == (status, reason)
    assert raised.value.exit_code is ExitCode.LIMIT
    assert len(talk.provider.requests) == rounds
    assert len(talk.of(events.RoundFinished)) == rounds


def test_the_time_is_asked_between_the_calls_of_one_reply(start: Start) -> None:
    clock = ManualClock()

    def edit_in_time(_request: ProviderRequest) -> ProviderResponse:
        clock.seconds = 100
        return reply(EDIT, READ)

    talk = start(reply(READ), edit_in_time, limits=Limits(max_seconds=60), clock=clock)
    with pytest.raises(LimitReached, match="after 60 seconds"):
        talk.session.run()
    assert (talk.folder / "x.py").read_text() == "x = 1\n"


def test_what_a_request_may_use(start: Start) -> None:
    clock = ManualClock()
    limits = Limits(max_tokens=5000, max_seconds=60, max_output_tokens=4000)

    def later(_request: ProviderRequest) -> ProviderResponse:
        clock.seconds += 20
        return reply(READ, usage=Usage(1000, 0, 1000, 1))

    talk = start(later, reply(text="seen it"), limits=limits, clock=clock)
    talk.session.run()
    first, second = talk.provider.requests
    started = talk.of(events.RoundStarted)
    assert (first.timeout, second.timeout) == (60, 40)
    assert first.max_tokens == min(4000, 5000 - started[0].prompt_tokens)
    # The first report corrects the second estimate.
    assert second.max_tokens == 3000 - started[1].prompt_tokens
    assert (started[0].messages, started[1].messages) == (2, 4)


def test_usage_that_no_server_told_is_estimated(start: Start) -> None:
    untold = ProviderResponse(Message("assistant", "x" * 330, (READ,)), "tool_calls")
    talk = start(untold, reply(text="seen it"))
    talk.session.run()
    first, second = talk.of(events.RoundFinished)
    assert (first.estimated, second.estimated) == (True, False)
    assert first.usage.prompt_tokens == talk.of(events.RoundStarted)[0].prompt_tokens
    assert 100 < first.usage.completion_tokens < 150
    assert (first.model, second.model) == ("m", "scripted-1")


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


FORM = ResponseSchema("answer", {"type": "object"})
REFUSES_FORM = ProviderFailed("no_structured_answer", "not with tools", hint="x")


def test_the_form_is_asked_for_with_every_request(start: Start) -> None:
    talk = start(reply(READ), reply(text='{"title": "Seen"}'), answer=FORM)
    assert talk.session.run() == '{"title": "Seen"}'
    assert [request.response_schema for request in talk.provider.requests] == [FORM, FORM]


@pytest.mark.parametrize(
    ("last", "more", "answer"),
    [
        pytest.param('{"title": "Seen"}', [], '{"title": "Seen"}', id="in-the-form-anyway"),
        pytest.param("Seen", [reply(text='{"title": "S"}')], '{"title": "S"}', id="one-more-round"),
        pytest.param("Seen", [reply(text="")], "Seen", id="nothing-comes"),
        pytest.param("Seen", [REFUSES_FORM], "Seen", id="refused-again"),
    ],
)
def test_a_form_that_does_not_go_with_tools(start: Start, last: str, more: list[Step], answer: str) -> None:
    talk = start(REFUSES_FORM, reply(READ), reply(text=last), *more, answer=FORM)
    assert talk.session.run() == answer
    sent = [(bool(request.tools), request.response_schema) for request in talk.provider.requests]
    assert sent == [(True, FORM), (True, None), (True, None), *[(False, FORM)] * len(more)]


def test_no_round_is_left_for_the_form(start: Start) -> None:
    talk = start(REFUSES_FORM, reply(READ), reply(text="Seen"), answer=FORM, limits=Limits(max_rounds=2))
    assert talk.session.run() == "Seen"


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


def test_cancelling_before_a_round(start: Start) -> None:
    talk = start(reply(READ), cancelled=lambda: True)
    with pytest.raises(Cancelled) as raised:
        talk.session.run()
    assert (raised.value.status, raised.value.exit_code) == ("cancelled", ExitCode.INTERRUPTED)
    assert talk.provider.requests == []


@pytest.mark.parametrize(
    ("step", "roles"),
    [
        pytest.param(reply(READ, text="I look"), ["system", "user"], id="while-text-arrives"),
        pytest.param(reply(READ), ["system", "user", "assistant"], id="before-the-calls"),
    ],
)
def test_cancelling_in_a_round(start: Start, step: ProviderResponse, roles: list[str]) -> None:
    stop = threading.Event()

    def answer(_request: ProviderRequest) -> ProviderResponse:
        stop.set()
        return step

    talk = start(answer, cancelled=stop.is_set)
    with pytest.raises(Cancelled):
        talk.session.run()
    assert talk.roles == roles
    assert talk.answers == []


class Interrupting:
    """Raises in one of two calls that run side by side, as a signal does; the other waits for `abort`."""

    def __init__(self) -> None:
        self.schemas: tuple[ToolSchema, ...] = ()
        self.aborted = threading.Event()

    def effect(self, name: str) -> str | None:
        return "observe"

    def call(self, name: str, arguments: dict[str, Any] | str | None) -> Answer:
        if name == "signal":
            raise KeyboardInterrupt
        assert self.aborted.wait(10)
        return Answer("executed", "ended")


def test_a_signal_makes_calls_in_other_threads_end(start: Start) -> None:
    server = Interrupting()
    talk = start(reply(asked("s", "signal"), asked("w", "wait")), server=server, abort=server.aborted.set)
    with pytest.raises(KeyboardInterrupt):
        talk.session.run()
    assert server.aborted.is_set()


def test_a_provider_that_fails_leaves_the_history_as_it_was(start: Start) -> None:
    broken = ProviderFailed("unreachable", "gone", hint="try again")
    talk = start(reply(READ), broken)
    with pytest.raises(ProviderFailed):
        talk.session.run()
    assert talk.roles == ["system", "user", "assistant", "tool"]


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
