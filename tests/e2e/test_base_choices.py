"""What the change starts from: the working tree, the index, HEAD, any revision."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import run_here
from e2e.scenes import (
    FILES,
    REPLIES,
    SHAPES,
    TASK,
    applied_tree,
    edit,
    read,
)

FixtureFile = Callable[..., Path]


def _base_scene(make_repository: MakeRepository) -> Path:
    """HEAD, index and working tree each hold another README, and an untracked file lies about."""
    repository = make_repository(FILES)
    write_files(repository, {"README.md": "second\n"})
    git(repository, "commit", "-qam", "second")
    write_files(repository, {"README.md": "staged\n"})
    git(repository, "add", "README.md")
    write_files(repository, {"README.md": "unfinished\n", "src/untracked.py": "x = 1\n", "other.py": "y = 1\n"})
    return repository


@pytest.mark.parametrize(
    ("options", "readme", "untracked"),
    [
        ([], "unfinished", True),
        (["--base", "worktree"], "unfinished", True),
        (["--base", "index"], "staged", False),
        (["--base", "HEAD"], "second", False),
        (["--base", "HEAD~1"], "shapes", False),
        (["--branch", "result"], "second", False),
        (["--branch", "result", "--base", "worktree"], "unfinished", True),
    ],
)
def test_the_base_is_what_was_asked_for(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    options: list[str],
    readme: str,
    untracked: bool,
) -> None:
    repository = _base_scene(make_repository)
    before = user_state(repository)
    done = run_here(capfdbinary, repository, TASK, "src", *options, "--json", "--fixture", str(fixture_file(*REPLIES)))
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    tree, base = told["tree"], told["base"]["tree"]
    assert git(repository, "show", f"{base}:README.md") == readme
    assert git(repository, "diff", "--name-only", base, tree) == "src/shapes.py"
    names = git(repository, "ls-tree", "-r", "--name-only", base).splitlines()
    assert ("src/untracked.py" in names, "other.py" in names) == (untracked, False)
    if "--branch" in options:
        git(repository, "update-ref", "-d", "refs/heads/result")
        git(repository, "update-ref", "-d", "refs/notes/orefactor")
    assert user_state(repository) == before


def test_bare_repositories_work_with_a_revision(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    origin = make_repository({"shapes.py": SHAPES}, "origin")
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(origin), str(bare))
    script = fixture_file(read("shapes.py"), edit("a * b", "b * a", "shapes.py"), {"content": "Swap"})
    done = run_here(capfdbinary, bare, TASK, "shapes.py", "--base", "main", "--fixture", str(script))
    assert done.returncode == 0, done.stderr
    assert applied_tree(bare, done.stdout, "main", tmp_path / "index") in done.stdout.decode()
