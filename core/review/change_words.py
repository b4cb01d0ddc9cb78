"""Tells the range from the paths in `git orefactor review [RANGE] [PATH]...`.

As with git, the first word is the range where it can only be that, and a word that could be both is refused with the
two ways to write it. What the range means is for `change_sides.py`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from orefactor.sandbox.git import Git
from orefactor.sandbox.repository import Repository

from ..errors import UserError
from .revisions import HEAD, commit_of, full_name, is_object_id, kind_of, parse_range, require_commit

WORKTREE, INDEX = "worktree", "index"
LONG_FORMS = {f"{HEAD}..{word}": word for word in (WORKTREE, INDEX)}
"""How to say these where a file or a branch has such a name."""

_MARKS = ("..", "~", "^", "@{")
"""What names of files hardly hold and revisions do."""


def split_words(repository: Repository, words: Sequence[str], root: Path) -> tuple[str | None, tuple[str, ...]]:
    """The range, None where none is given, and the paths.

    Args:
        root: the folder that paths are relative to.

    Raises:
        UserError: the first word is a file as well as a revision, or looks like a revision and is none.
    """
    if not words:
        return None, ()
    first = words[0]
    # In a bare repository the files that lie there are git's own.
    is_there = repository.top is not None and os.path.lexists(os.path.join(root, first))
    if _means_revision(repository.git, first):
        if is_there:
            raise _both(repository.git, first)
        return first, tuple(words[1:])
    if not is_there and _looks_like_revision(first):
        _require_known(repository.git, first)
    return None, tuple(words)


def _means_revision(git: Git, word: str) -> bool:
    if word in (WORKTREE, INDEX) or word in LONG_FORMS:
        return True
    sides = parse_range(word)
    if sides is not None and commit_of(git, sides.left) and commit_of(git, sides.right):
        return True
    return kind_of(git, word) is not None


def _looks_like_revision(word: str) -> bool:
    parts = word.split("/")
    is_written_as_path = parts[0] in ("", ".") or ".." in parts
    return not is_written_as_path and (is_object_id(word) or any(mark in word for mark in _MARKS))


def _require_known(git: Git, word: str) -> None:
    sides = parse_range(word)
    for revision in (word,) if sides is None else (sides.left, sides.right):
        require_commit(git, revision)


def _both(git: Git, word: str) -> UserError:
    kind = "a word of this command" if word in (WORKTREE, INDEX) else "a revision"
    return UserError(
        f"`{word}` is {kind} and also a file or folder here",
        hint=f"say which: `./{word}` for the file or folder, `{_unmistakable(git, word)}` for the other",
    )


def _unmistakable(git: Git, word: str) -> str:
    """Another way to say the same, which is no file's name."""
    if word in (WORKTREE, INDEX):
        return f"{HEAD}..{word}"
    sides = parse_range(word)
    if sides is not None and commit_of(git, sides.left) and commit_of(git, sides.right):
        dots = "..." if sides.is_symmetric else ".."
        return f"{_unmistakable(git, sides.left)}{dots}{_unmistakable(git, sides.right)}"
    return full_name(git, word) or commit_of(git, word) or word
