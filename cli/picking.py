"""Asks hunk by hunk what to take of a run's change: shows each on standard error and reads a key and a line end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from orefactor.sandbox.repository import ask_git

from .hunk_view import ViewLine, file_lines, made_by, piece_lines
from .pick_dialogue import KEYS, Dialogue, new_dialogue

if TYPE_CHECKING:
    from orefactor.core.hunk_pieces import Piece
    from orefactor.core.patch_hunks import PatchFile
    from orefactor.core.reporting import ReportedRun

_COLOURS = {
    "prompt": ("color.interactive.prompt", "bold blue"),
    "help": ("color.interactive.help", "bold red"),
    "meta": ("color.diff.meta", "bold"),
    "frag": ("color.diff.frag", "cyan"),
    "old": ("color.diff.old", "red"),
    "new": ("color.diff.new", "green"),
    "faint": ("", "dim"),
}
_RESET = "\x1b[m"


def can_ask() -> bool:
    """Whether a person can be asked: what is shown and what is typed are on a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def pick(run: ReportedRun, pieces: Sequence[Piece], place: Path) -> tuple[Piece, ...]:
    """Ask for each hunk; the pieces that shall be taken.

    Args:
        run: tells which call made which hunk.
        place: the folder whose configuration names the colours.
    """
    dialogue, screen = new_dialogue(pieces), _Screen(_codes(place))
    files = {hunk.number: file for file in run.files for hunk in file.hunks}
    above: tuple[str, ...] = ()
    while not dialogue.ended:
        numbers = dialogue.item.pieces[0].numbers
        around = [files[number] for number in numbers]
        paths = tuple(file.path for file in around)
        screen.write(_shown(run, dialogue, around if paths != above else ()))
        above = paths
        _ask(dialogue, screen)
    return dialogue.taken


def _shown(run: ReportedRun, dialogue: Dialogue, files: Sequence[PatchFile]) -> Iterator[ViewLine]:
    item = dialogue.item
    yield from file_lines(files)
    made = made_by(run, item.pieces[0].numbers)
    said = {None: "", True: " (taken)", False: " (left)"}[item.taken]
    yield ViewLine(f"hunk {item.label}{said}{f', {made}' if made else ''}", "faint")
    yield from piece_lines(item.pieces)


def _ask(dialogue: Dialogue, screen: _Screen) -> None:
    """Ask until a key has changed something."""
    while True:
        keys = dialogue.offered()
        place = f"({dialogue.at + 1}/{len(dialogue.items)})"
        screen.prompt(f"{place} take {_what(dialogue)} [{','.join(keys)}]? ")
        # Bytes, since a terminal may send what is no text.
        line = sys.stdin.buffer.readline()
        if not line:
            # The end of input, as Ctrl-D gives it, leaves the question's line open.
            screen.write([ViewLine("")])
        key = line.decode("utf-8", "replace").strip()[:1] if line else "q"
        key = key if key in keys else key.lower()
        if key == "p":
            screen.write(piece_lines(dialogue.item.pieces, is_cut=False))
        elif key in keys and key != "?":
            dialogue.press(key)
            return
        elif key:
            screen.write(ViewLine(f"{known} - {KEYS[known]}", "help") for known in keys)


def _what(dialogue: Dialogue) -> str:
    first, *others = dialogue.item.pieces[0].hunks
    if others:
        return "this change of a file's kind"
    return "this file's change" if first.is_whole else "this hunk"


@dataclass(frozen=True, slots=True)
class _Screen:
    """Writes to standard error. `codes`: the colours by style; none where none are wanted."""

    codes: Mapping[str, str]

    def write(self, lines: Iterable[ViewLine]) -> None:
        """Whole lines."""
        sys.stderr.write("".join(f"{self._painted(line.text, line.style)}\n" for line in lines))

    def prompt(self, text: str) -> None:
        """A question, behind which the answer is typed."""
        sys.stderr.write(self._painted(text, "prompt"))
        sys.stderr.flush()

    def _painted(self, text: str, style: str) -> str:
        code = self.codes.get(style, "")
        return f"{code}{text}{_RESET}" if code and text else text


def _codes(place: Path) -> dict[str, str]:
    """The person's own colours, as git knows them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in (None, "", "dumb"):
        return {}
    if ask_git(place, "config", "--get-colorbool", "color.interactive", "true").stdout.strip() != b"true":
        return {}
    return {
        style: ask_git(place, "config", "--get-color", key, default).stdout.decode("ascii", "replace")
        for style, (key, default) in _COLOURS.items()
    }
