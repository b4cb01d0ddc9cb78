r"""`bytes`: what wasn't asked for stays the same to the byte.

Mode, type, byte order mark and encoding stay; a line that stays keeps its own end, and a new one takes the end that
its neighbours or most lines have; a missing last line break stays missing. Where the edits are known that the tools
carried out, they are carried out once more on the text alone, and must give the result: nothing else changed.

The tools work so already (`core/code/edits.py`); this proves it of the result, by another way than theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from orefactor.sandbox.errors import Refused

from ..code.edits import Edit
from ..code.text import SourceText, decode
from ..gate import GuardResult
from .change import FileChange
from .edits_replayed import unasked
from .faults import Fault, verdict
from .line_ends_kept import end_faults
from .sides import is_regular


def judge(changes: Sequence[FileChange], requested: Mapping[str, Sequence[Edit]] | None = None) -> GuardResult:
    """Name the first byte-level change that nobody asked for.

    Args:
        requested: the edits of each path in the order in which they were carried out; those of a renamed file
            may stand under either name. None where they aren't known: then only form is judged.
    """
    faults = [fault for change in changes for fault in _faults(change, requested)]
    return verdict("bytes", faults, f"{len(changes)} changed path(s), form kept")


def _faults(change: FileChange, requested: Mapping[str, Sequence[Edit]] | None) -> Iterator[Fault]:
    path = change.path
    if change.after is None:
        return
    if change.before is None:
        if not is_regular(change.new_mode):
            yield Fault(path, 0, f"a new file of git's mode {change.new_mode} is no regular file")
        elif requested is not None:
            yield from unasked(path, "", _text_or_none(change.after, path), requested.get(path, ()))
        return
    if change.old_mode != change.new_mode:
        yield Fault(path, 0, f"the mode {change.old_mode} became {change.new_mode}")
    if change.before != change.after and is_regular(change.old_mode) and is_regular(change.new_mode):
        yield from _content_faults(change, change.before, change.after, requested)
    elif change.before != change.after and change.old_mode == change.new_mode:
        yield Fault(path, 0, "the target of a link or submodule changed")


def _content_faults(
    change: FileChange, before: bytes, after: bytes, requested: Mapping[str, Sequence[Edit]] | None
) -> Iterator[Fault]:
    path, old_path = change.path, change.old_path or change.path
    try:
        old = decode(before, old_path)
    except Refused:
        yield Fault(path, 0, "a file that is no readable text changed")
        return
    try:
        new = decode(after, path)
    except Refused:
        yield Fault(path, 0, f"it can't be read as text any more (it was {old.encoding})")
        return
    yield from _encoding_faults(path, old, new)
    yield from end_faults(path, old.text, new.text, judge_last=requested is None)
    if requested is not None:
        edits = [*requested.get(old_path, ()), *(requested.get(path, ()) if path != old_path else ())]
        yield from unasked(path, old.text, new.text, edits)


def _encoding_faults(path: str, old: SourceText, new: SourceText) -> Iterator[Fault]:
    if old.bom != new.bom:
        lost = "the byte order mark is gone" if old.bom and not new.bom else "another byte order mark stands there"
        yield Fault(path, 1, lost)
    elif old.encoding != new.encoding and not (old.text.isascii() and new.text.isascii()):
        # Plain ASCII is the same in every encoding that a source can declare.
        yield Fault(path, 1, f"the encoding {old.encoding} became {new.encoding}")


def _text_or_none(data: bytes, path: str) -> str | None:
    try:
        return decode(data, path).text
    except Refused:
        return None
