"""Turns a worktree's changes into a tree of git's: only the paths that the tools touched, each proven to be one."""

from __future__ import annotations

import os
from collections.abc import Collection

from .errors import ExitCode, UserError
from .git import Git
from .patch import list_changes
from .staging import stage


def write_result_tree(git: Git, base: str, touched: Collection[str]) -> str:
    """Put the touched paths of the worktree into a tree and give its id.

    Args:
        git: at the worktree, whose own index still holds the base.
        base: the base's commit.
        touched: paths relative to the top that were written, deleted or moved.

    Raises:
        UserError: git took other paths than these; its index ignores some names without a word.
    """
    assert git.work_tree is not None
    stage(git, git.work_tree, [os.fsencode(path) for path in sorted(touched)])
    tree = git.line("write-tree", "--missing-ok")
    changed = {path for change in list_changes(git, base, tree) for path in (change.path, change.old_path) if path}
    unexpected = sorted(changed - set(touched))
    if unexpected:
        raise UserError(
            f"the change reached a path that no tool touched: `{unexpected[0]}`",
            hint="please report this with the run's trace",
            exit_code=ExitCode.BUG,
        )
    return tree
