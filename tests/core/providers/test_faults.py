"""Each fault happens at its call, as it is described, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from scripted import ScriptedProvider, asked, reply

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import (
    Message,
    ProviderRequest,
    ProviderResponse,
    Reasoning,
    ResponseSchema,
    ToolCall,
    Usage,
)
from orefactor.core.providers.faults import KINDS, FailureKind, Fault, FaultKind, FaultyProvider, random_faults
from orefactor.core.providers.spoiled_replies import SPOILS, SpoilKind
from orefactor.core.tools import TOOL_SCHEMAS

TWO = (asked("a", "read_file", path="x.py"), asked("b", "grep", pattern="é"))
CALLS = reply(*TWO, text="I look.")
TEXT = reply(text="All done.")
HISTORY = (Message("user", "x"), Message("assistant", None, (asked("old", "grep", pattern="x"),)))
REQUEST = ProviderRequest(HISTORY, tools=tuple(TOOL_SCHEMAS), response_schema=ResponseSchema("answer", {}))
HUGE = 2**53 - 1


@dataclass(slots=True)
class Heard:
    """What came in pieces."""

    text: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])

    def __call__(self, text: str, /, *, reasoning: bool = False) -> None:
        (self.reasoning if reasoning else self.text).append(text)


def failure(fault: Fault, request: ProviderRequest = REQUEST, heard: Heard | None = None) -> ProviderFailed:
    inner = ScriptedProvider([TEXT])
    provider = FaultyProvider(inner, {1: fault})
    with pytest.raises(ProviderFailed) as raised:
        provider.complete(request, heard or Heard())
    # The reply wasn't used up: who asks again gets it.
    assert inner.requests == []
    assert provider.complete(request) == TEXT
    return raised.value


@pytest.mark.parametrize(
    ("kind", "retry", "elsewhere"),
    [
        ("rate_limited", True, True),
        ("server_error", True, True),
        ("unreachable", True, True),
        ("interrupted", True, True),
        ("cut_stream", True, True),
        ("unauthorized", False, True),
        ("no_credit", False, True),
        ("too_large", False, False),
        ("bad_request", False, False),
        ("tool_use_failed", False, False),
        ("no_function_calling", False, True),
        ("no_structured_answer", False, False),
    ],
)
def test_failures(kind: FailureKind, retry: bool, elsewhere: bool) -> None:
    failed = failure(Fault(kind))
    assert (failed.kind, failed.retry, failed.elsewhere, failed.retry_after) == (kind, retry, elsewhere, None)
    assert failed.reason == f"provider:{kind}"
    assert "injected" in failed.message
    assert (failed.said != "") is (kind == "tool_use_failed")


@pytest.mark.parametrize(
    ("kind", "seconds"), [("rate_limited", 2.5), ("server_error", 2.5), ("unreachable", None), ("cut_stream", None)]
)
def test_how_long_to_wait(kind: FailureKind, seconds: float | None) -> None:
    assert failure(Fault(kind, retry_after=2.5)).retry_after == seconds


@pytest.mark.parametrize(("text", "pieces"), [(None, ["I will look at "]), ("Let me", ["Let me"]), ("", [])])
def test_a_stream_is_cut_after_some_text(text: str | None, pieces: list[str]) -> None:
    heard = Heard()
    failure(Fault("cut_stream", text), heard=heard)
    assert heard.text == pieces


def test_the_call_that_the_server_refused() -> None:
    assert failure(Fault("tool_use_failed", "<function=x>")).said == "<function=x>"


PLAIN = ProviderRequest(HISTORY)


@pytest.mark.parametrize("kind", ["no_function_calling", "tool_use_failed", "no_structured_answer"])
def test_what_was_not_asked_for_is_not_refused(kind: FailureKind) -> None:
    heard = Heard()
    assert FaultyProvider(ScriptedProvider([TEXT]), {1: Fault(kind)}).complete(PLAIN, heard) == TEXT
    assert heard.text == ["All done."]


def spoiled(fault: Fault, given: ProviderResponse) -> ProviderResponse:
    heard = Heard()
    told = FaultyProvider(ScriptedProvider([given]), {1: fault}).complete(REQUEST, heard)
    assert heard.text == [text for text in (told.message.content,) if text]
    return told


WRITTEN = """I look.
<tool_call>
{"name": "read_file", "arguments": {"path": "x.py"}}
</tool_call>
<tool_call>
{"name": "grep", "arguments": {"pattern": "\\u00e9"}}
</tool_call>"""


@pytest.mark.parametrize(
    ("fault", "field", "value"),
    [
        (Fault("cut_for_length"), "arguments", ['{"path": "x.py"}', '{"pattern"']),
        (Fault("cut_for_length"), "finish", "length"),
        (Fault("filtered"), "finish", "content_filter"),
        (Fault("empty_reply"), "ids", []),
        (Fault("empty_reply"), "text", None),
        (Fault("empty_reply"), "finish", "stop"),
        (Fault("broken_arguments"), "arguments", ['{"path": "x.py",', '{"pattern": "\\u00e9",']),
        (Fault("empty_arguments"), "arguments", ["", ""]),
        (Fault("arguments_no_object"), "arguments", ['[{"path": "x.py"}]', '[{"pattern": "\\u00e9"}]']),
        (Fault("equal_ids"), "ids", ["a", "a"]),
        (Fault("used_ids"), "ids", ["old", "b"]),
        (Fault("empty_ids"), "ids", ["", ""]),
        (Fault("other_tool"), "names", ["no_such_tool"] * 2),
        (Fault("other_tool", "rm"), "names", ["rm", "rm"]),
        (Fault("duplicate_call"), "ids", ["a", "b", "bagain"]),
        (Fault("duplicate_call"), "names", ["read_file", "grep", "grep"]),
        (Fault("calls_as_text"), "ids", []),
        (Fault("calls_as_text"), "finish", "stop"),
        (Fault("calls_as_text"), "text", WRITTEN),
        (Fault("text_beside_calls"), "text", "All is done; nothing is left to do."),
        (Fault("text_beside_calls", "Fine."), "text", "Fine."),
        (Fault("text_beside_calls"), "ids", ["a", "b"]),
        (Fault("control_characters"), "text", "\x1b[2J\x07\u202e\u200bI look.\x1b]0;title\x07\r\x00"),
        (Fault("wrong_finish"), "finish", "stop"),
        (Fault("usage_missing"), "usage", None),
        (Fault("usage_huge"), "usage", Usage(HUGE, 0, HUGE, 1)),
        (Fault("usage_inconsistent"), "usage", Usage(1, HUGE, 0, 1)),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else "",
)
def test_spoiled_replies(fault: Fault, field: str, value: object) -> None:
    told = spoiled(fault, CALLS)
    seen: dict[str, Any] = {
        "ids": [call.id for call in told.tool_calls],
        "names": [call.name for call in told.tool_calls],
        "arguments": [call.arguments for call in told.tool_calls],
        "text": told.message.content,
        "finish": told.finish_reason,
        "usage": told.usage,
    }
    assert seen[field] == value


@pytest.mark.parametrize(
    ("kind", "content", "finish"),
    [
        ("cut_for_length", "All ", "length"),
        ("wrong_finish", "All done.", "tool_calls"),
        ("control_characters", "\x1b[2J\x07\u202e\u200bAll done.\x1b]0;title\x07\r\x00", "stop"),
        ("empty_reply", None, "stop"),
        ("filtered", "All done.", "content_filter"),
    ],
)
def test_spoiled_replies_without_calls(kind: SpoilKind, content: str | None, finish: str) -> None:
    told = spoiled(Fault(kind), TEXT)
    assert (told.message.content, told.finish_reason, told.tool_calls) == (content, finish, ())


@pytest.mark.parametrize(
    "kind",
    [
        "broken_arguments", "empty_arguments", "arguments_no_object", "equal_ids", "used_ids", "empty_ids",
        "other_tool", "duplicate_call", "calls_as_text", "text_beside_calls",
    ],
)  # fmt: skip
def test_a_fault_of_calls_finds_no_place_in_a_reply_without_any(kind: SpoilKind) -> None:
    assert spoiled(Fault(kind), TEXT) == TEXT


def test_a_first_call_uses_no_old_id() -> None:
    provider = FaultyProvider(ScriptedProvider([CALLS]), {1: Fault("used_ids")})
    assert provider.complete(ProviderRequest((Message("user", "x"),))) == CALLS


@pytest.mark.parametrize("kind", get_args(SpoilKind))
@pytest.mark.parametrize(
    "given", [reply(), reply(ToolCall("", "", "")), ProviderResponse(Message("assistant", None), "other")]
)
def test_any_reply_can_be_spoiled(kind: SpoilKind, given: ProviderResponse) -> None:
    spoiled(Fault(kind), given)


def test_reasoning_stays_and_is_told() -> None:
    thought = Reasoning("hm", {"reasoning": "hm"})
    inner = ScriptedProvider([ProviderResponse(Message("assistant", "a", reasoning=thought))])
    heard = Heard()
    told = FaultyProvider(inner, {1: Fault("usage_missing")}).complete(REQUEST, heard)
    assert told.message.reasoning == thought
    assert (heard.reasoning, heard.text) == (["hm"], ["a"])


def test_faults_happen_at_their_calls_only() -> None:
    inner = ScriptedProvider([TEXT] * 3, name="inner", tools=False)
    provider = FaultyProvider(inner, {2: Fault("rate_limited"), 3: Fault("filtered"), 9: Fault("filtered")})
    assert (provider.name, provider.supports_function_calling()) == ("inner", False)
    assert provider.complete(REQUEST) == TEXT
    with pytest.raises(ProviderFailed):
        provider.complete(REQUEST)
    assert [provider.complete(REQUEST).finish_reason for _ in range(2)] == ["content_filter", "stop"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_does_something(kind: FaultKind) -> None:
    try:
        assert FaultyProvider(ScriptedProvider([CALLS]), {1: Fault(kind)}).complete(REQUEST) != CALLS
    except ProviderFailed as failed:
        assert failed.kind == kind


def test_the_table_of_spoiled_replies_is_whole() -> None:
    assert tuple(SPOILS) == get_args(SpoilKind)
    assert len(set(KINDS)) == len(KINDS)


def test_a_plan_by_lot_is_always_the_same() -> None:
    kinds: tuple[FaultKind, ...] = ("rate_limited", "empty_ids")
    plan = random_faults(7, 0.5, 12, kinds, retry_after=0.5)
    assert plan == random_faults(7, 0.5, 12, kinds, retry_after=0.5)
    assert {number: fault.kind for number, fault in plan.items()} == LOT
    assert {fault.retry_after for fault in plan.values()} == {0.5}
    # A longer plan begins as a shorter one.
    assert random_faults(7, 0.5, 99, kinds, retry_after=0.5).items() >= plan.items()
    assert random_faults(8, 0.5, 12, kinds) != plan


LOT: dict[int, FaultKind] = {
    1: "rate_limited", 4: "empty_ids", 5: "rate_limited", 6: "rate_limited", 7: "empty_ids", 8: "rate_limited",
}  # fmt: skip


@pytest.mark.parametrize(("rate", "calls", "count"), [(0, 50, 0), (1, 50, 50), (1, 0, 0), (0.2, 1000, 200)])
def test_how_many_go_wrong(rate: float, calls: int, count: int) -> None:
    assert abs(len(random_faults(1, rate, calls)) - count) <= calls * 0.05 * (0 < rate < 1)


def test_all_kinds_are_drawn() -> None:
    assert {fault.kind for fault in random_faults(1, 1, 1000).values()} == set(KINDS)


@pytest.mark.parametrize(("rate", "kinds"), [(-0.1, KINDS), (1.1, KINDS), (float("nan"), KINDS), (0.5, ())])
def test_a_plan_that_makes_no_sense(rate: float, kinds: tuple[FaultKind, ...]) -> None:
    with pytest.raises(ValueError, match="must"):
        random_faults(1, rate, 1, kinds)
