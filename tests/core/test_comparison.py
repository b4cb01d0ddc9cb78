"""What counts as the same answer, and how the first other one is told."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from recordings import call, part, recorded

from orefactor.core import events
from orefactor.core.comparison import Comparison, Difference, Diverged
from orefactor.core.errors import ExitCode
from orefactor.core.messages import Usage

BUILT = events.ContextBuilt({}, {"pack_id": "a1"}, 0)
BEGUN = events.RoundStarted(1, 2, 10)


def finished(text: str, number: int = 1, name: str = "read_file", status: events.CallStatus = "executed") -> Any:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return events.CallFinished(number, "c1", name, {"path": "x.py"}, status, 5, text[:300], digest)


def compare(trace: Any, *told: Any, before: int | None = None) -> tuple[Difference | None, int, str]:
    comparison = Comparison(trace, before)
    try:
        for event in told:
            comparison.listen(event)
    except Diverged as stopped:
        assert (stopped.status, stopped.reason, stopped.exit_code) == ("gate", "replay:difference", ExitCode.GATE)
        return stopped.difference, comparison.calls, stopped.hint
    return None, comparison.calls, ""


@pytest.mark.parametrize(
    ("was", "now", "name"),
    [
        pytest.param("a\nb", "a\nb", "read_file", id="the-same"),
        pytest.param("passed: pytest\n3 in 0.52s", "passed: pytest\n3 in 12.1s", "run_check", id="a-checks-words"),
        pytest.param("passed: x in 0.5 s", "passed: x in 1 s", "check_pytest", id="seconds-in-the-first-line"),
    ],
)
def test_the_same_answer(was: str, now: str, name: str) -> None:
    assert compare(recorded(tool_calls=[call(was, name=name)]), finished(now, name=name)) == (None, 1, "")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        pytest.param(call("a\nb\nc"), finished("a\nB\nc"), ("b", "B"), id="a-line"),
        pytest.param(call("a"), finished("a\nb"), ("", "b"), id="a-line-more"),
        pytest.param(call(""), finished("b"), ("", "b"), id="nothing-before"),
        pytest.param(call("a\nb"), finished("a"), ("b", ""), id="a-line-less"),
        pytest.param(call("a", status="failed"), finished("a"), ("failed: a", "executed: a"), id="status"),
        pytest.param(
            call("passed: x", name="run_check"),
            finished("failed: x", name="run_check"),
            ("passed: x", "failed: x"),
            id="a-checks-outcome",
        ),
        pytest.param(call("x" * 999), finished("x" * 300 + "y"), ("x" * 300, "x" * 300), id="far-behind"),
        pytest.param(call("a\ud800"), finished("b"), ("a\\ud800", "b"), id="half-a-pair"),
    ],
)
def test_another_answer(was: Any, now: Any, said: tuple[str, str]) -> None:
    difference, same, _ = compare(recorded(tool_calls=[call("z"), was]), finished("z"), now)
    assert difference is not None
    assert ((difference.was, difference.now), same) == (said, 1)
    assert (difference.kind, difference.round, difference.tool) == ("call", 1, now.name)


def test_another_tool_is_another_answer() -> None:
    difference, _, _ = compare(recorded(tool_calls=[call("a", name="grep")]), finished("a"))
    assert difference is not None and "sha256 ca978112ca1b" in difference.now


@pytest.mark.parametrize(
    ("pack", "told", "before", "differs"),
    [
        pytest.param({"pack_id": "a1"}, (BUILT, BEGUN), None, False, id="the-same"),
        pytest.param(None, (BEGUN,), None, False, id="none"),
        pytest.param({"pack_id": "b2"}, (BUILT, BEGUN), None, True, id="another"),
        pytest.param({"pack_id": "a1"}, (BEGUN,), None, True, id="gone"),
        pytest.param({"pack_id": 1}, (BUILT, BEGUN), None, True, id="no-id"),
        pytest.param({"pack_id": "b2"}, (BUILT, BEGUN), 1, False, id="nobody-has-seen-it"),
        pytest.param({"pack_id": "b2"}, (BUILT, BEGUN), 2, True, id="seen-before-the-live-rounds"),
    ],
)
def test_the_context(pack: Any, told: tuple[Any, ...], before: int | None, differs: bool) -> None:
    difference, _, hint = compare(recorded(context_pack=pack), *told, before=before)
    assert (difference is not None and difference.kind == "context") is differs
    assert ("--from 1" in hint) is (differs and before is not None)


def test_what_no_reply_has_seen_may_differ() -> None:
    trace = recorded(tool_calls=[call("a"), call("b", round=2)])
    now = (finished("a"), finished("other", 2))
    assert compare(trace, *now, before=3) == (None, 1, "")
    difference, _, hint = compare(trace, *now, before=4)
    assert difference is not None and "`--from 3` asks it" in hint


def test_more_calls_than_recorded_and_other_events() -> None:
    other = events.RoundFinished(1, "stop", "p", "m", "", (), Usage(), False, 0.0, 1)
    assert compare(recorded(rounds=[part(1)]), other, events.RoundStarted(2, 2, 2), finished("a")) == (None, 0, "")
