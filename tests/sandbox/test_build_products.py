"""Which ignored files reach the worktree, and that none gets into a change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.build_products import MOST_FILES, BuildProducts, copy_build_products
from orefactor.sandbox.files import Root
from orefactor.sandbox.repository import find_repository

IGNORED = "*.so\n_version.py\n.env\n*.log\n/gen/\n/build/\n/.venv/\n/venv311/\nnode_modules/\n*_pb2*\n"
TRACKED = {".gitignore": IGNORED, "pkg/__init__.py": "", "pkg/tracked.so": "no"}


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository({name: text for name, text in TRACKED.items() if not name.endswith(".so")})


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    folder = tmp_path / "worktree"
    write_files(folder, {"pkg/__init__.py": ""})
    return folder


def copied(repository: Path, worktree: Path, total: int = 1 << 20) -> BuildProducts:
    return copy_build_products(find_repository(repository), Root(worktree), total=total)


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("pkg/fast.cpython-311-x86_64-linux-gnu.so", True),
        ("pkg/_version.py", True),
        ("pkg/deep/api_pb2.py", True),
        ("pkg/api_pb2_grpc.py", True),
        ("pkg/api_pb2.pyi", True),
        ("gen/proto/api_pb2.py", True),
        ("gen/secret.py", False),
        (".env", False),
        ("pkg/debug.log", False),
        ("build/lib/fast.so", False),
        (".venv/lib/fast.so", False),
        ("pkg/node_modules/x/fast.so", False),
        ("pkg/untracked.py", False),
        ("naïve/fast.so", True),
    ],
)
def test_only_what_is_built_and_ignored(repository: Path, worktree: Path, path: str, is_taken: bool) -> None:
    write_files(repository, {path: "content"})
    made = copied(repository, worktree)
    assert made == (BuildProducts((path,), 7) if is_taken else BuildProducts())
    assert (worktree / path).exists() is is_taken


def test_an_environment_of_any_name_is_not_entered(repository: Path, worktree: Path) -> None:
    write_files(repository, {"venv311/pyvenv.cfg": "", "venv311/lib/fast.so": "x"})
    assert copied(repository, worktree) == BuildProducts()


def test_regular_files_only_and_none_over_what_is_there(repository: Path, worktree: Path) -> None:
    write_files(repository, {"pkg/real.so": "x", "pkg/there.so": "user's", "outside": "secret"})
    (repository / "pkg" / "link.so").symlink_to("../outside")
    (repository / "pkg" / "away.so").symlink_to("/etc/passwd")
    (repository / "gen").symlink_to("/etc")
    os.mkfifo(repository / "pkg" / "pipe.so")
    write_files(worktree, {"pkg/there.so": "base's"})
    made = copied(repository, worktree)
    assert made.paths == ("pkg/real.so",)
    assert made.left_out == 2  # the links; git doesn't list a pipe
    assert (worktree / "pkg" / "there.so").read_text() == "base's"
    assert sorted(path.name for path in (worktree / "pkg").iterdir()) == ["__init__.py", "real.so", "there.so"]


def test_the_copy_lies_in_the_worktree_whatever_links_are_there(repository: Path, worktree: Path) -> None:
    write_files(repository, {"lib/fast.so": "x"})
    outside = worktree.parent / "outside"
    outside.mkdir()
    (worktree / "lib").symlink_to(outside)
    assert copied(repository, worktree) == BuildProducts(left_out=1)
    assert list(outside.iterdir()) == []


def test_there_is_a_cap(repository: Path, worktree: Path) -> None:
    write_files(repository, {"a.so": "x" * 60, "b.so": "x" * 60, "c.so": "x" * 30})
    assert copied(repository, worktree, total=100) == BuildProducts(("a.so", "c.so"), 90, 1)


@pytest.mark.parametrize(("mode", "expected"), [(0o600, 0o644), (0o700, 0o755)])
def test_every_user_can_read_it(repository: Path, worktree: Path, mode: int, expected: int) -> None:
    write_files(repository, {"a.so": "x"})
    (repository / "a.so").chmod(mode)
    copied(repository, worktree)
    assert (worktree / "a.so").stat().st_mode & 0o777 == expected


def test_a_large_ignored_folder_is_looked_at_in_part(repository: Path, worktree: Path) -> None:
    (repository / "gen").mkdir()
    for number in range(MOST_FILES + 1):
        (repository / "gen" / f"{number:05}").touch()
    write_files(repository, {"gen/z.so": "x"})
    assert copied(repository, worktree) == BuildProducts()


def test_a_bare_repository_has_none(repository: Path, worktree: Path) -> None:
    bare = worktree.parent / "bare"
    git(worktree.parent, "clone", "-q", "--bare", str(repository), str(bare))
    assert copied(bare, worktree) == BuildProducts()
