"""The commits of a history that may become tasks: small, with tests, and with a message that says something.

Only what git says is looked at here; whether the tests tell before from after is found out by running them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orefactor.sandbox.git import Git
from orefactor.sandbox.line_counts import count_lines
from orefactor.sandbox.names import is_plain
from orefactor.sandbox.patch import Change, list_changes

from .paths_of_tests import is_test, is_test_module

_REGULAR = ("100644", "100755")
_ROUTINE = re.compile(
    r"(?:merge|revert|bump|release|version|update (?:dev|dependencies|requirements)|\[pre-commit)\b", re.IGNORECASE
)
_TRAILER = re.compile(
    r"(?:signed-off-by|co-authored-by|change-id|reviewed-by|acked-by|cc): .*|\(cherry picked from .*\)", re.IGNORECASE
)
_FEWEST_WORDS = 3
_MOST_FILES = 8
_MOST_LINES = 400
"""Added and removed outside of tests."""
_LONGEST = 4000
"""Characters of a task's text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit that may become a task.

    Attributes:
        parent: the commit that the task begins at.
        text: its message without trailers.
        paths: the files outside of tests that it changed, and that are there before.
        tests: the blob ids of the test files that it changed or added, by path.
        lines: added and removed in `paths`.
    """

    commit: str
    parent: str
    text: str
    paths: tuple[str, ...]
    tests: dict[str, str]
    lines: int


def candidates(git: Git, revision: str, most: int) -> Iterator[Candidate]:
    """The candidates among the newest commits, newest first.

    Args:
        revision: the commit to begin at.
        most: commits to look at.

    Raises:
        GitFailed: there is no such commit.
    """
    log = ("log", "-z", "--no-merges", f"--max-count={most}", "--format=%H %P%n%B", "--end-of-options", revision, "--")
    for record in git.run(*log).decode("utf-8", "replace").split("\0"):
        head, _, message = record.partition("\n")
        commit, *parents = head.split()[:3] or [""]
        text = task_text(message)
        if len(parents) == 1 and text:
            found = _candidate(git, commit, parents[0], text)
            if found is not None:
                yield found


def task_text(message: str) -> str:
    """A commit's message as a task; empty where it says too little to be one."""
    lines = [line.rstrip() for line in message.strip().split("\n")]
    kept = "\n".join(line for line in lines if not _TRAILER.fullmatch(line)).strip()
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in kept[:_LONGEST])
    subject = shown.partition("\n")[0]
    return "" if len(subject.split()) < _FEWEST_WORDS or _ROUTINE.match(subject) else shown


def _candidate(git: Git, commit: str, parent: str, text: str) -> Candidate | None:
    changes = list_changes(git, parent, commit)
    if len(changes) > 3 * _MOST_FILES or not all(map(_is_plain, changes)):
        return None
    sources = [each for each in changes if not is_test(each.path)]
    tests = {each.path: each.new_id for each in changes if is_test(each.path)}
    modified = tuple(each.path for each in sources if each.kind == "modified")
    # A file that comes or goes can't be named as a path of the task; a note for the changelog needn't be.
    is_bound = all(each.kind == "modified" for each in sources if each.path.endswith(".py"))
    has_code = any(path.endswith(".py") for path in modified)
    if not (is_bound and has_code and len(modified) <= _MOST_FILES and any(map(is_test_module, tests))):
        return None
    lines = _lines(git, parent, commit, modified)
    return Candidate(commit, parent, text, modified, tests, lines) if lines <= _MOST_LINES else None


def _is_plain(change: Change) -> bool:
    """Whether a change puts a regular file where it can be said; test files neither go nor move."""
    if not change.path.isprintable() or not all(map(is_plain, change.path.split("/"))):
        return False
    if is_test(change.path) or is_test(change.old_path or ""):
        return change.kind in ("added", "modified") and change.new_mode in _REGULAR
    return change.kind != "renamed" and {change.old_mode, change.new_mode} <= {*_REGULAR, "000000"}


def _lines(git: Git, parent: str, commit: str, paths: Sequence[str]) -> int:
    counts = [each for each in count_lines(git, parent, commit) if each.path in paths]
    return sum((each.added or 0) + (each.removed or 0) for each in counts)
