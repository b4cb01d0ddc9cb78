"""The profile for macOS as text."""

from __future__ import annotations

import re
from pathlib import Path

from orefactor.sandbox.bwrap import Layout
from orefactor.sandbox.confinement import by_seatbelt
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.execution import Folders
from orefactor.sandbox.seatbelt import SYSTEM, profile

ENVIRONMENT, TREE, TEMPORARY = Path("/Users/dev/.venv"), Path("/Users/dev/tree"), Path("/Users/dev/tmp")


def rules(text: str) -> dict[str, str]:
    """Each rule by what it allows."""
    lines = text.splitlines()
    return {match[1]: match[2] for line in lines if (match := re.fullmatch(r"\(allow ([a-z*-]+)( .*)?\)", line))}


def test_everything_else_is_denied() -> None:
    text = profile([ENVIRONMENT, TREE], [TEMPORARY])
    assert text.splitlines()[:2] == ["(version 1)", "(deny default)"]
    assert "network" not in text
    assert "kern.proc" not in text
    assert "mach-lookup" not in text


def test_what_is_read_and_what_is_written() -> None:
    text = profile([ENVIRONMENT, TREE], [TEMPORARY])
    below = [*SYSTEM, str(ENVIRONMENT), str(TREE), str(TEMPORARY)]
    found = rules(text)
    assert found["file-write*"] == f' (subpath "{TEMPORARY}")'
    assert [path for path in below if f'(subpath "{path}")' not in text] == []
    assert "/Users/dev)" not in text


def test_a_path_cannot_end_its_word() -> None:
    text = profile([Path('/a"))(allow default)((\\')], [TEMPORARY])
    assert '(subpath "/a\\"))(allow default)((\\\\")' in text


def test_the_command_line(tmp_path: Path) -> None:
    for name in ("tree", "tmp", "env"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "env")
    environment = PythonEnvironment(Path("/usr/bin/python3"), tmp_path / "link", (3, 11), ())
    layout = Layout(tmp_path / "repo", tmp_path / "tree", environment, tmp_path)
    confine = by_seatbelt(layout, Path("/usr/bin/sandbox-exec"))
    for writable in (False, True):
        folders = Folders(tmp_path / "tree", tmp_path / "tmp", writable)
        program, option, text, *command = confine(["python", "-c", "pass"], folders)
        assert (program, option, command) == ("/usr/bin/sandbox-exec", "-p", ["python", "-c", "pass"])
        written = rules(text)["file-write*"]
        assert (str(tmp_path / "tree") in written) == writable
        assert str(tmp_path / "tmp") in written
        assert f'(subpath "{tmp_path / "env"}")' in text
