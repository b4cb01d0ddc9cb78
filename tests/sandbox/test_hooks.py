"""Which commit hooks git would run."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.sandbox.hooks import commit_hooks
from orefactor.sandbox.repository import find_repository


def put_hook(folder: Path, name: str, mode: int = 0o755) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\nexit 1\n")
    (folder / name).chmod(mode)


@pytest.mark.parametrize("hooks_path", [None, ".husky", "absolute"])
def test_hooks_are_named_wherever_they_lie(
    make_repository: MakeRepository, tmp_path: Path, hooks_path: str | None
) -> None:
    repository = make_repository({"a.py": "x = 1\n"})
    folder = {None: repository / ".git/hooks", ".husky": repository / ".husky"}.get(hooks_path, tmp_path / "hooks")
    if hooks_path:
        git(repository, "config", "core.hooksPath", hooks_path if hooks_path == ".husky" else str(folder))
    put_hook(folder, "pre-commit")
    put_hook(folder, "commit-msg")
    put_hook(folder, "post-commit", 0o644)
    put_hook(folder, "pre-push")
    assert commit_hooks(find_repository(repository)) == ("pre-commit", "commit-msg")


def test_no_hooks(make_repository: MakeRepository) -> None:
    assert commit_hooks(find_repository(make_repository({"a.py": ""}))) == ()
