"""The two sides of a change as text, and the lines that one has more of than the other.

Lines are compared as multisets over all files of the change, so that a line that only moved, within a file or to
another one, is neither added nor removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from orefactor.sandbox.errors import Refused

from ..code.text import PYTHON_SUFFIXES, decode, shown
from .change import FileChange
from .surplus import surplus


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a changed regular file."""

    path: str
    data: bytes

    @property
    def is_python(self) -> bool:
        """Whether its name says that it is Python."""
        return self.path.endswith(PYTHON_SUFFIXES)

    @property
    def text(self) -> str:
        r"""Its text with `\n` ends; what can't be decoded is read as Latin-1, which has a character for each byte."""
        try:
            return shown(decode(self.data, self.path).text)
        except Refused:
            return shown(self.data.decode("latin-1"))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file; `number` counts from 1."""

    path: str
    number: int
    text: str


def before(change: FileChange) -> Side | None:
    """What was there; None where nothing was, or no regular file."""
    if change.before is None or not is_regular(change.old_mode):
        return None
    return Side(change.old_path or change.path, change.before)


def after(change: FileChange) -> Side | None:
    """What is there now; None where nothing is, or no regular file."""
    if change.after is None or not is_regular(change.new_mode):
        return None
    return Side(change.path, change.after)


def is_regular(mode: str) -> bool:
    """Whether git's mode is that of a regular file; links and submodules hold no text."""
    return mode.startswith("100")


def line_changes(changes: Sequence[FileChange], key: Callable[[str], str] = str.strip) -> tuple[list[Line], list[Line]]:
    """The lines that only the new side has, and those that only the old one has, each in file order.

    Args:
        changes: files whose content is the same on both sides cost nothing.
        key: what two lines must share to be the same one; by default, all but the white space around them.
    """
    differing = [change for change in changes if change.before != change.after]
    old = [line for side in map(before, differing) if side for line in _lines(side)]
    new = [line for side in map(after, differing) if side for line in _lines(side)]
    return surplus(new, old, lambda line: key(line.text)), surplus(old, new, lambda line: key(line.text))


def _lines(side: Side) -> Iterable[Line]:
    return (Line(side.path, number, text) for number, text in enumerate(side.text.split("\n"), 1))
