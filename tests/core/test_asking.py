"""One model call: who is asked, how often, in which protocol, and what is reserved for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from scripted import ManualClock, ScriptedProvider, Step, asked, reply

from orefactor.core import events
from orefactor.core.asking import Asked, Asker, Asking, ToolProtocol
from orefactor.core.errors import Cancelled, LimitReached, ProviderFailed, ToolsUnsupported
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import (
    Message,
    OnDelta,
    Provider,
    ProviderRequest,
    ProviderResponse,
    ResponseSchema,
    Usage,
    ignore_delta,
)
from orefactor.core.providers.choose import Choice
from orefactor.core.providers.prices import Price, PriceList
from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOL_SCHEMAS

READ = asked("r", "read_file", path="x.py")
ANSWER = reply(READ, usage=Usage(1000, 0, 100, 1))
REQUEST = ProviderRequest((Message("system", "be brief"), Message("user", "do it")), tools=tuple(TOOL_SCHEMAS))
PRICES = PriceList({"cheap": Price(0.1, 1.0, 10.0), "dear": Price(1.0, 100.0, 1000.0)})


def failure(
    kind: str = "server_error", *, retry: bool = True, elsewhere: bool = True, after: float | None = None
) -> ProviderFailed:
    return ProviderFailed(kind, f"it was {kind}", hint="later", retry=retry, elsewhere=elsewhere, retry_after=after)


REFUSES_TOOLS = failure("no_function_calling", retry=False)
REFUSES_FORM = failure("no_structured_answer", retry=False, elsewhere=False)


@dataclass
class Bench:
    """An asker and what was seen of it."""

    asker: Asker
    ledger: Ledger
    clock: ManualClock
    seen: list[events.Event] = field(default_factory=list[events.Event])

    def ask(self, request: ProviderRequest = REQUEST) -> Asked:
        size = self.asker.estimate(request.messages, request.tools)
        return self.asker.ask(request, 1, self.ledger.begin_round(size, self.asker.price()))

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.seen if isinstance(event, kind)]


def bench(
    *choices: Provider,
    limits: Limits | None = None,
    protocol: ToolProtocol = "auto",
    cancelled: Callable[[], bool] = lambda: False,
) -> Bench:
    clock = ManualClock()
    ledger = Ledger(limits or Limits(), clock)
    seen: list[events.Event] = []
    chain = [Choice(provider, model) for provider, model in zip(choices, ("cheap", "dear", "unknown"), strict=False)]
    asking = Asking(chain, ledger, clock, seen.append, Redactor({}), PRICES, protocol, cancelled, lambda: 1.0)
    return Bench(Asker(asking), ledger, clock, seen)


def first(*steps: Step) -> ScriptedProvider:
    return ScriptedProvider(steps, "first")


def second(*steps: Step, tools: bool = True) -> ScriptedProvider:
    return ScriptedProvider(steps, "second", tools)


def test_a_reply_with_its_price() -> None:
    provider = first(ANSWER)
    desk = bench(provider)
    got = desk.ask()
    assert (got.reply, got.usage, got.estimated, got.attempts) == (ANSWER, Usage(1000, 0, 100, 1), False, 1)
    assert got.cost == pytest.approx(0.002)
    sent = provider.requests[0]
    assert (sent.model, sent.max_tokens, sent.timeout) == ("cheap", 8192, 1800.0)
    assert desk.seen == []


def test_a_server_without_usage_is_estimated_by_what_the_others_reported() -> None:
    desk = bench(first(ANSWER, ProviderResponse(Message("assistant", "x" * 330), "stop")))
    desk.ask()
    got = desk.ask()
    assert got.estimated
    assert got.usage == Usage(1001, 0, 105, 1)


@pytest.mark.parametrize(
    ("steps", "waits"),
    [
        pytest.param([failure(), ANSWER], [0.5], id="once"),
        pytest.param([failure(), failure("unreachable"), failure("cut_stream"), ANSWER], [0.5, 1.0, 2.0], id="thrice"),
        pytest.param([failure("rate_limited", after=7.0), ANSWER], [7.1], id="as-the-server-wishes"),
        pytest.param([failure("rate_limited"), failure("rate_limited"), ANSWER], [1.0, 2.0], id="crowded"),
    ],
)
def test_retries(steps: list[Step], waits: list[float]) -> None:
    provider = first(*steps)
    desk = bench(provider)
    assert desk.ask().attempts == len(steps)
    assert [event.seconds for event in desk.of(events.RetryScheduled)] == waits
    assert desk.clock.seconds == pytest.approx(sum(waits))
    assert [event.attempt for event in desk.of(events.RetryScheduled)] == list(range(2, len(steps) + 1))
    # Nothing stays reserved for the calls that failed.
    assert desk.ledger.reserve(0).max_tokens == 8192
    assert [request.timeout for request in provider.requests][-1] == pytest.approx(1800 - sum(waits))


@pytest.mark.parametrize(
    ("error", "times", "message"),
    [
        pytest.param(failure(), 4, "it was server_error (asked 4 times)", id="broken"),
        pytest.param(failure("rate_limited"), 6, "it was rate_limited (asked 6 times)", id="crowded"),
        pytest.param(failure("unauthorized", retry=False), 1, "it was unauthorized", id="refused"),
        pytest.param(failure("rate_limited", after=3600.0), 1,
                     "it was rate_limited; the next attempt in 3600 s would be past the run's time", id="past-the-end"),
    ],
)  # fmt: skip
def test_when_asking_again_does_not_help(error: ProviderFailed, times: int, message: str) -> None:
    provider = first(*[failure(error.kind, retry=error.retry, after=error.retry_after) for _ in range(9)])
    desk = bench(provider)
    with pytest.raises(ProviderFailed) as raised:
        desk.ask()
    assert (raised.value.message, len(provider.requests)) == (message, times)
    assert desk.ledger.reserve(0).max_tokens == 8192


def test_no_attempt_once_the_time_is_over() -> None:
    desk: Bench

    def late(_request: ProviderRequest) -> ProviderResponse:
        desk.clock.seconds += 2000
        raise failure("timeout")

    desk = bench(first(late))
    with pytest.raises(LimitReached) as raised:
        desk.ask()
    assert raised.value.limit == "max_seconds"


def test_a_caller_who_wants_to_stop_is_heard_while_it_waits() -> None:
    answers = iter([False, False, True])
    desk = bench(first(failure("rate_limited", after=60.0), ANSWER), cancelled=lambda: next(answers))
    with pytest.raises(Cancelled):
        desk.ask()
    assert desk.clock.seconds == pytest.approx(0.2)


def test_a_signal_leaves_nothing_reserved() -> None:
    def interrupted(_request: ProviderRequest) -> ProviderResponse:
        raise KeyboardInterrupt

    desk = bench(first(interrupted))
    with pytest.raises(KeyboardInterrupt):
        desk.ask()
    assert desk.ledger.reserve(0).max_tokens == 8192


@dataclass
class BreaksOff:
    """A server whose reply breaks off after it has begun, again and again."""

    name: str = "first"
    asked: int = 0

    def supports_function_calling(self) -> bool:
        return True

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        self.asked += 1
        on_delta("I thi", reasoning=True)
        on_delta("The chan")
        raise failure("cut_stream")


def test_a_reply_that_breaks_off_is_asked_again_whole_and_nobody_else_goes_on_with_it() -> None:
    server, other = BreaksOff(), second(ANSWER)
    desk = bench(server, other)
    with pytest.raises(ProviderFailed, match="cut_stream"):
        desk.ask()
    assert (server.asked, other.requests, desk.of(events.ProviderChanged)) == (4, [], [])
    assert [event.text for event in desk.of(events.TextArrived)] == ["The chan"] * 4
    assert [event.text for event in desk.of(events.ReasoningArrived)] == ["I thi"] * 4


@pytest.mark.parametrize(
    ("errors", "waited"),
    [
        pytest.param([failure("unauthorized", retry=False)], 0, id="at-once"),
        pytest.param([failure() for _ in range(4)], 3, id="after-the-retries"),
        pytest.param([failure("rate_limited", after=60.0)], 0, id="rather-than-a-long-wait"),
    ],
)
def test_the_next_provider_is_asked(errors: list[Step], waited: int) -> None:
    one, other = first(*errors), second(ANSWER, ANSWER)
    desk = bench(one, other)
    got = desk.ask()
    assert (got.choice.provider, other.requests[0].model, got.attempts) == (other, "dear", len(errors) + 1)
    assert got.cost == pytest.approx(0.2)
    assert len(desk.of(events.RetryScheduled)) == waited
    [changed] = desk.of(events.ProviderChanged)
    assert (changed.before, changed.provider, changed.model, changed.round) == ("first", "second", "dear", 1)
    assert desk.ask().choice.provider is other


def test_the_next_provider_has_its_own_price() -> None:
    """What the cheap one could afford, the dear one can't: the ceiling falls, and then nothing is sent."""
    error = failure("unauthorized", retry=False)
    other = second(ANSWER)
    bench(first(error), other, limits=Limits(max_cost=5.0)).ask()
    assert other.requests[0].max_tokens is not None
    assert 4000 < other.requests[0].max_tokens < 5000
    other = second(ANSWER)
    with pytest.raises(LimitReached) as raised:
        bench(first(failure("unauthorized", retry=False)), other, limits=Limits(max_cost=0.05)).ask()
    assert (raised.value.limit, other.requests) == ("max_cost", [])


