"""What ends a session: its limits, a signal, whoever asks it to stop."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from scripted import ManualClock, asked, reply
from sessions import EDIT, READ, Start

from orefactor.core import events
from orefactor.core.errors import Cancelled, ExitCode, LimitReached
from orefactor.core.limits import Limits
from orefactor.core.messages import (
    Message,
    ProviderRequest,
    ProviderResponse,
    ToolSchema,
    Usage,
)
from orefactor.core.tools.base import AnyTool, Arguments, Tool, Workspace
from orefactor.core.tools.toolbox import Answer


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


class Slow(Arguments):
    """Take a while."""

    seconds: int


def takes_a_while(clock: ManualClock) -> dict[str, AnyTool]:
    def run(arguments: Slow, _workspace: Workspace) -> str:
        clock.seconds += arguments.seconds
        return "done"

    return {"slow": Tool("slow", "verify", Slow, run)}


@pytest.mark.parametrize(("seconds", "ends"), [(10, True), (9, False)])
def test_a_tool_that_runs_out_of_time_ends_a_session_that_wants_it_so(start: Start, seconds: int, ends: bool) -> None:
    clock = ManualClock()
    call, limits = asked("s", "slow", seconds=seconds), Limits(tool_seconds=10)
    steps = [reply(call), reply(text="seen it")]
    talk = start(*steps, limits=limits, clock=clock, tools=takes_a_while(clock), ends_on_timeout=True)
    if ends:
        with pytest.raises(LimitReached, match="`slow` was not done after 10 seconds") as raised:
            talk.session.run()
        assert raised.value.limit == "tool_timeout"
    else:
        assert talk.session.run() == "seen it"
    assert [event.status for event in talk.of(events.CallFinished)] == ["executed"]
    assert talk.answers == ["done"]
    other = ManualClock()
    talk = start(*steps, limits=limits, clock=other, tools=takes_a_while(other))
    assert talk.session.run() == "seen it"
