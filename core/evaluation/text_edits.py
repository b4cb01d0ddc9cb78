"""Turns a pair of texts into the exact edits that lead from one to the other, as a careful model would send them.

Each edit is what `edit_file` takes: its old text stands in the file exactly once at the time of the edit, and the file
can be parsed after it. Whether the tool would take it is asked of the tool's own function, so that a list that is given
here lands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from orefactor.sandbox.errors import Refused

from ..code.edits import Edit, replace_once
from ..code.line_diff import Hunk, hunks
from ..code.text import decode, shown

_GAPS = (2, 8, 40, 200, 1000)
"""Equal lines up to which two differences become one edit: the first number that leaves few enough edits."""
_MOST_EDITS = 200
_CONTEXTS = (0, 1, 2, 3, 5, 8, 13, 21, 55, 200)
"""Lines above and below that make an edit's old text unique, tried in this order."""


class NoEdits(ValueError):
    """No exact edits lead from the one to the other, such as where only line ends differ."""


def edits_between(before: bytes, after: bytes, path: str, *, context: int = 0) -> tuple[Edit, ...]:
    """The edits that lead from one content of a file to another, from its top to its end.

    Args:
        before: the file's bytes.
        after: the bytes that it is to have; none where they are the same.
        path: the file's path; its ending says the language.
        context: equal lines that every edit shows above and below at least.

    Returns:
        Edits that `replace_once` carries out one after the other; few rather than short ones where differences lie
        close together, or where the file couldn't be parsed between two of them.

    Raises:
        NoEdits: there are none that give exactly these bytes.
    """
    if before == after:
        return ()
    try:
        old, new = _lines(before, path), _lines(after, path)
        parts = _parts(old, new)
        editing = _Editing(before, path, old, new, context)
        edits = editing.edits(parts)
        return edits if editing.data == after else _none(path)
    except Refused as error:
        raise NoEdits(str(error)) from error


def changed_lines(before: bytes, after: bytes, path: str) -> tuple[range, ...]:
    """The lines of the old text that edits will touch, counted from 0; an insertion's are those around it.

    Raises:
        NoEdits: one of them is no text.
    """
    try:
        parts = _parts(_lines(before, path), _lines(after, path))
    except Refused as error:
        raise NoEdits(str(error)) from error
    return tuple(range(part.old.start, part.old.stop) for part in parts)


def _none(path: str) -> tuple[Edit, ...]:
    raise NoEdits(f"no exact edits give the wanted bytes of '{path}'")


def _lines(data: bytes, path: str) -> list[str]:
    *whole, last = shown(decode(data, path).text).split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _parts(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    found = hunks(old, new)
    grouped = (_grouped(found, gap) for gap in _GAPS)
    few = next((parts for parts in grouped if len(parts) <= _MOST_EDITS), None)
    return few if few is not None else [_joined(found)]


def _grouped(found: Sequence[Hunk], gap: int) -> list[Hunk]:
    breaks = [place for place, (a, b) in enumerate(pairwise(found), 1) if b.old.start - a.old.stop > gap]
    return [_joined(found[start:stop]) for start, stop in pairwise([0, *breaks, len(found)]) if start < stop]


def _joined(parts: Sequence[Hunk]) -> Hunk:
    first, last = parts[0], parts[-1]
    return Hunk(range(first.old.start, last.old.stop), range(first.new.start, last.new.stop))


class _Editing:
    """One file on its way from its old lines to its new ones: new above the place that was reached, old below."""

    def __init__(self, data: bytes, path: str, old: Sequence[str], new: Sequence[str], context: int) -> None:
        self.data = data
        self._path = path
        self._old = old
        self._new = new
        self._contexts = [context, *(each for each in _CONTEXTS if each > context)]

    def edits(self, parts: Sequence[Hunk]) -> tuple[Edit, ...]:
        """The edits of the parts, some of them joined.

        Raises:
            NoEdits: not even one edit for all that is left is taken.
        """
        edits: list[Edit] = []
        waiting: list[Hunk] = []
        for part in parts:
            waiting.append(part)
            edit = self._edit(_joined(waiting))
            if edit is not None:
                edits.append(edit)
                waiting = []
        return tuple(edits) if not waiting else _none(self._path)

    def _edit(self, part: Hunk) -> Edit | None:
        """The shortest edit that is taken; None where none is."""
        text = "".join(self._new[: part.new.start]) + "".join(self._old[part.old.start :])
        for context in self._contexts:
            edit = self._shown(part, context)
            if not edit.old or _is_ambiguous(text, edit.old):
                continue
            try:
                self.data = replace_once(self.data, self._path, edit.old, edit.new)
            except Refused:
                if context >= self._contexts[0] + 3:
                    return None
                continue
            return edit
        return None

    def _shown(self, part: Hunk, context: int) -> Edit:
        above = "".join(self._new[max(0, part.new.start - context) : part.new.start])
        below = "".join(self._old[part.old.stop : part.old.stop + context])
        old = above + "".join(self._old[i] for i in part.old) + below
        new = above + "".join(self._new[j] for j in part.new) + below
        # As models send them: without the last line end, where both have one.
        if old.endswith("\n") and new.endswith("\n") and old != "\n" and new != "\n":
            old, new = old[:-1], new[:-1]
        return Edit(old, new)


def _is_ambiguous(text: str, old: str) -> bool:
    first = text.find(old)
    return first >= 0 and text.find(old, first + 1) >= 0
