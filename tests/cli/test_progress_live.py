"""The live view on a recorded console: what stays, what is drawn below it, and how much is written."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from orefactor.cli.progress.live import LiveProgress
from orefactor.core import events
from orefactor.core.messages import Usage

_SETTINGS = {"max_iterations": 25, "checks": ["py_compile", "ruff"]}
_STARTED = events.RunStarted("20260101T000000-abcdef", "add docs", (), _SETTINGS, "1")
_ROUND = events.RoundFinished(3, "stop", "p", "m", "", (), Usage(3000, 0, 100, 1), False, 0.002, 1234)
_LONG = "src/a/very/long/path/that/does/not/fit/on/a/narrow/terminal/module_with_a_name.py"


def _call(status: Any = "executed", summary: str = "text", path: str = _LONG) -> events.CallFinished:
    arguments = {"path": path, "start_line": 10, "end_line": 20}
    return events.CallFinished(1, "1", "read_file", arguments, status, 5, summary, "0")


class Recorded:
    """A terminal that remembers what was written to it, piece by piece."""

    def __init__(self, width: int = 60, height: int = 20, encoding: str = "utf-8") -> None:
        self.pieces: list[str] = []
        raw = self

        class Stream(io.StringIO):
            def write(self, text: str) -> int:
                raw.pieces.append(text)
                return len(text)

            @property
            def encoding(self) -> str:  # type: ignore[override]  # a plain attribute there
                return encoding

        environment = {"TERM": "xterm"}
        self.console = Console(
            file=Stream(), force_terminal=True, width=width, height=height, highlight=False, _environ=environment
        )

    @property
    def shown(self) -> str:
        return "".join(self.pieces)

    def wait_for(self, text: str) -> None:
        """Wait until the drawing thread has come so far."""
        end = time.monotonic() + 30
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            time.sleep(0.005)

    def lines(self) -> list[str]:
        """What is left on the screen, by playing what was written."""
        screen, row = [""], 0
        for piece in re.findall(r"\x1b\[\??[0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", self.shown):
            if piece == "\n":
                row += 1
                screen += [""] * (row + 1 - len(screen))
            elif piece == "\x1b[1A":
                row -= 1
            elif piece == "\x1b[2K":
                screen[row] = ""
            elif not piece.startswith("\x1b") and piece != "\r":
                screen[row] += piece
        return [line.rstrip() for line in screen if line.strip()]


def _told(screen: Recorded, *happened: events.Event, until: Callable[[Recorded], None] | None = None) -> list[str]:
    progress = LiveProgress(screen.console)
    for event in happened:
        progress.listen(event)
    if until is not None:
        until(screen)
    progress.close()
    return screen.lines()


def test_lines_stay_and_rows_go_in_a_narrow_terminal() -> None:
    why = "ERROR: old_string is not in the file; " + "the nearest place is line 12, which has more spaces " * 5
    screen = Recorded(width=60)
    failed = _call("failed", why, "src/x.py")
    left = _told(screen, _STARTED, _call(), failed, until=lambda screen: screen.wait_for("1 s, 0 round"))
    assert left == [
        "run 20260101T000000-abcdef: add docs",
        "  ✓ read …/on/a/narrow/terminal/module_with_a_name.py:10-20",
        *left[2:],
    ]
    assert len(left) == 5
    assert left[2].startswith("  ✗ read src/x.py:10-20: old_string")
    assert left[4].endswith("…")
    assert max(map(len, left)) < 60
    assert "py_compile waiting, ruff waiting" in screen.shown
    assert screen.shown.count("\x1b[?25l") == screen.shown.count("\x1b[?25h") == 1
    assert screen.shown.rindex("\x1b[?25h") > screen.shown.rindex("call(s)")


@pytest.mark.parametrize(
    ("event", "style"),
    [
        (_call("failed", "ERROR: no", "x.py"), "31"),
        (_STARTED, "1"),
        (_ROUND, "2"),
        (events.CheckFinished("ruff", True, "final", "failed", 1, 0, "x.py:1: F401", 5, True), "31"),
    ],
    ids=["failed", "run", "round", "check"],
)
def test_styles(event: events.Event, style: str) -> None:
    screen = Recorded()
    _told(screen, event)
    assert f"\x1b[{style}m" in screen.shown


def test_hostile_text_is_spelled_out() -> None:
    evil = "\x1b[2J\x1b]0;x\x07\u202e\x9b1m\r\udcff"
    screen = Recorded(width=200)
    left = _told(
        screen,
        events.RunStarted("r", evil, (), {"checks": []}, "1"),
        _call("failed", evil, evil),
        events.CallStarted(1, "1", "x" + evil, {"path": evil}),
    )
    assert r"\x1b[2J\x1b]0;x\x07\u202e\x9b1m" in left[0]
    assert not re.search(r"\x1b\[2J|\x1b\]|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202e\udcff]", screen.shown)


def test_however_fast_events_come_little_is_written_and_nothing_is_cleared() -> None:
    screen = Recorded()
    begun = time.monotonic()
    left = _told(screen, _STARTED, *[_call(path=f"{number}.py") for number in range(2000)])
    drawings = len([piece for piece in screen.pieces if "call(s)" in piece])
    # One at the start, one at the end, and eight a second between.
    assert drawings <= 4 + 8 * (time.monotonic() - begun)
    assert len(left) == 2001
    assert "\x1b[2J" not in screen.shown
    assert "\x1b[H" not in screen.shown
    assert "\x1b[?1049" not in screen.shown


def test_a_terminal_that_got_narrower_is_tidied() -> None:
    screen = Recorded(width=100)
    progress = LiveProgress(screen.console)
    progress.listen(_STARTED)
    progress.listen(events.CallStarted(1, "1", "read_file", {"path": "x" * 70}))
    screen.wait_for("x" * 50)
    before = len(screen.pieces)
    screen.console.width = 40
    end = time.monotonic() + 30
    # One row had wrapped; it is taken away before the four are drawn anew.
    while "\x1b[2K\x1b[1A\r\x1b[2K\x1b[1A" not in "".join(screen.pieces[before:]):
        assert time.monotonic() < end
        time.sleep(0.005)
    progress.close()


def test_a_flat_terminal_gets_fewer_rows() -> None:
    screen = Recorded(height=2)
    _told(screen, _STARTED)
    assert "no checks" not in screen.shown
    assert "waiting" not in screen.shown


def test_reasoning_is_dimmed_and_at_once() -> None:
    screen = Recorded()
    progress = LiveProgress(screen.console, reasoning=True)
    progress.listen(events.ReasoningArrived(1, "I look\nat it"))
    assert "\x1b[2;3m  I look\x1b[0m" in screen.shown
    progress.close()


def test_one_that_was_never_used_writes_nothing() -> None:
    screen = Recorded()
    LiveProgress(screen.console).close()
    assert screen.pieces == []


def test_a_terminal_that_has_gone_is_no_error() -> None:
    screen = Recorded()
    progress = LiveProgress(screen.console)
    progress.listen(_STARTED)

    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    screen.console.file = Gone()
    progress.listen(_call())
    progress.close()


def test_ascii_only() -> None:
    screen = Recorded(encoding="iso-8859-1")
    _told(screen, _STARTED, until=lambda screen: screen.wait_for("starting"))
    assert "⠋" not in screen.shown
