"""`help COMMAND` says what `COMMAND --help` says."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.processes import run_here


@pytest.mark.parametrize(
    ("words", "same_as"),
    [
        pytest.param(["help", "show"], ["show", "--help"], id="command"),
        pytest.param(["help", "run"], ["run", "-h"], id="main job by its name"),
        pytest.param(["help"], ["--help"], id="main job"),
    ],
)
def test_help(words: list[str], same_as: list[str], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    told = run_here(capfdbinary, tmp_path, *words)
    assert told == run_here(capfdbinary, tmp_path, *same_as)
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"Usage: git orefactor" in told.stdout


def test_an_unknown_command_is_said(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    told = run_here(capfdbinary, tmp_path, "help", "nope\x1b[1m")
    assert told.returncode == 2
    assert b"is no command\nhint: known are: run, review, show" in told.stderr
    assert b"\x1b" not in told.stderr
