"""Each event's line for people, as plain lines."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from orefactor.cli.progress import NoProgress, make_progress
from orefactor.cli.progress.lines import folded
from orefactor.cli.progress.plain import PlainProgress
from orefactor.core import events
from orefactor.core.messages import Usage

Capture = pytest.CaptureFixture[str]


def _finished(**values: Any) -> events.CallFinished:
    base = events.CallFinished(1, "1", "read_file", {"path": "x.py"}, "executed", 5, "text", "0")
    return dataclasses.replace(base, **values)


def _edited(summary: str, name: str = "edit_file") -> events.CallFinished:
    return _finished(name=name, summary=summary)


def _round(**values: Any) -> events.RoundFinished:
    base = events.RoundFinished(2, "stop", "p", "m", "", (), Usage(), False, 0.0, 1234)
    return dataclasses.replace(base, **values)


_CALL = ("c", "read_file", "{}")
_RUN = "20260101T000000-abcdef"


def _check(**values: Any) -> events.CheckFinished:
    return dataclasses.replace(events.CheckFinished("ruff", True, "final", "passed", 0, 0, "", 5, True), **values)


LINES: list[tuple[events.Event, str | None]] = [
    (events.RunStarted(_RUN, "add\ndocs", (), {}, "1"), f"run {_RUN}: add docs"),
    (events.RunContinued(_RUN, 4), f"going on with run {_RUN} from round 4"),
    (
        events.BuildProductsCopied(("a.so",), 5, 2),
        "copied 1 build product(s) that git ignores for the checks, 2 left out",
    ),
    (events.BuildProductsCopied(("a.so",), 5, 0), "copied 1 build product(s) that git ignores for the checks"),
    (events.IsolationProbed("bwrap", None, ()), None),
    (events.IsolationProbed("none", "no\nbwrap", ()), "checks were not isolated: no bwrap"),
    (events.IsolationProbed("landlock", None, ()), "checks ran in landlock"),
    (events.ContextBuilt({}, {"items": [1, 2], "tokens": 4321}, 5), "context: 2 item(s), 4.3k tokens"),
    (events.ContextBuilt(None, None, 5, "too\nslow"), "  ! no context: too slow"),
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
    (_edited("edited x.py:12: 1 line(s) replaced by 3"), "  ✓ edit x.py:12 (1 → 3 lines)"),
    (_edited("edited x.py: 2 line(s) replaced by 2"), "  ✓ edit x.py (2 line(s))"),
    (_edited("edited x.py:9: more"), "  ✓ edit x.py"),
    (_edited("created x.py: 12 line(s)", "write_file"), "  ✓ write x.py (12 line(s))"),
    (_edited("is so", "write_file"), "  ✓ write x.py"),
    (events.ReplyRejected(1, "cut_for_length"), "  ✗ the reply was not acted on (cut for length); asked again"),
    (_check(), "  ✓ ruff passed"),
    (_check(outcome="failed", findings_new=2, findings_old=1), "  ✗ ruff failed (2 new, 1 old finding(s))"),
    (_check(outcome="not_run"), "  - ruff not run"),
    (_check(outcome="not_run", detail="no\nfile"), "  - ruff not run: no file"),
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


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may be run by a CI."""
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("event", "line"), LINES)
def test_each_event_has_one_line_or_none(capsys: Capture, event: events.Event, line: str | None) -> None:
    progress = PlainProgress()
    progress.listen(event)
    progress.close()
    assert capsys.readouterr() == ("", f"{line}\n" if line else "")


def test_what_a_failed_check_says_is_folded(capsys: Capture) -> None:
    said = "\n\n".join(f"x.py:{line}: F401 \x1b[2J" for line in range(1, 9))
    PlainProgress().listen(_check(outcome="failed", findings_new=8, detail=said))
    assert capsys.readouterr().err.splitlines() == [
        "  ✗ ruff failed (8 new finding(s))",
        *(rf"      x.py:{line}: F401 \x1b[2J" for line in (1, 2, 3)),
        "      … 5 more line(s): `git orefactor show --checks`",
    ]
    assert folded(["a", "b", "c", "d"], 3) == ("a", "b", "c", "d")


def test_tokens_are_summed(capsys: Capture) -> None:
    progress = PlainProgress()
    rounds: list[events.Event] = [_round(usage=Usage(90, 0, 10, 1))] * 3
    for event in (*rounds, events.ReuseTried(_RUN, "no"), _round(usage=Usage(5, 0, 2, 1))):
        progress.listen(event)
    said = [line.partition(", ")[2] for line in capsys.readouterr().err.splitlines() if line.startswith("round")]
    assert said == [f"{sum_of} tokens so far" for sum_of in (100, 200, 300, 7)]


def test_costs_are_summed_until_one_is_unknown(capsys: Capture) -> None:
    progress = PlainProgress()
    for cost in (1.5, 0.25, None, 1.0):
        progress.listen(_round(cost_usd=cost))
    said = [line.partition(", ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == ["$1.50", "$1.75", "", ""]


def test_reasoning_is_shown_line_by_line(capsys: Capture) -> None:
    progress = PlainProgress(reasoning=True)
    for piece in ("I lo", "ok\n\nat \x1b[2Jit", " and"):
        progress.listen(events.ReasoningArrived(1, piece))
    progress.listen(events.TextArrived(1, "Done"))
    progress.listen(events.ReasoningArrived(2, "again"))
    progress.listen(_round())
    assert capsys.readouterr().err.splitlines() == [
        "  I look", r"  at \x1b[2Jit and", "  again", "round 2: 0 call(s) in 1.2 s",
    ]  # fmt: skip


def test_nothing_with_quiet(capsys: Capture) -> None:
    progress = make_progress(quiet=True)
    assert isinstance(progress, NoProgress)
    progress.listen(_round())
    progress.close()
    assert capsys.readouterr() == ("", "")


def test_plain_lines_when_piped() -> None:
    assert type(make_progress(quiet=False)) is PlainProgress
