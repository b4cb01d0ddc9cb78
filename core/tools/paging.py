"""Cuts long results on line and character boundaries, and says how to go on."""

from __future__ import annotations

from collections.abc import Sequence

from ..result_limits import RESULT_LIMIT

_NOTE_ROOM = 160
"""Bytes kept free for the note at the end."""


def note(text: str) -> str:
    """A line that the harness added, told apart from file content by its form."""
    return f"[orefactor: {text}]"


def fitting_lines(lines: Sequence[str], limit: int) -> int:
    """How many of the lines, line ends included, fit into `limit` bytes together with a note."""
    room = limit - _NOTE_ROOM
    for count, line in enumerate(lines):
        room -= len(line.encode("utf-8", "surrogatepass"))
        if room < 0:
            return count
    return len(lines)


def cut_text(text: str, limit: int) -> str:
    """The longest start of the text that fits into `limit` bytes, cut between characters."""
    data = text.encode("utf-8", "surrogatepass")
    return text if len(data) <= limit else data[:limit].decode("utf-8", "ignore")


def cap(text: str, limit: int, advice: str) -> str:
    """The text itself, or its start with a note that says how much is missing and what to do.

    Args:
        limit: bytes of the whole answer.
        advice: how to see the rest.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size <= limit:
        return text
    shown = cut_text(text, limit - _NOTE_ROOM)
    return f"{shown}\n{note(f'cut after {len(shown.encode())} of {size} bytes; {advice}')}"


def page(lines: Sequence[str], offset: int, limit: int = RESULT_LIMIT) -> str:
    """Lines from `offset` (counted from 0) as far as they fit, with a note on how to go on."""
    rest = [line + "\n" for line in lines[offset:]]
    if not rest:
        return note(f"there are only {len(lines)} entries, counted from 0")
    if sum(len(line.encode("utf-8", "surrogatepass")) for line in rest) <= limit:
        return "".join(rest).rstrip("\n")
    count = max(1, fitting_lines(rest, limit))
    shown = cut_text("".join(rest[:count]), limit - _NOTE_ROOM)
    following = offset + count
    return shown + note(f"entries {offset}-{following - 1} of {len(lines)} shown; go on with offset={following}")
