"""Colours a patch as git does, with the user's own colours."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.cli.terminal import colour_patch, show

BEFORE = {"a.py": "a = 1\n-- 2\n", "gone.py": "x = 1\n", "mode.sh": "echo\n", "old.py": "moved = 1\n"}


def _changed(repository: Path) -> None:
    write_files(repository, {"a.py": "a = 1\n++ 3\n++b\n", "new.py": "n = 1\n", "open.py": "no newline"})
    (repository / "gone.py").unlink()
    (repository / "mode.sh").chmod(0o755)
    (repository / "old.py").rename(repository / "name with ä.py")
    git(repository, "add", "-A")


@pytest.mark.parametrize(
    "settings",
    [{}, {"color.diff.new": "bold magenta", "color.diff.meta": "yellow"}, {"color.diff.frag": "#ff0000 reverse"}],
)
def test_the_same_colours_as_git(make_repository: MakeRepository, settings: dict[str, str]) -> None:
    repository = make_repository(BEFORE)
    for key, value in settings.items():
        git(repository, "config", key, value)
    _changed(repository)
    # Git marks trailing blanks and puts the text after `@@` apart; there are none in these files.
    command = ["git", "diff", "--cached", "-M"]
    patch = subprocess.run(command, cwd=repository, capture_output=True, check=True).stdout
    coloured = subprocess.run([*command, "--color=always"], cwd=repository, capture_output=True, check=True).stdout
    assert _codes(colour_patch(patch, repository)) == _codes(coloured)


def _codes(text: bytes) -> list[bytes]:
    """Each line's first colour and its text; git sets and resets a colour again within a line, which looks the same."""
    lines: list[bytes] = []
    for line in text.splitlines():
        start = line[: line.index(b"m") + 1] if line.startswith(b"\x1b") else b""
        lines.append(start + re.sub(rb"\x1b\[[\d;]*m", b"", line))
    return lines


def test_a_pipe_gets_the_bytes_as_they_are(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    data = b"+a\xe9\r\n\0" + os.urandom(20)
    show(data, tmp_path, patch=True)
    assert capfdbinary.readouterr().out == data
