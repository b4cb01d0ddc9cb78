"""Puts the trees of shards together, in git's store alone.

Each shard may change its own file only, and was judged so; no two can conflict. So a merge is the base with the changed
paths of each, and what that can't be is refused rather than resolved.
"""

from __future__ import annotations

from collections.abc import Sequence

from orefactor.sandbox.git import Git
from orefactor.sandbox.patch import Change, list_changes
from orefactor.sandbox.tree_entries import GONE, TreeEntry, tree_with

from ..errors import ExitCode, RunStopped
from ..redact import printable
from ..tools.base import Scope


def merge(git: Git, base: str, results: Sequence[tuple[str, str]]) -> str:
    """Merge trees that differ from one commit.

    Args:
        base: the commit.
        results: for each shard the path that it might change and its tree, in order.

    Returns:
        The id of the merged tree.

    Raises:
        RunStopped: a tree differs where it must not; that would be a bug of ours.
    """
    entries = [entry for path, tree in results for entry in _entries(git, base, path, tree)]
    return tree_with(git, base, entries)


def _entries(git: Git, base: str, path: str, tree: str) -> list[TreeEntry]:
    scope = Scope((path,))
    entries: list[TreeEntry] = []
    for change in list_changes(git, base, tree):
        entries += _of_change(change)
    for entry in entries:
        if not scope.allows(entry.path):
            raise RunStopped(
                "gate",
                "guard:scope",
                f"the shard of `{printable(path)}` changed `{printable(entry.path)}`, which belongs to another one",
                hint="please report this with the run's trace",
                exit_code=ExitCode.GATE,
            )
    return entries


def _of_change(change: Change) -> list[TreeEntry]:
    none = "0" * len(change.new_id)
    gone = [TreeEntry(change.old_path, GONE, none)] if change.old_path is not None else []
    return [*gone, TreeEntry(change.path, change.new_mode, change.new_id)]