@pytest.mark.parametrize("kind", ["bad_request", "not_found"])
def test_an_error_that_no_other_server_helps_with_is_the_end(kind: str) -> None:
    other = second(ANSWER)
    with pytest.raises(ProviderFailed, match=kind):
        bench(first(failure(kind, retry=False, elsewhere=False)), other).ask()
    assert other.requests == []


def test_nobody_moves_to_a_provider_that_can_not_call_tools() -> None:
    without, other = second(ANSWER, tools=False), ScriptedProvider([ANSWER], "third")
    desk = bench(first(failure("unauthorized", retry=False)), without, other)
    assert desk.ask().choice.provider is other
    assert without.requests == []


def test_a_first_provider_without_tools_is_left_out() -> None:
    other = second(ANSWER)
    desk = bench(ScriptedProvider([], "first", tools=False), other)
    desk.asker.announce()
    assert desk.ask().choice.provider is other
    assert [event.reason for event in desk.of(events.ProviderChanged)] == ["`first` can't call tools"]


@pytest.mark.parametrize("protocol", ["auto", "native"])
def test_when_none_can_call_tools(protocol: ToolProtocol) -> None:
    with pytest.raises(ToolsUnsupported, match="`first` can't call tools"):
        bench(ScriptedProvider([], "first", False), ScriptedProvider([], "second", False), protocol=protocol)


