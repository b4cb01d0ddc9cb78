"""Which index file `--base index` means: within a commit it may be another one than the repository's own.

`git commit -a` and `git commit FILE` write what will be committed into an index of their own, and tell their hooks by
`GIT_INDEX_FILE`. Everything else that redirects git is left out of account; see `repository`.
"""

from __future__ import annotations

import os
from pathlib import Path

from .repository import Repository

VARIABLE = "GIT_INDEX_FILE"


def index_in_use(repository: Repository) -> Path:
    """The index that the caller's git uses; a relative one counts from the working tree's top, as with git."""
    named = os.environ.get(VARIABLE)
    return Path(repository.place, named) if named else repository.git_dir / "index"
