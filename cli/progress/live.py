"""Progress in a terminal: lines that stay, and below them a few rows that say what is going on and for how long.

One thread draws, at most so often a second, everything that has come since; so however fast events come, the terminal
is written to at a steady pace, in one piece each time, and only what changed is taken away before it is drawn anew.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from orefactor.core import events
from orefactor.sandbox.shield import shield

from .board import Board, Row
from .lines import Told
from .plain import PlainProgress
from .suspension import Suspension

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

_PAUSE = 0.125
"""Seconds between two drawings."""
_INDENT = 6
_MOST_ROWS = 3
"""Of a line that says why something failed; any other takes one."""


class LiveProgress(PlainProgress):
    """Draws on the terminal that standard error is, from the first event on until it is closed."""

    def __init__(self, console: Console, *, reasoning: bool = False) -> None:
        """Begin. `reasoning`: whether to show what a reasoning model thinks."""
        super().__init__(reasoning=reasoning)
        now = time.monotonic()
        self._console = console
        self._board = Board(now, now)
        self._new: list[Text] = []
        self._drawn: tuple[int, list[int]] = (0, [])
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._live: Live | None = None
        self._suspension: Suspension | None = None
        self._drawing = threading.Thread(target=self._draw_on, daemon=True)

    def listen(self, event: events.Event) -> None:
        """Take one event; it is drawn a little later."""
        with self._lock:
            # Not earlier: whoever made this must have come so far that it will be closed, whatever happens.
            if self._suspension is None:
                self._start()
            super().listen(event)
            self._board.listen(event, time.monotonic())
            if self._shows_reasoning:
                # The log writes among these lines, at once.
                self._draw()

    def write(self, told: Told) -> None:
        """Keep what is said of an event for the next drawing."""
        most = _MOST_ROWS if told.failed else 1
        self._new.append(self._fitted(told.line, _style(told), most, is_call=told.is_call))
        self._new += [self._fitted(line, "dim") for line in told.more]

    def think(self, thought: str) -> None:
        """Keep a line of reasoning, dimmed, for the next drawing."""
        from rich.text import Text

        self._new.append(Text(f"  {thought}", style="dim italic"))

    def close(self) -> None:
        """Take the rows away and leave the lines; the cursor is seen again."""
        self._closed.set()
        # A signal may have come in the middle of the start.
        if self._drawing.ident is not None:
            self._drawing.join()
        if self._suspension is not None:
            self._suspension.close()
        self._leave_terminal()

    def _start(self) -> None:
        self._take_terminal()
        self._suspension = Suspension(self._leave_terminal, self._take_terminal)
        self._drawing.start()

    def _take_terminal(self) -> None:
        from rich.live import Live

        # A signal in the middle would leave half of it done, and the terminal so.
        with shield(), self._lock:
            # Standard output stays the result's; what else writes to standard error goes above the rows.
            self._live = Live(
                self._rows(), console=self._console, auto_refresh=False, transient=True, redirect_stdout=False
            )
            self._live.start(refresh=True)

    def _leave_terminal(self) -> None:
        with shield(), self._lock, suppress(OSError):
            live, self._live = self._live, None
            try:
                self._print_new()
            finally:
                if live is not None:
                    live.stop()

    def _draw_on(self) -> None:
        # A terminal that has gone ends the drawing and not the run; who took it sends a signal for that.
        with suppress(OSError):
            while not self._closed.wait(_PAUSE):
                with self._lock:
                    self._draw()

    def _draw(self) -> None:
        if self._live is None or not _is_in_foreground(self._console):
            return
        self._take_wrapped_away()
        self._live.update(self._rows())
        if not self._print_new():
            self._live.refresh()

    def _print_new(self) -> bool:
        """Print the new lines above the rows, which are drawn anew with them."""
        new, self._new = self._new, []
        if new:
            self._console.print(*new, sep="\n", soft_wrap=True)
        return bool(new)

    def _rows(self) -> Group:
        """The rows as they are now."""
        from rich.console import Group

        width = max(self._console.width - 1, 20)
        ascii_only = not self._console.encoding.startswith("utf")
        rows = self._board.rows(time.monotonic(), width, ascii_only=ascii_only)
        drawn = [_across(row, width) for row in rows[: max(self._console.height - 1, 1)]]
        self._drawn = (self._console.width, [text.cell_len for text in drawn])
        return Group(*drawn)

    def _take_wrapped_away(self) -> None:
        """Where the terminal has become narrower, it wrapped the rows, and they are more than were drawn."""
        from rich.control import Control
        from rich.segment import ControlType

        width, lengths = self._drawn
        now = self._console.width
        if now >= width:
            return
        more = sum(max(-(-length // now) - 1, 0) for length in lengths)
        self._console.control(*[Control((ControlType.ERASE_IN_LINE, 2), (ControlType.CURSOR_UP, 1))] * more)

    def _fitted(self, line: str, style: str, most: int = 1, *, is_call: bool = False) -> Text:
        """A line in at most so many rows of the terminal as it is now."""
        from rich.text import Text

        width = max(self._console.width - 1, 20)
        text = Text(line, style=style)
        if text.cell_len <= width:
            return text
        if most == 1:
            return _cut(Text(_shortened_call(line, width) if is_call else line, style=style), width)
        rows = list(text.wrap(self._console, width - _INDENT))
        if len(rows) > most:
            rows[most - 1 :] = [Text(" ").join(_cut(row, width) for row in rows[most - 1 :])]
        return Text("\n" + " " * _INDENT).join(_cut(row, width - _INDENT) for row in rows)


def _shortened_call(line: str, width: int) -> str:
    """Mark, verb and the end: a name and its lines tell more than the folders before them."""
    head = line[: line.find(" ", len("  ✓ ")) + 1]
    return f"{head}…{line[len(head) + 1 - width :]}"


def _cut(text: Text, width: int) -> Text:
    text.rstrip()
    text.truncate(width, overflow="ellipsis")
    return text


def _style(told: Told) -> str:
    if told.failed:
        return "red"
    return "bold" if told.line.startswith("run ") else "dim" if told.line.startswith("round ") else ""


def _across(row: Row, width: int) -> Text:
    from rich.text import Text

    text = Text(row.text, style=row.style, no_wrap=True)
    text.truncate(width, overflow="ellipsis")
    return text


def _is_in_foreground(console: Console) -> bool:
    """Whether the terminal is ours to draw on, and not the shell's or another job's."""
    try:
        return os.tcgetpgrp(console.file.fileno()) == os.getpgrp()
    except OSError:
        return True
