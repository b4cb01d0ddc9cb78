"""Carries the model's edits out once more, on text alone, and tells what else changed.

Only contents are compared here; line ends and encoding are judged by others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..code.edits import Edit
from ..code.line_diff import hunks
from ..code.text import shown
from .faults import Fault


def unasked(path: str, before: str, after: str | None, edits: Sequence[Edit]) -> Iterator[Fault]:
    """The lines of the result that no edit accounts for.

    Args:
        before: the text before the first edit; empty for a new file.
        after: the text now; None where it can't be read.
        edits: in the order in which they were carried out.
    """
    if after is None:
        yield Fault(path, 0, "it can't be read as text")
        return
    expected = shown(before)
    for number, edit in enumerate(edits, 1):
        if edit.old is not None and expected.count(shown(edit.old)) != 1:
            yield Fault(path, 0, f"edit {number} of {len(edits)} doesn't fit what the edits before it gave")
            return
        new = shown(edit.new)
        expected = new if edit.old is None else expected.replace(shown(edit.old), new)
    wanted, found = _lines(expected), _lines(shown(after))
    for hunk in hunks(wanted, found):
        line = min(hunk.new.start + 1, len(found))
        yield Fault(path, line, f"line {line} changed although no edit asked for it")


def _lines(text: str) -> list[str]:
    # A byte order mark that was sent along is no content.
    return text.removeprefix("\ufeff").split("\n")
