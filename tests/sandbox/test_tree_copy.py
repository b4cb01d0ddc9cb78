"""The copy that checks may write to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orefactor.sandbox.tree_copy import tree_copy


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "a.py").write_bytes(b"x = 1\r\n")
    (tree / "run").write_text("#!/bin/sh\n")
    (tree / "run").chmod(0o700)
    (tree / ".git").write_text("gitdir: /secret")
    (tree / "src" / ".git").write_text("not the top one")
    (tree / "link").symlink_to("src/a.py")
    (tree / "out").symlink_to("/etc")
    os.mkfifo(tree / "pipe")
    return tree


def test_it_holds_all_but_git(tree: Path, tmp_path: Path) -> None:
    with tree_copy(tree, tmp_path) as copy:
        found = sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))
        assert found == ["link", "out", "run", "src", "src/.git", "src/a.py"]
        assert (copy / "src" / "a.py").read_bytes() == b"x = 1\r\n"
        assert [oct((copy / name).stat().st_mode & 0o777) for name in ("run", "src/a.py")] == [
            "0o755",
            "0o644",
        ]
        assert os.readlink(copy / "out") == "/etc"


def test_writing_to_it_changes_nothing(tree: Path, tmp_path: Path) -> None:
    with tree_copy(tree, tmp_path) as copy:
        (copy / "src" / "a.py").write_text("changed")
        (copy / "link").unlink()
    assert (tree / "src" / "a.py").read_bytes() == b"x = 1\r\n"
    assert (tree / "link").is_symlink()


@pytest.mark.parametrize("folder", [".venv", "src/a.py/env", "out/env", "new/env", "src", "link"])
def test_folders_are_made_whatever_is_there(tree: Path, tmp_path: Path, folder: str) -> None:
    before = sorted(Path("/etc").iterdir())
    with tree_copy(tree, tmp_path, folders=[Path(folder)]) as copy:
        made = copy / folder
        assert made.is_dir()
        assert list(made.iterdir()) == []
        assert made.resolve() == copy.resolve() / folder
    assert sorted(Path("/etc").iterdir()) == before


def test_it_goes_even_when_it_was_closed(tree: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    with tree_copy(tree, tmp_path) as copy:
        (copy / "into").symlink_to(outside)
        (copy / "src").chmod(0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside", "tree"]
    assert outside.stat().st_mode & 0o777 == 0o500


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_it_can_be_given_to_another_user(tree: Path, tmp_path: Path) -> None:
    with tree_copy(tree, tmp_path, owner=65534) as copy:
        assert {path.lstat().st_uid for path in (copy, *copy.rglob("*"))} == {65534}
    assert Path("/etc").stat().st_uid == 0
