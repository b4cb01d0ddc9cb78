"""The copy that is made inside; its parts in this process, and the program as it is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orefactor.sandbox import copy_inside
from orefactor.sandbox.removal import remove_all


@pytest.fixture
def base(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    (source / "src" / "deep").mkdir(parents=True)
    (source / "src" / "deep" / "a.py").write_bytes(b"x = 1\r\n")
    (source / "run").write_text("#!/bin/sh\n")
    (source / "run").chmod(0o700)
    (source / ".git").write_text("gitdir: /secret")
    (source / "src" / ".git").write_text("not the top one")
    (source / "link").symlink_to("/etc/passwd")
    (source / "folder").symlink_to("/etc")
    (source / "envs").write_text("in the place of a folder")
    (source / "kept").mkdir()
    (source / "kept" / "new").touch()
    os.mkfifo(source / "pipe")
    target = tmp_path / "target"
    (target / "envs" / ".venv").mkdir(parents=True)
    (target / "kept" / ".venv").mkdir(parents=True)
    return tmp_path


EXPECTED = """
envs envs/.venv folder kept kept/.venv kept/new link run src src/.git src/deep src/deep/a.py
""".split()  # noqa: SIM905


def found(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_files_and_links_are_copied_around_what_is_there(base: Path) -> None:
    copy_inside.copy(str(base / "source"), str(base / "target"), [".git", "kept/.venv"])
    target = base / "target"
    assert found(target) == EXPECTED
    assert (target / "src" / "deep" / "a.py").read_bytes() == b"x = 1\r\n"
    assert [oct((target / name).stat().st_mode & 0o777) for name in ("run", "src/deep/a.py")] == ["0o755", "0o644"]
    assert os.readlink(target / "link") == "/etc/passwd"


def test_paths_are_left_out_at_any_depth(base: Path) -> None:
    copy_inside.copy(str(base / "source"), str(base / "target"), ["src/deep", "kept"])
    assert not (base / "target" / "src" / "deep").exists()
    assert not (base / "target" / "kept" / "new").exists()


def test_folders_may_be_deep(base: Path) -> None:
    deep = base / "source"
    for _ in range(1100):
        deep /= "d"
        deep.mkdir()
    (deep / "file").touch()
    copy_inside.copy(str(base / "source"), str(base / "target"), [".git"])
    copied = base / "target" / deep.relative_to(base / "source")
    assert (copied / "file").exists()
    remove_all(base / "source")  # pytest can't
    remove_all(base / "target")


def program(base: Path, *command: str) -> subprocess.CompletedProcess[str]:
    text = Path(copy_inside.__file__).read_text()
    words = [str(base / "source"), str(base / "target"), ".git", "--", *command]
    argv = [sys.executable, "-I", "-S", "-B", "-c", text, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_it_becomes_the_command(base: Path) -> None:
    done = program(base, "grep", "SigIgn", "/proc/self/status")
    assert done.stdout == "SigIgn:\t0000000000000000\n"
    assert found(base / "target") == EXPECTED


def test_what_does_not_fit_is_said(base: Path) -> None:
    (base / "source" / "zz").write_text("x")
    (base / "target" / "zz").symlink_to("/dev/full")
    (base / "source" / "src").rename(base / "source" / "other")
    (base / "target" / "other").write_text("a file in the place of a folder")
    done = program(base, "true")
    assert done.returncode == 1
    assert done.stderr.startswith("the tree can't be copied: ")


def test_main_ends_with_words_where_it_cannot_copy(base: Path) -> None:
    with pytest.raises(SystemExit, match="can't be copied"):
        copy_inside.main([str(base / "none"), str(base / "target"), "--", "true"])
