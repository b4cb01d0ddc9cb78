"""A recorded run's replies and the failures that it survived come again in order; then a live provider answers."""

from __future__ import annotations

from typing import Any

import pytest
from recordings import part, recorded
from scripted import ScriptedProvider, collecting, reply

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, Reasoning, Usage
from orefactor.core.providers.repeated import RepeatedProvider
from orefactor.core.reasoning_file import digest
from orefactor.core.trace_model import ProtocolChangePart

ASKED = ProviderRequest((Message("user", "x"),))
CALL = {"id": "c1", "name": "grep", "arguments": "{}"}
TEXT = ProtocolChangePart(round=1, protocol="text", reason="")
ALONE = ProtocolChangePart(round=2, protocol="answer_alone", reason="")


def heard(provider: RepeatedProvider, most: int = 9) -> list[str]:
    """What each request gives: a reply's text, or the kind of a failure; until the replies have ended."""
    found: list[str] = []
    while len(found) < most and "replay_ended" not in found:
        try:
            found.append(provider.complete(ASKED).message.content or "")
        except ProviderFailed as failed:
            found.append(failed.kind)
    return found


@pytest.mark.parametrize(
    ("rounds", "changes", "before", "expected"),
    [
        pytest.param([part(1, text="a"), part(2, text="b")], [], None, ["a", "b"], id="in-order"),
        pytest.param([part(1, text="a"), part(2, text="b")], [], 2, ["a"], id="before-a-round"),
        pytest.param([part(1, text="a")], [TEXT], None, ["no_function_calling", "a"], id="no-calls"),
        pytest.param(
            [part(1, "tool_calls", CALL, text="a"), part(2, text="b")],
            [ALONE],
            None,
            ["a", "no_structured_answer", "b"],
            id="no-form",
        ),
        pytest.param(
            [part(1, "", rejected="tool_use_failed"), part(2, text="b")],
            [],
            None,
            ["tool_use_failed", "b"],
            id="unusable",
        ),
        pytest.param([part(1, text="a"), part(2, ""), part(3, text="c")], [], None, ["a", "tool_use_failed", "c"],
                     id="no-form-in-the-end"),
        pytest.param([part(1, text="a"), part(2, "")], [], None, ["a"], id="broken-off"),
        pytest.param([part(1, ""), part(2, text="b")], [], None, ["b"], id="no-reply-at-first"),
        pytest.param([], [], None, [], id="nothing"),
    ],
)  # fmt: skip
def test_what_each_request_gives(rounds: Any, changes: Any, before: int | None, expected: list[str]) -> None:
    provider = RepeatedProvider(recorded(rounds=rounds, protocol_changes=changes), before=before)
    assert provider.left == sum(len(text) == 1 for text in expected)
    assert heard(provider) == [*expected, "replay_ended"]
    assert provider.left == 0


def test_then_a_live_provider_answers() -> None:
    live = ScriptedProvider([reply(text="live"), reply(text="more")], "served")
    changes = [TEXT, ALONE]
    trace = recorded(rounds=[part(1, text="a", usage={"prompt_tokens": 9})], protocol_changes=changes)
    provider = RepeatedProvider(trace, live=live)
    seen: list[str] = []
    # Whether it has function calling is its own to say.
    first = provider.complete(ASKED, collecting(seen))
    assert (first.message.content, first.usage, provider.name) == ("a", Usage(), "served")
    assert heard(provider, 2) == ["live", "more"]
    assert (seen, len(live.requests)) == (["a"], 2)
    assert RepeatedProvider(trace, is_free=False, before=2).complete is not None


@pytest.mark.parametrize(
    ("thought", "kept"), [(Reasoning("mm"), True), (Reasoning("forged"), False)], ids=["the-models", "another"]
)
def test_reasoning_that_the_trace_names(thought: Reasoning, kept: bool) -> None:
    trace = recorded(rounds=[part(1, text="a", reasoning_digest=digest(Reasoning("mm")))])
    found = RepeatedProvider(trace, reasoning={1: thought}).complete(ASKED)
    assert (found.message.reasoning == thought) is kept


def test_recorded_usage_where_it_counts() -> None:
    trace = recorded(rounds=[part(1, text="a", usage={"prompt_tokens": 9, "requests": 1})])
    assert RepeatedProvider(trace, is_free=False).complete(ASKED).usage == Usage(9, 0, 0, 1)


@pytest.mark.parametrize(
    ("fields", "live", "expected"),
    [
        pytest.param({"rounds": [part(1)]}, None, (False, True, False, False, True), id="plain"),
        pytest.param({"rounds": [part(1)], "frame": {}}, None, (False, True, False, True, True), id="context"),
        pytest.param({"rounds": [part(1)], "provider": "fixture"}, None, (False, True, True, False, True), id="script"),
        pytest.param({"protocol_changes": [ALONE]}, None, (True, True, False, True, True), id="form"),
        pytest.param(
            {"rounds": [part(1)], "protocol_changes": [{**TEXT.model_dump(), "round": 0}]},
            None,
            (False, True, False, False, False),
            id="text-from-the-start",
        ),
        pytest.param({"rounds": []}, ScriptedProvider([]), (False, False, False, True, True), id="live"),
        pytest.param({"rounds": []}, ScriptedProvider([], tools=False), (False, False, False, True, False), id="dumb"),
    ],
)
def test_what_it_says_of_itself(fields: dict[str, Any], live: Any, expected: tuple[bool, ...]) -> None:
    it = RepeatedProvider(recorded(**fields), live=live)
    said = (it.asks_for_form, it.can_write_calls, it.follows_script, it.reads_context, it.supports_function_calling())
    assert said == expected
