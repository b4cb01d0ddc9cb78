"""Runs the tests that belong to a commit over another tree, isolated: for mining tasks, and as their check.

The commit's versions of the test files are put into a copy of the tree, which is thrown away. What must pass are the
tests that passed with the commit itself, by their node ids; so tests that can't pass on this machine spoil nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.tree_copy import tree_copy

from ..checks.command import CheckRequest
from ..checks.outcome import CheckRun
from ..errors import ToolError
from .command_check import CommandCheck, checked, one_line
from .paths_of_tests import is_test_module
from .task import Verdict

_PASSED = ("passed", "xpassed", "xfailed")


@dataclass(frozen=True, slots=True)
class CommitTests:
    """Tests as a commit has them.

    Attributes:
        files: the test files that the commit changed, by path.
        how: the time limit, the interpreter and the place.
    """

    files: Mapping[str, bytes] = field(repr=False)
    how: CommandCheck

    def run(self, tree: Path) -> CheckRun:
        """Run the changed test modules over a tree, which stays as it is.

        Raises:
            ToolError: they can't run here.
            UserError: the project's Python doesn't start.
            Refused: the tree holds something else where a test file belongs.
        """
        with private_folder("commit-tests-") as scratch, tree_copy(tree, scratch) as copy:
            root = Root(copy)
            for path, data in self.files.items():
                _put(root, path, data)
            modules = tuple(path for path in self.files if is_test_module(path))
            return checked(copy, CheckRequest("pytest", modules), self.how)


@dataclass(frozen=True, slots=True)
class CommitTestsCheck:
    """Passed where all tests pass that passed with the commit.

    Attributes:
        required: their node ids.
        lines: that the commit adds and removes outside of tests.
    """

    tests: CommitTests
    required: frozenset[str]
    lines: int | None = None

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Run them at the tree after the change.

        Raises:
            UserError: the project's Python doesn't start.
        """
        try:
            ran = self.tests.run(after)
        except ToolError as error:
            return Verdict(None, one_line(str(error)), self.lines)
        except (Refused, OSError) as error:
            return Verdict(False, one_line(f"the tests can't be put over it: {error}"), self.lines)
        missing = sorted(self.required - passing(ran))
        if not missing:
            return Verdict(True, needed_lines=self.lines)
        what = (
            "ran out of time"
            if ran.outcome == "timeout"
            else f"{len(missing)} of {len(self.required)} tests don't pass"
        )
        return Verdict(False, one_line(f"{what}: {missing[0]}"), self.lines)


def passing(ran: CheckRun) -> frozenset[str]:
    """The node ids of the tests that passed, or failed as they were expected to."""
    return frozenset(node for node, outcome in (ran.tests or {}).items() if outcome in _PASSED)


def _put(root: Root, path: str, data: bytes) -> None:
    """Write a file, whatever stands there."""
    if root.kind(path) == "file":
        root.replace(path, data, expected=root.read(path).digest)
    else:
        root.create(path, data)