@dataclass
class Server(ScriptedProvider):
    """A server whose models can write their calls where they can't make them."""

    can_write_calls: bool = True


WRITTEN = reply(text='<call tool="read_file">\npath: x.py\n</call>')


@pytest.mark.parametrize(
    ("provider", "protocol", "said"),
    [
        pytest.param(first(WRITTEN), "text", "asked for", id="asked-for"),
        pytest.param(ScriptedProvider([WRITTEN], "first", tools=False), "text", "asked for", id="of-any-provider"),
        pytest.param(Server([WRITTEN], "first", tools=False), "auto",
                     "`first` can't call tools with the model `cheap`", id="model-without-tools"),
    ],
)  # fmt: skip
def test_calls_as_text(provider: ScriptedProvider, protocol: ToolProtocol, said: str) -> None:
    desk = bench(provider, protocol=protocol)
    desk.asker.announce()
    assert [(event.protocol, event.reason) for event in desk.of(events.ProtocolChanged)] == [("text", said)]
    got = desk.ask().reply
    assert [(call.name, json.loads(call.arguments)) for call in got.tool_calls] == [("read_file", {"path": "x.py"})]
    assert got.written
    sent = provider.requests[0]
    assert sent.tools == ()
    assert "read_file" in (sent.messages[0].content or "")


def test_a_server_that_refuses_tools_gets_text_for_the_rest_of_the_run() -> None:
    provider = first(REFUSES_TOOLS, WRITTEN, WRITTEN)
    desk = bench(provider)
    desk.asker.announce()
    desk.ask()
    desk.ask()
    assert [bool(request.tools) for request in provider.requests] == [True, False, False]
    assert [event.reason for event in desk.of(events.ProtocolChanged)] == ["it was no_function_calling"]


def test_native_means_native() -> None:
    with pytest.raises(ProviderFailed, match="no_function_calling"):
        bench(first(REFUSES_TOOLS), protocol="native").ask()
    got = bench(first(WRITTEN), protocol="native").ask().reply
    assert (got.tool_calls, got.written) == ((), False)


TEXTS = {
    "fenced": '```json\n{"name": "read_file", "arguments": {"path": "x.py"}}\n```',
    "tagged": '<tool_call>\n{"name": "read_file", "arguments": {"path": "x.py"}}\n</tool_call>',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_native_model_that_wrote_its_call_is_understood_for_that_round(text: str) -> None:
    provider = first(reply(text=text), ANSWER)
    desk = bench(provider)
    got = desk.ask().reply
    assert ([call.name for call in got.tool_calls], got.written) == (["read_file"], True)
    desk.ask()
    assert [bool(request.tools) for request in provider.requests] == [True, True]
    assert desk.of(events.ProtocolChanged) == []


def test_a_form_that_does_not_go_with_tools_is_asked_for_without_them() -> None:
    form = ResponseSchema("answer", {"type": "object"})
    with_form = ProviderRequest(REQUEST.messages, tools=REQUEST.tools, response_schema=form)
    provider = first(REFUSES_FORM, ANSWER, ANSWER)
    desk = bench(provider)
    desk.ask(with_form)
    assert desk.asker.answers_alone
    desk.ask(ProviderRequest(REQUEST.messages, response_schema=form))
    assert [request.response_schema for request in provider.requests] == [form, None, form]
    assert [event.protocol for event in desk.of(events.ProtocolChanged)] == ["answer_alone"]


def test_a_form_that_is_refused_even_alone_is_an_error() -> None:
    desk = bench(first(REFUSES_FORM, REFUSES_FORM))
    with pytest.raises(ProviderFailed, match="no_structured_answer"):
        desk.ask()
