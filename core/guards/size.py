"""`size`: the change stays below a generous limit of lines and bytes.

A change that is larger than anybody can read is most likely an accident: a rewritten data file, other line ends,
generated code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..code.line_diff import hunks
from ..gate import GuardResult
from .change import FileChange
from .faults import Fault, verdict


@dataclass(frozen=True, slots=True)
class Size:
    """What a change may amount to.

    Attributes:
        max_lines: added and removed lines of text files.
        max_bytes: bytes of those lines, and both contents of binary files that differ.
    """

    max_lines: int = 20_000
    max_bytes: int = 10_000_000


@dataclass(frozen=True, slots=True)
class _Extent:
    path: str
    lines: int
    octets: int


def judge(changes: Sequence[FileChange], limit: Size = Size()) -> GuardResult:
    """Compare the sum over all files with the limit; the largest file is named."""
    extents = [_extent(change) for change in changes]
    lines, octets = sum(extent.lines for extent in extents), sum(extent.octets for extent in extents)
    faults: list[Fault] = []
    if lines > limit.max_lines:
        most = max(extents, key=lambda extent: extent.lines)
        what = f"{lines:,} lines change, {most.lines:,} of them here; the limit is {limit.max_lines:,}"
        faults.append(Fault(most.path, 0, what))
    if octets > limit.max_bytes:
        most = max(extents, key=lambda extent: extent.octets)
        what = f"{octets:,} bytes change, {most.octets:,} of them here; the limit is {limit.max_bytes:,}"
        faults.append(Fault(most.path, 0, what))
    return verdict("size", faults, f"{lines:,} line(s) and {octets:,} byte(s) changed")


def _extent(change: FileChange) -> _Extent:
    old, new = change.before or b"", change.after or b""
    if old == new:
        return _Extent(change.path, 0, 0)
    if b"\0" in old or b"\0" in new:
        return _Extent(change.path, 0, len(old) + len(new))
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    changed = hunks(before, after)
    octets = sum(sum(len(before[i]) for i in hunk.old) + sum(len(after[j]) for j in hunk.new) for hunk in changed)
    return _Extent(change.path, sum(hunk.size for hunk in changed), octets)
