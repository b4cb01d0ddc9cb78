"""What the paths that a caller names are within the repository."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from orefactor.sandbox.repository import Repository

from .errors import UserError


def scope_paths(repository: Repository, root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """The paths relative to the repository's top, in order, each once.

    Raises:
        UserError: a path outside the repository or inside its git directory.
    """
    if repository.top is None:
        return tuple(dict.fromkeys(os.path.normpath(path) for path in paths))
    return tuple(dict.fromkeys(_scope_path(repository.top, root, path) for path in paths))


def _scope_path(top: Path, root: Path, path: str) -> str:
    if not path or "\0" in path or "\n" in path or "\r" in path:
        raise UserError(f"`{path!r}` is no usable path", hint="name a file or folder of the repository")
    full = os.path.normpath(os.path.join(os.path.realpath(root), path))
    # The folder may be reached through links, as `/tmp` is on some systems; the last part stays what it is.
    real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    home = os.path.realpath(top)
    for candidate in (full, real):
        relative = os.path.relpath(candidate, home)
        if relative != ".." and not relative.startswith("../"):
            if relative.split("/")[0].lower() == ".git":
                raise UserError(f"`{path}` lies in the git directory", hint="name a file or folder of the working tree")
            return relative
    raise UserError(f"`{path}` lies outside the repository `{top}`", hint="name a file or folder of this repository")
