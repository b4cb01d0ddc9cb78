"""The fingerprint of the user's side: what a person does shows, what a run does doesn't."""

import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.base import take_base
from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.user_state import read_user_state
from orefactor.sandbox.worktree import throwaway_worktree

FILES = {".gitignore": "*.log\n", "a.py": "a = 1\n", "b.py": "b = 1\n"}


@pytest.mark.parametrize(
    ("script", "shows"),
    [
        ("", []),
        ("echo x > ignored.log", []),
        ("echo x > n.py", ["status"]),
        ("echo 'a = 2' > a.py", ["status"]),
        ("echo 'm = 3' > m.py", ["status"]),
        ("rm m.py", ["status"]),
        ("chmod +x a.py", ["status"]),
        ("rm a.py", ["status"]),
        ("git add m.py", ["index", "status"]),
        ("git checkout -q -b other", ["head", "refs"]),
        ("git branch other", ["refs"]),
        ("git tag v1", ["refs"]),
        ("git update-ref refs/notes/x HEAD", ["refs"]),
        ("git commit -q --allow-empty -m x", ["refs"]),
        ("git checkout -q --detach", ["head"]),
        ("git worktree add -q --detach ../other", ["worktrees"]),
    ],
)
def test_what_shows(make_repository: MakeRepository, script: str, shows: list[str]) -> None:
    folder = make_repository(FILES)
    write_files(folder, {"m.py": "m\n"})
    before = read_user_state(find_repository(folder))
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)
    after = asdict(read_user_state(find_repository(folder)))
    assert sorted(name for name, digest in asdict(before).items() if after[name] != digest) == shows


def test_the_stash_shows(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    write_files(folder, {"a.py": "a = 2\n"})
    before = read_user_state(find_repository(folder))
    git(folder, "stash", "-q")
    assert read_user_state(find_repository(folder)).stash != before.stash


def test_a_run_does_not_show(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    write_files(folder, {"a.py": "a = 2\n", "n.py": "n\n"})
    repository = find_repository(folder)
    before = read_user_state(repository)
    base = take_base(repository, "worktree", ["n.py"])
    with throwaway_worktree(repository, base.commit, "run"):
        assert read_user_state(repository) == before
    git(folder, "branch", "result/x", base.commit)
    assert read_user_state(repository) != before
    assert read_user_state(repository, own_branch="refs/heads/result/x") == before
    git(folder, "branch", "result/xy", base.commit)
    assert read_user_state(repository, own_branch="refs/heads/result/x") != before


@pytest.mark.parametrize("name", ["out.patch", "ünï out", "caf\udce9"])
def test_the_file_that_was_asked_for_is_left_out(make_repository: MakeRepository, tmp_path: Path, name: str) -> None:
    folder = make_repository(FILES)
    repository = find_repository(folder)
    before = read_user_state(repository, own_file=folder / name)
    write_files(folder, {name: "patch\n"})
    (tmp_path / "link").symlink_to(folder)
    assert read_user_state(repository, own_file=folder / name) == before
    assert read_user_state(repository, own_file=tmp_path / "link" / name) == before
    assert read_user_state(repository) != before


@pytest.mark.parametrize("bare", [True, False])
def test_repositories_without_files_or_commits(tmp_path: Path, bare: bool) -> None:
    git(tmp_path, "init", "-q", *(["--bare"] if bare else []))
    repository = find_repository(tmp_path)
    assert read_user_state(repository) == read_user_state(repository)
