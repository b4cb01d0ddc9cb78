"""Each event's line for people; the live view is tried in a real terminal (`e2e`)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from orefactor.cli.progress import NoProgress, PlainProgress, make_progress
from orefactor.core import events
from orefactor.core.messages import Usage


def _finished(**values: Any) -> events.CallFinished:
    base = events.CallFinished(1, "1", "read_file", {"path": "x.py"}, "executed", 5, "text", "0")
    return dataclasses.replace(base, **values)


def _round(**values: Any) -> events.RoundFinished:
    base = events.RoundFinished(2, "stop", "p", "m", "", (), Usage(), False, 0.0, 1234)
    return dataclasses.replace(base, **values)


_CALL = ("c", "read_file", "{}")


def _check(**values: Any) -> events.CheckFinished:
    return dataclasses.replace(events.CheckFinished("ruff", True, "final", "passed", 0, 0, "", 5, True), **values)


LINES: list[tuple[events.Event, str | None]] = [
    (events.RunStarted("20260101T000000-abcdef", "add\ndocs", (), {}, "1"), "run 20260101T000000-abcdef: add docs"),
    (events.RoundStarted(1, 2, 100), None),
    (_round(), "round 2: 0 call(s) in 1.2 s"),
    (_round(usage=Usage(900, 0, 100, 1)), "round 2: 0 call(s) in 1.2 s, 1.0k tokens so far"),
    (_round(cost_usd=0.0123), "round 2: 0 call(s) in 1.2 s, $0.0123"),
    (_round(reply_calls=(_CALL,), written=True), "round 2: 1 call(s), written as text in 1.2 s"),
    (events.RetryScheduled(1, 2, 6, "rate_limited", "too\nmany", 1.25), "  ↻ too many; asking again in 1.2 s (2 of 6)"),
    (events.ProviderChanged(1, "a", "b", "m\x1b", "gone"), r"  → going on with b, model m\x1b: gone"),
    (events.ProtocolChanged(1, "text", "no tools"), "  → calls are written as text from now on: no tools"),
    (events.ReasoningArrived(1, "hmm\n"), None),
    (_round(reply_calls=(_CALL, _CALL), text="I look.\x1b[2J"), r"round 2: 2 call(s) in 1.2 s: I look.\x1b[2J"),
    (_round(text="An answer."), "round 2: 0 call(s) in 1.2 s"),
    (_finished(), "  ✓ read x.py"),
    (_finished(status="failed", summary="ERROR: no such file"), "  ✗ read x.py: no such file"),
    (_finished(status="refused", summary="ERROR: unknown"), "  ✗ read x.py: unknown"),
    (events.ReplyRejected(1, "cut_for_length"), "  ✗ the reply was not acted on (cut for length); asked again"),
    (_check(), "  ✓ ruff passed"),
    (_check(outcome="failed", findings_new=2, findings_old=1), "  ✗ ruff failed (2 new, 1 old finding(s))"),
    (_check(outcome="not_run"), "  - ruff not run"),
    (_check(outcome="not_installed"), "  ✗ ruff not installed"),
    (events.RepairAsked(1, "text"), "asked for repair 1"),
    (events.GuardJudged("scope", True, "fine"), None),
    (events.GuardJudged("size", False, "too\nmuch"), "  ✗ guard size: too much"),
    (events.ContractJudged(("any",), True, ""), None),
    (events.ContractJudged(("docstrings", "imports"), True, ""), "  ✓ contract docstrings,imports: kept"),
    (events.ContractJudged(("move",), False, "x.py:1: y"), "  ✗ contract move: x.py:1: y"),
    (
        events.SpareHunksFound((("x.py", 3, "f", "why"),)),
        "  ! 1 hunk(s) that nothing in the task names: x.py:3 (`--minimize`)",
    ),
    (
        events.SpareHunksFound((("x.py", 3, "f", "why"),) * 4),
        "  ! 4 hunk(s) that nothing in the task names: x.py:3, x.py:3, x.py:3, … (`--minimize`)",
    ),
    (events.ChangeMinimized((("x.py", 3),), 2, True), "  dropped 1 hunk(s) that nothing needs, in 2 trial(s)"),
    (
        events.UserStateCompared({"refs": "a", "index": "b"}, {"refs": "c", "index": "b"}, False),
        "  ! meanwhile somebody else changed what is yours: refs",
    ),
    (events.UserStateCompared({"refs": "a"}, {"refs": "a"}, True), None),
    (events.RunEnded(5), None),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_each_event_has_one_line_or_none(
    capsys: pytest.CaptureFixture[str], event: events.Event, line: str | None
) -> None:
    progress = PlainProgress()
    progress.listen(event)
    progress.close()
    assert capsys.readouterr() == ("", f"{line}\n" if line else "")


def test_tokens_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress()
    for _ in range(3):
        progress.listen(_round(usage=Usage(90, 0, 10, 1)))
    assert [line.partition(", ")[2] for line in capsys.readouterr().err.splitlines()] == [
        f"{sum_of} tokens so far" for sum_of in (100, 200, 300)
    ]


def test_costs_are_summed_until_one_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress()
    for cost in (1.5, 0.25, None, 1.0):
        progress.listen(_round(cost_usd=cost))
    said = [line.partition(", ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == ["$1.50", "$1.75", "", ""]


def test_reasoning_is_shown_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress(reasoning=True)
    for piece in ("I lo", "ok\n\nat \x1b[2Jit", " and"):
        progress.listen(events.ReasoningArrived(1, piece))
    progress.listen(events.TextArrived(1, "Done"))
    progress.listen(events.ReasoningArrived(2, "again"))
    progress.listen(_round())
    assert capsys.readouterr().err.splitlines() == [
        "  I look", r"  at \x1b[2Jit and", "  again", "round 2: 0 call(s) in 1.2 s",
    ]  # fmt: skip


def test_nothing_with_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    progress = make_progress(quiet=True)
    assert isinstance(progress, NoProgress)
    progress.listen(_round())
    progress.close()
    assert capsys.readouterr() == ("", "")


def test_plain_lines_when_piped() -> None:
    assert type(make_progress(quiet=False)) is PlainProgress
