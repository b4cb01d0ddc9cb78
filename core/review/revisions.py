"""What words mean in a repository: commits, branches, ranges, and where histories meet.

Only git says whether a word is a revision, and it never sees one as an option. Which two sides a change has is for
`change_sides.py`, which word of a command is a path for `change_words.py`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Literal

from orefactor.sandbox.git import Git

from ..errors import ExitCode, UserError

HEAD = "HEAD"
BRANCHES, TAGS, REMOTES = "refs/heads/", "refs/tags/", "refs/remotes/"

_ABSENT = (0, 1, 128)
"""Exit codes of git for what isn't there."""
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BY_MESSAGE = ":/"
_LONGEST_WORD = 4096
"""Bytes; what is longer names nothing, and much longer ones can't be passed to a program."""


@dataclass(frozen=True, slots=True)
class Range:
    """`LEFT..RIGHT`, or `LEFT...RIGHT` where it is symmetric; a side that was left out is HEAD."""

    left: str
    right: str
    is_symmetric: bool

    @property
    def text(self) -> str:
        """The range as git takes it."""
        return f"{self.left}{'...' if self.is_symmetric else '..'}{self.right}"


def parse_range(word: str) -> Range | None:
    """The word as a range, whether or not its sides exist; `..` alone is the folder above, as for git."""
    left, dots, rest = word.partition("..")
    right = rest.removeprefix(".")
    if not dots or word == "..":
        return None
    return Range(left or HEAD, right or HEAD, right != rest)


def commit_of(git: Git, revision: str) -> str | None:
    """The id of the commit that a revision names, through tags; None where it names none."""
    if not revision.startswith(_BY_MESSAGE):
        return _asked(git, revision + "^{commit}")
    # All that follows is the text to look for, so nothing can be put behind it.
    found = _asked(git, revision)
    return _asked(git, found + "^{commit}") if found else None


def require_commit(git: Git, revision: str) -> str:
    """As `commit_of`.

    Raises:
        UserError: it names no commit; a repository without one is told as such.
    """
    found = commit_of(git, revision)
    if found is not None:
        return found
    if commit_of(git, HEAD) is None and not git.run("for-each-ref", "--count=1"):
        raise no_commit()
    kind = kind_of(git, revision)
    if kind in ("blob", "tree"):
        raise UserError(
            f"`{revision}` names the content of a {'file' if kind == 'blob' else 'folder'}, and no commit",
            hint="name the commit, and the path behind it: `git orefactor review HEAD PATH`",
        )
    raise UserError(
        f"`{revision}` is no revision that this repository knows",
        hint="see `git log --oneline` and `git branch -a`; a path is written `./PATH`",
    )


def no_commit() -> UserError:
    """The error of a repository that has nothing to compare with."""
    return UserError(
        "this repository has no commit yet",
        hint="make the first one: `git add -A && git commit -m 'first commit'`",
        exit_code=ExitCode.ENVIRONMENT,
    )


def kind_of(git: Git, revision: str) -> Literal["commit", "tree", "blob"] | None:
    """What kind of object a revision names, through tags; None where there is none."""
    if commit_of(git, revision) is not None:
        return "commit"
    # The path in `HEAD:PATH` would swallow what is put behind it.
    found = _asked(git, revision)
    # What is a commit now, such as `A^@`, is none that can be named.
    if found is None or _asked(git, found + "^{commit}") is not None:
        return None
    if _asked(git, found + "^{tree}") is not None:
        return "tree"
    return "blob" if _asked(git, found + "^{blob}") is not None else None


def is_object_id(word: str) -> bool:
    """Whether the word is a whole id, which nobody gives to a file."""
    return _ID.fullmatch(word) is not None


def full_name(git: Git, word: str) -> str | None:
    """The full name of the ref that a word means, such as `refs/heads/main`; None where it is no name of a ref.

    HEAD is none: it stands for a commit, whatever branch it is on.

    Raises:
        UserError: a branch and a tag, or two branches, have that name.
    """
    if word in (HEAD, "@") or not _is_askable(word):
        return None
    name = _output(git, word, "--symbolic-full-name")
    if name.startswith("refs/") and "\n" not in name:
        return name
    candidates = [f"{prefix}{word}" for prefix in (BRANCHES, TAGS, REMOTES)]
    several = [candidate for candidate in candidates if commit_of(git, candidate) is not None]
    if len(several) > 1:
        raise UserError(
            f"`{word}` is the name of more than one branch or tag",
            hint="say which: " + " or ".join(f"`{name}`" for name in several),
        )
    return None


def merge_base(git: Git, one: str, other: str) -> str | None:
    """The commit where two commits' histories meet, the best one; None where they don't."""
    found = git.result("merge-base", one, other, ok=_ABSENT)
    return found.stdout.decode().strip() or None


def first_parent(git: Git, commit: str) -> str | None:
    """The commit that another one follows; of a merge the first one. None for a root commit.

    Raises:
        UserError: there is one, but a shallow clone doesn't hold it.
    """
    # As it stands in the commit: git itself takes the last commit of a shallow clone for a root.
    head = git.run("cat-file", "commit", commit).partition(b"\n\n")[0]
    parents = [line[7:].decode() for line in head.split(b"\n") if line.startswith(b"parent ")]
    if not parents:
        return None
    if commit_of(git, parents[0]) is None:
        raise UserError(
            f"this clone ends at the commit {commit[:12]}; what it changed isn't known here",
            hint="fetch more of the history: `git fetch --deepen=1`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return parents[0]


def no_common_history(git: Git, one: str, other: str) -> UserError:
    """The error of two revisions whose histories don't meet, as far as they are here."""
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        return UserError(
            f"this clone is too shallow to tell where `{one}` and `{other}` parted",
            hint="fetch the rest of the history: `git fetch --unshallow`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return UserError(
        f"`{one}` and `{other}` have no common history",
        hint="name the two sides that are to be compared: `A..B`",
    )


def _asked(git: Git, revision: str) -> str | None:
    """One object's id; None for anything else, such as the several lines that `A^!` gives."""
    if not _is_askable(revision):
        return None
    found = _output(git, revision)
    return found if is_object_id(found) else None


def _output(git: Git, revision: str, *options: str) -> str:
    found = git.result("rev-parse", "--verify", "--quiet", *options, "--end-of-options", revision, ok=_ABSENT)
    return found.stdout.decode("utf-8", "surrogateescape").strip() if found.returncode == 0 else ""


def _is_askable(word: str) -> bool:
    """Whether the word can be passed to a program at all."""
    try:
        written = os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return b"\0" not in written and len(written) <= _LONGEST_WORD
