"""`doctor`: a line for each thing, `ok` or a hint."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, RunCommand, git, user_state
from e2e.processes import Done, run_here
from e2e.scenes import FILES, leftovers, run_folders

Capture = pytest.CaptureFixture[bytes]
THINGS = {"git", "repository", "cache", "environment", "isolation", "provider", "py_compile", "ruff", "pytest"}


def _lines(done: Done | subprocess.CompletedProcess[bytes]) -> dict[str, tuple[str, str]]:
    """Each thing with its mark and text; a hint's second line is left out."""
    rows = [line for line in done.stdout.decode().splitlines() if line[:4] in ("ok  ", "hint")]
    return {row[4:].split()[0]: (row[:4].strip(), row[19:]) for row in rows}


@pytest.mark.sandbox
def test_everything_is_there(make_repository: MakeRepository, run_command: RunCommand) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    done = run_command(repository, "doctor", environment={"DEEPSEEK_API_KEY": "correct-horse-battery-staple"})
    lines = _lines(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert set(lines) >= THINGS
    assert {name: lines[name][0] for name in ("git", "repository", "isolation", "provider")} == dict.fromkeys(
        ("git", "repository", "isolation", "provider"), "ok"
    )
    assert lines["provider"][1] == "deepseek, model deepseek-v4-pro"
    assert "correct-horse" not in done.stdout.decode()
    assert user_state(repository) == before
    assert not run_folders(repository) + leftovers(repository)


@pytest.mark.parametrize(
    ("words", "mark", "text"),
    [
        ([], "hint", "DEEPSEEK_API_KEY is not set"),
        (["--provider", "recipes"], "ok", "recipes, model recipes"),
        (["--model", "gpt-5"], "hint", "OPENAI_API_KEY is not set"),
        (["--provider", "nobody"], "hint", "there is no provider `nobody`"),
    ],
)
def test_the_provider_that_is_meant(
    make_repository: MakeRepository, capfdbinary: Capture, words: list[str], mark: str, text: str
) -> None:
    done = run_here(capfdbinary, make_repository(FILES), "doctor", *words)
    found, said = _lines(done)["provider"]
    assert (found, text in said) == (mark, True)
    # Without a key the offline provider still works.
    assert done.returncode == 0


def test_outside_of_a_repository(capfdbinary: Capture, tmp_path: Path) -> None:
    done = run_here(capfdbinary, tmp_path, "doctor", "--provider", "recipes")
    lines = _lines(done)
    assert (done.returncode, lines["repository"][0], lines["git"][0]) == (6, "hint", "ok")


def test_a_repository_without_a_commit(capfdbinary: Capture, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    done = run_here(capfdbinary, tmp_path, "doctor")
    assert (done.returncode, _lines(done)["repository"][0]) == (6, "hint")
    assert "make the first one" in done.stdout.decode()


def test_without_git(tmp_path: Path, run_command: RunCommand) -> None:
    done = run_command(tmp_path, "doctor", environment={"PATH": "/nonexistent"})
    assert (done.returncode, done.stderr) == (6, b"")
    assert b"hint  git          git is not installed" in done.stdout


def test_a_machine_that_forbids_isolation(
    make_repository: MakeRepository, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository(FILES)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    done = run_here(capfdbinary, repository, "doctor", "--provider", "recipes")
    assert (done.returncode, _lines(done)["cache"][0]) == (6, "hint")
