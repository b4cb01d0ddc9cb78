"""Hooks in their place: what others have put there is never lost."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.core.errors import UserError
from orefactor.core.hook_file import HookFile, hook_file, install, uninstall
from orefactor.core.hook_script import HookName, hook_script, is_ours
from orefactor.sandbox.repository import find_repository

OURS = hook_script("pre-commit", "/usr/bin/python3", "add docstrings")
THEIRS = b"#!/bin/sh\necho theirs\n"


@pytest.fixture
def file(make_repository: MakeRepository) -> HookFile:
    return hook_file(find_repository(make_repository({"a.py": "x = 1\n"})), "pre-commit")


def _put(file: HookFile, text: bytes = THEIRS) -> None:
    file.path.write_bytes(text)
    file.path.chmod(0o755)


@pytest.mark.parametrize("hook", ["pre-commit", "pre-push"])
@pytest.mark.parametrize("task", ["add docstrings", "don't $(touch ran) `x` \\", "--sandbox=none", "über"])
def test_a_script_is_sound_shell_and_hands_the_task_over_as_it_is(hook: HookName, task: str, tmp_path: Path) -> None:
    script = hook_script(hook, "/no/where/py thon", task, ["--provider=a b"])
    assert is_ours(script)
    checked = subprocess.run(["sh", "-n"], input=script, capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    (line,) = [line for line in script.decode().splitlines() if "orefactor run" in line]
    words = shlex.split(line.replace("</dev/null", "").split(">/dev/null")[0])
    assert words[-3:] == ["--provider=a b", "--", task]


@pytest.mark.parametrize(
    ("script", "is_one"),
    [(OURS, True), (THEIRS, False), (b"", False), (b"\xff\0", False), (THEIRS * 99 + OURS, False)],
    ids=["ours", "theirs", "empty", "binary", "far below"],
)
def test_ours_is_told_from_others(script: bytes, is_one: bool) -> None:
    assert is_ours(script) is is_one


def test_a_hook_comes_and_goes(file: HookFile) -> None:
    file.path.parent.joinpath("pre-commit.sample").touch()
    assert not uninstall(file)
    assert not install(file, OURS, force=False)
    assert not install(file, OURS + b"# newer\n", force=False), "ours may be written anew"
    assert file.is_ours and file.path.read_bytes().endswith(b"# newer\n")
    assert file.path.stat().st_mode & 0o111 == 0o111
    assert uninstall(file)
    assert [path.name for path in file.path.parent.iterdir() if "." not in path.name] == []


def test_another_hook_is_kept_and_comes_back(file: HookFile) -> None:
    _put(file)
    with pytest.raises(UserError, match="another hook is there"):
        install(file, OURS, force=False)
    with pytest.raises(UserError, match="is not a hook of git orefactor"):
        uninstall(file)
    assert file.path.read_bytes() == THEIRS
    assert install(file, OURS, force=True)
    assert not install(file, OURS, force=True), "the other one is kept already"
    assert (file.before.read_bytes(), file.is_ours) == (THEIRS, True)
    _put(file)
    with pytest.raises(UserError, match="no place to keep the hook"):
        install(file, OURS, force=True)
    file.path.write_bytes(OURS)
    assert uninstall(file)
    assert file.path.read_bytes() == THEIRS and not file.before.exists()


def _link(file: HookFile) -> None:
    other = file.path.parent.parent / "other"
    other.write_bytes(OURS)
    file.path.symlink_to(other)


def _dangling(file: HookFile) -> None:
    file.path.symlink_to("/no/where")


def _folder(file: HookFile) -> None:
    file.path.mkdir()


@pytest.mark.parametrize("make", [_link, _dangling, _folder])
def test_what_is_no_plain_file_is_another_hook(file: HookFile, make: Callable[[HookFile], None]) -> None:
    make(file)
    assert file.is_there and not file.is_ours
    with pytest.raises(UserError, match="another hook is there"):
        install(file, OURS, force=False)
    if make is _folder:
        with pytest.raises(UserError, match="no place to keep the hook"):
            install(file, OURS, force=True)
    else:
        assert install(file, OURS, force=True)
        assert file.is_ours and file.before.is_symlink()


@pytest.mark.parametrize(
    ("configured", "place"),
    [("", ".git/hooks"), ("tools/hooks", "tools/hooks"), ("~/hooks", "~/hooks")],
    ids=["default", "relative", "home"],
)
def test_the_place_is_where_git_looks(make_repository: MakeRepository, configured: str, place: str) -> None:
    repository = make_repository({"pkg/a.py": "x = 1\n"})
    if configured:
        git(repository, "config", "core.hooksPath", configured)
    git(repository, "worktree", "add", "-q", "../linked")
    here = hook_file(find_repository(repository / "pkg"), "pre-push")
    assert here.path == Path(repository, Path(place).expanduser(), "pre-push")
    there = hook_file(find_repository(repository.parent / "linked"), "pre-push")
    shared = configured != "tools/hooks"
    assert (there.path == here.path) is shared, "a relative place is each worktree's own"


def test_a_bare_repository_has_none(make_repository: MakeRepository) -> None:
    git(make_repository({"a.py": "x = 1\n"}), "clone", "-q", "--bare", ".", "../bare")
    with pytest.raises(UserError, match="nobody commits in a bare repository"):
        hook_file(find_repository(make_repository({"a.py": "x = 1\n"}, "second").parent / "bare"), "pre-commit")
