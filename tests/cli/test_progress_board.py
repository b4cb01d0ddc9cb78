"""What the rows of the live view say, event by event, and in however many columns."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from orefactor.cli.progress.board import HEIGHT, Board
from orefactor.core import events
from orefactor.core.messages import Usage

_SETTINGS = {"max_iterations": 25, "checks": ["py_compile", "ruff"]}
_STARTED = events.RunStarted("20260101T000000-abcdef", "add docs", (), _SETTINGS, "1")
_ROUND = events.RoundFinished(3, "stop", "p", "m", "", (), Usage(3000, 0, 100, 1), False, 0.002, 1234)
_CALL = events.CallFinished(1, "1", "read_file", {"path": "x.py"}, "executed", 5, "text", "0")


def _check(name: str, outcome: str) -> events.CheckFinished:
    return events.CheckFinished(name, True, "final", outcome, 0, 0, "", 5, True)


def _rows(board: Board, now: float = 1.0, width: int = 59) -> list[str]:
    return [row.text for row in board.rows(now, width)]


BOARDS: list[tuple[Sequence[events.Event], float, list[str]]] = [
    ([], 0.0, ["⠋ starting", "  ", "  no checks", "  0 s, 0 round(s), 0 call(s)"]),
    (
        [_STARTED, events.BaseTaken("HEAD", "c", "t", "h")],
        70.0,
        [
            "⠋ looking at the repository, 1 min 10 s",
            "  ",
            "  py_compile waiting, ruff waiting",
            "  1 min 10 s, 0 round(s), 0 call(s)",
        ],
    ),
    (
        [_STARTED, events.RoundStarted(3, 2, 100), events.TextArrived(3, "abc"), events.TextArrived(3, "defg")],
        1.0,
        [
            "⠇ round 3/25: the model writes (7 characters)",
            "  ",
            "  py_compile waiting, ruff waiting",
            "  1 s, 0 round(s), 0 call(s)",
        ],
    ),
    (
        [events.RoundStarted(3, 2, 100), events.ReasoningArrived(3, "abc")],
        0.0,
        ["⠋ round 3: the model thinks (3 characters)"],
    ),
    ([events.RetryScheduled(1, 2, 6, "k", "m", 4.2)], 0.0, ["⠋ waiting 4 s before the next attempt"]),
    (
        [
            events.RoundStarted(3, 2, 100),
            _ROUND,
            events.CallStarted(3, "1", "edit_file", {"path": "a\x1b[2J\u202e.py"}),
            _CALL,
        ],
        1.0,
        [
            "⠇ round 3: working",
            r"  edit a\x1b[2J\u202e.py",
            "  no checks",
            "  1 s, 1 round(s), 1 call(s), 3.1k tokens, $0.0020",
        ],
    ),
    (
        [
            events.ChecksStarted(("a", "b", "c")),
            _check("a", "passed"),
            events.CheckEnded("b", "not_installed"),
            _check("z", "failed"),
        ],
        0.0,
        ["⠋ checking the change", "  ", "  a passed, b failed, c running"],
    ),
    (
        [
            events.RunStarted("r", "t", (), {"checks": [f"own-check-{number}" for number in range(9)]}, "1"),
            events.ChecksStarted(tuple(f"own-check-{number}" for number in range(9))),
            _check("own-check-0", "failed"),
            _check("own-check-1", "passed"),
        ],
        0.0,
        ["⠋ checking the change", "  ", "  checks: 1 failed, 7 running, 1 passed"],
    ),
    ([events.SpareHunksFound(())], 0.0, ["⠋ looking for what nothing needs"]),
    ([events.OutcomeReached("s", "r", 0, True, "", "", (), None, "", "")], 0.0, ["⠋ closing the run"]),
    (
        [events.RunStarted("r", "t", (), {"max_iterations": None, "checks": None}, "1")],
        0.0,
        ["⠋ starting", "  ", "  no checks"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("happened", "now", "rows"), BOARDS)
def test_the_rows_say_where_the_run_is(happened: Sequence[events.Event], now: float, rows: list[str]) -> None:
    board = Board(0.0, 0.0)
    for event in happened:
        board.listen(event, 0.0)
    assert len(_rows(board, now)) == HEIGHT
    assert _rows(board, now)[: len(rows)] == rows


def test_the_spinner_turns_and_has_a_form_in_ascii() -> None:
    board = Board(0.0, 0.0)
    assert len({_rows(board, turn / 8)[0][0] for turn in range(10)}) == 10
    assert {board.rows(turn / 8, 59, ascii_only=True)[0].text[0] for turn in range(9)} == set("|/-\\")
