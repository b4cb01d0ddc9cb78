"""The checks of a proven result: in throwaway worktrees, against the base."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.scenes import leftovers

from orefactor.core.checks.result import CheckResult
from orefactor.core.errors import ExitCode, UserError
from orefactor.core.proof import Proof
from orefactor.core.recheck import Wanted, recheck, wanted_checks
from orefactor.core.settings import Settings
from orefactor.sandbox.patch import list_changes
from orefactor.sandbox.repository import Repository, find_repository

# Wrong for the compiler and for ruff, on the base already.
OLD = b"import os\nprint 'x'\n"
RUN = "20261130T101500-4f2a9c"


def proven(folder: Path, after: dict[str, str | bytes]) -> tuple[Repository, Proof]:
    base = git(folder, "rev-parse", "HEAD")
    write_files(folder, after)
    git(folder, "add", "-A")
    tree = git(folder, "write-tree")
    git(folder, "reset", "-q", "--hard", base)
    repository = find_repository(folder)
    return repository, Proof(RUN, base, base, tree, list_changes(repository.git, base, tree), None)


def outcomes(checks: tuple[CheckResult, ...]) -> list[tuple[str, str, int, bool]]:
    return [(check.name, check.outcome, len(check.new), check.old > 0) for check in checks]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            OLD,
            OLD + b"# more\n",
            [("py_compile", "passed", 0, True), ("ruff", "passed", 0, True)],
            id="both were wrong",
        ),
        pytest.param(
            b"x = 1\n",
            b"x = (1\n",
            [("py_compile", "failed", 1, False), ("ruff", "failed", 1, False)],
            id="both are wrong now",
        ),
        pytest.param(
            b"x = 1\n",
            b"x = 2\n",
            [("py_compile", "passed", 0, False), ("ruff", "passed", 0, False)],
            id="both are right",
        ),
    ],
)
def test_only_what_is_new_counts(
    make_repository: MakeRepository, before: bytes, after: bytes, expected: list[tuple[str, str, int, bool]]
) -> None:
    folder = make_repository({"x.py": before, "gone.py": OLD})
    repository, proof = proven(folder, {"x.py": after})
    state = user_state(folder)
    names = wanted_checks(proof).names
    assert [
        (*row[:2], min(row[2], 1), row[3]) for row in outcomes(recheck(repository, proof, names, Settings()))
    ] == expected
    assert user_state(folder) == state
    assert not leftovers(folder)


def test_a_python_that_does_not_start(make_repository: MakeRepository, tmp_path: Path) -> None:
    repository, proof = proven(make_repository({"x.py": "x = 1\n"}), {"x.py": "x = 2\n"})
    with pytest.raises(UserError) as raised:
        recheck(repository, proof, ("py_compile",), Settings(python=str(tmp_path / "none")))
    assert raised.value.exit_code in (ExitCode.USAGE, ExitCode.ENVIRONMENT)
    assert not leftovers(repository.place)


def test_a_run_that_is_not_kept_wants_the_default_checks(make_repository: MakeRepository) -> None:
    _, proof = proven(make_repository({"x.py": "x = 1\n"}), {"x.py": "x = 2\n"})
    assert wanted_checks(proof) == Wanted(("py_compile", "ruff"))
