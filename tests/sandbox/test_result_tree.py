"""The result's tree holds what the tools touched, and nothing else."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.base import take_base
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.result_tree import write_result_tree
from orefactor.sandbox.worktree import Worktree, throwaway_worktree

FILES = {"a.py": "a = 1\n", "d/f.py": "f = 1\n", "z/x.py": "x = 1\n", ".gitattributes": "*.txt eol=crlf\n"}


@pytest.fixture
def worktree(make_repository: MakeRepository) -> Iterator[Worktree]:
    repository = find_repository(make_repository(FILES))
    base = take_base(repository, "HEAD", [])
    with throwaway_worktree(repository, base.commit, "tree") as worktree:
        yield worktree


def result(worktree: Worktree, *touched: str) -> dict[str, str]:
    """What differs from the base: the letter that git gives each path."""
    tree = write_result_tree(worktree.git, "HEAD", set(touched))
    fields = git(worktree.path, "diff-tree", "-r", "-z", "--name-status", "HEAD", tree).split("\0")
    return dict(zip(fields[1::2], fields[::2], strict=False))


@pytest.mark.parametrize(
    ("script", "touched", "expected"),
    [
        ("", [], {}),
        ("", ["a.py", "never.py"], {}),
        ("echo x > a.py", ["a.py"], {"a.py": "M"}),
        ("echo x > a.py", [], {}),
        ("echo x > a.py; echo y > junk.pyc", ["a.py"], {"a.py": "M"}),
        ("rm a.py", ["a.py"], {"a.py": "D"}),
        ("mkdir n; echo x > n/new.py", ["n/new.py"], {"n/new.py": "A"}),
        ("mv a.py b.py", ["a.py", "b.py"], {"a.py": "D", "b.py": "A"}),
        ("rm -r d; echo x > d", ["d", "d/f.py"], {"d": "A", "d/f.py": "D"}),
        ("rm a.py; mkdir a.py; echo x > a.py/n", ["a.py", "a.py/n"], {"a.py": "D", "a.py/n": "A"}),
        ("echo x > caf\udce9", ["caf\udce9"], {"caf\udce9": "A"}),
        ("chmod +x a.py", ["a.py"], {"a.py": "M"}),
        ("echo n > .gitignore; echo x > n", ["n"], {"n": "A"}),
    ],
)
def test_touched_paths(worktree: Worktree, script: str, touched: list[str], expected: dict[str, str]) -> None:
    subprocess.run(["sh", "-ec", script], cwd=worktree.path, check=True)
    assert result(worktree, *touched) == expected


def test_it_may_be_asked_again(worktree: Worktree) -> None:
    write_files(worktree.path, {"a.py": "x\n"})
    assert result(worktree, "a.py") == {"a.py": "M"}
    write_files(worktree.path, {"a.py": "a = 1\n", "b.py": "b\n"})
    assert result(worktree, "a.py", "b.py") == {"b.py": "A"}


def test_content_is_converted_as_a_commit_would(worktree: Worktree) -> None:
    write_files(worktree.path, {"n.txt": b"1\r\n"})
    tree = write_result_tree(worktree.git, "HEAD", {"n.txt"})
    assert worktree.git.run("cat-file", "blob", f"{tree}:n.txt") == b"1\n"


@pytest.mark.parametrize("path", [".git/hooks/x", "d/.git/config", "d/.GIT/config", "d/git~1", "../outside"])
def test_names_that_git_refuses_never_get_into_the_tree(worktree: Worktree, path: str) -> None:
    (worktree.path / "d" / ".git").mkdir()
    for name in ("d/.git/config", "d/git~1"):
        (worktree.path / name).write_text("x")
    try:
        assert result(worktree, path) == {}
    except UserError as error:
        assert error.exit_code is ExitCode.ENVIRONMENT


def test_a_change_that_no_tool_made_is_a_bug(worktree: Worktree) -> None:
    write_files(worktree.path, {"a.py": "x\n"})
    worktree.git.run("update-index", "a.py")
    with pytest.raises(UserError, match=r"no tool touched: `a\.py`") as caught:
        write_result_tree(worktree.git, "HEAD", {"d/f.py"})
    assert caught.value.exit_code is ExitCode.BUG


def test_a_path_outside_a_sparse_checkout_can_be_written(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    git(folder, "sparse-checkout", "set", "--cone", "d")
    repository = find_repository(folder)
    with throwaway_worktree(repository, git(folder, "rev-parse", "HEAD"), "sparse") as worktree:
        assert not Path(worktree.path, "z").exists()
        write_files(worktree.path, {"z/x.py": "x = 2\n", "d/f.py": "f = 2\n"})
        assert result(worktree, "z/x.py", "d/f.py") == {"d/f.py": "M", "z/x.py": "M"}
    assert not (folder / "z").exists()
