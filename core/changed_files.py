"""Reads the contents of a change out of git's object store, both sides, in one call."""

from __future__ import annotations

from collections.abc import Sequence

from orefactor.sandbox.git import Git
from orefactor.sandbox.objects import read_blobs
from orefactor.sandbox.patch import Change

from .guards.change import FileChange

_SUBMODULE = "160000"


def read_changes(git: Git, changes: Sequence[Change]) -> tuple[FileChange, ...]:
    """Each changed path with its content before and after; a submodule's content is the commit that it names."""
    sides = [side for c in changes for side in ((c.old_mode, c.old_id), (c.new_mode, c.new_id))]
    wanted = [name for mode, name in sides if _is_blob(mode)]
    blobs = dict(zip(wanted, read_blobs(git, wanted), strict=True))
    return tuple(
        FileChange(
            change.path,
            change.old_path,
            change.kind,
            _content(blobs, change.old_mode, change.old_id),
            _content(blobs, change.new_mode, change.new_id),
            change.old_mode,
            change.new_mode,
        )
        for change in changes
    )


def _is_blob(mode: str) -> bool:
    return int(mode, 8) != 0 and mode != _SUBMODULE


def _content(blobs: dict[str, bytes | None], mode: str, name: str) -> bytes | None:
    if int(mode, 8) == 0:
        return None
    return name.encode() if mode == _SUBMODULE else blobs[name] or b""
