"""Repositories that hold only a part of their files: each works, or is refused with one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git
from e2e.processes import run_here
from e2e.scenes import leftovers, run_folders

TASK = ("add docstrings", "--provider", "recipes", "-q")
FILES = {"inside/a.py": "def area(r):\n    return r\n", "outside/b.py": "def twice(x):\n    return 2 * x\n"}


def clone_of(repository: Path, folder: Path, *options: str) -> Path:
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository, "clone", "-q", *options, repository.as_uri(), str(folder))
    return folder


def test_a_shallow_clone_works(
    make_repository: MakeRepository, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    clone = clone_of(make_repository(FILES), tmp_path / "clone", "--depth=1")
    done = run_here(capfdbinary, clone, *TASK, "inside")
    assert done.returncode == 0, done.stderr
    assert b"+++ b/inside/a.py" in done.stdout


def test_a_partial_clone_with_all_files_works(
    make_repository: MakeRepository, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    clone = clone_of(make_repository(FILES), tmp_path / "clone", "--filter=blob:none")
    done = run_here(capfdbinary, clone, *TASK, "inside")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("sparse", "path", "words"),
    [
        (False, "inside/a.py", ("partial clone", "git fetch --refetch --no-filter")),
        (True, "outside/b.py", ("sparse checkout", "git sparse-checkout add outside")),
    ],
)
def test_what_is_not_there_is_said(
    make_repository: MakeRepository,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    *,
    sparse: bool,
    path: str,
    words: tuple[str, str],
) -> None:
    clone = clone_of(make_repository(FILES), tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    if sparse:
        git(clone, "sparse-checkout", "set", "--cone", "inside")
        git(clone, "checkout", "-q", "main")
    done = run_here(capfdbinary, clone, *TASK, path, "--base", "HEAD")
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (6, b"")
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"]
    assert words[0] in lines[0]
    assert words[1] in lines[1]
    assert not run_folders(clone)
    assert not (clone / ".git/orefactor").exists()
    assert not leftovers(clone)


def test_within_the_sparse_checkout_it_works(
    make_repository: MakeRepository, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    clone = clone_of(make_repository(FILES), tmp_path / "clone", "--filter=blob:none", "--sparse")
    git(clone, "sparse-checkout", "set", "--cone", "inside")
    done = run_here(capfdbinary, clone, *TASK, "inside")
    assert done.returncode == 0, done.stderr
    assert b"b.py" not in done.stdout
