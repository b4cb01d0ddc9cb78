"""Finds the hooks that a commit would have run. They are never run here; people are told which ones there are."""

from __future__ import annotations

import os
from pathlib import Path

from .repository import Repository

_COMMIT_HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")


def hooks_folder(repository: Repository) -> Path:
    """Where git looks for the hooks of this repository; the folder may not be there."""
    configured = repository.setting("core.hookspath")
    # git takes a relative path from the folder that it runs the hooks in: the working tree's top.
    return Path(repository.place, os.path.expanduser(configured)) if configured else repository.common_dir / "hooks"


def commit_hooks(repository: Repository) -> tuple[str, ...]:
    """The names of the commit hooks that git would run in this repository."""
    folder = hooks_folder(repository)
    return tuple(name for name in _COMMIT_HOOKS if os.access(folder / name, os.X_OK) and (folder / name).is_file())
