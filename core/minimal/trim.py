"""Puts a choice of a change's hunks into a worktree, so that checks can be run on it.

Only the files of the change are touched. What is chosen is exact to the byte; a file that is made anew gets the mode
that it has on the side which the choice takes it from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orefactor.sandbox.files import Root

from ..guards.change import FileChange

_EXECUTABLE = "100755"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a path should hold; no content where it shouldn't be."""

    content: bytes | None
    mode: str = ""


def put(root: Root, changes: Sequence[FileChange], chosen: Sequence[FileChange]) -> None:
    """Make the files of a change hold a choice of it.

    Args:
        root: the worktree, whatever choice it holds now.
        changes: the whole change.
        chosen: the part that is wanted, as `hunks.combine` gives it.

    Raises:
        Refused: a file can't be written.
    """
    wanted: dict[str, _Wanted] = {}
    for change in changes:
        wanted[change.path] = _Wanted(None)
    for change in changes:
        if change.before is not None:
            wanted[change.old_path or change.path] = _Wanted(change.before, change.old_mode)
    for change in chosen:
        if change.old_path not in (None, change.path):
            wanted[change.old_path or ""] = _Wanted(None)
        wanted[change.path] = _Wanted(change.after, change.new_mode)
    for path, target in wanted.items():
        _put(root, path, target)


def _put(root: Root, path: str, target: _Wanted) -> None:
    if root.kind(path) == "missing":
        if target.content is not None:
            root.create(path, target.content, executable=target.mode == _EXECUTABLE)
        return
    now = root.read(path)
    if target.content is None:
        root.delete(path, expected=now.digest)
    elif target.content != now.data:
        root.replace(path, target.content, expected=now.digest)
