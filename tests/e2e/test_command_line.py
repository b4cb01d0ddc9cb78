"""How the command is called: options before and after the task, words that are commands, from any folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, call, calls, git
from e2e.processes import PATH, run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, read, trace

from orefactor import __version__

FixtureFile = Callable[..., Path]


@pytest.mark.parametrize(
    ("words", "task"),
    [
        (["{options}", TASK, "src"], TASK),
        ([TASK, "{options}", "src"], TASK),
        ([TASK, "src", "{options}"], TASK),
        (["run", TASK, "src", "{options}"], TASK),
        (["{options}", "run", TASK, "src"], TASK),
        (["run", "{options}", "runs", "src"], "runs"),
        (["{options}", "--", "show", "src"], "show"),
        (["{options}", "--", "--document", "src"], "--document"),
    ],
)
def test_options_stand_anywhere_and_the_first_other_word_is_the_task(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str],
    task: str,
) -> None:
    repository = make_repository(FILES)
    options = ["--no-check", "--fixture", str(fixture_file(*REPLIES)), "-q"]
    given = [part for word in words for part in (options if word == "{options}" else [word])]
    done = run_here(capfdbinary, repository, *given)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (trace(repository)["task"], trace(repository)["paths"]) == (task, ["src"])


@pytest.mark.parametrize(
    ("folder", "paths", "scope"),
    [
        ("src", ["shapes.py"], ["src/shapes.py"]),
        ("src", ["../README.md", "."], ["README.md", "src"]),
        ("src", ["{top}/src/shapes.py"], ["src/shapes.py"]),
        (".", ["src/../src/shapes.py", "src/shapes.py"], ["src/shapes.py"]),
        (".", [], []),
    ],
)
def test_paths_are_relative_to_the_current_folder(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    folder: str,
    paths: list[str],
    scope: list[str],
) -> None:
    repository = make_repository(FILES)
    script = fixture_file(read(), {"content": "Nothing to do"})
    named = [path.replace("{top}", str(repository)) for path in paths]
    done = run_here(capfdbinary, repository / folder, TASK, *named, "--no-check", "--fixture", str(script), "--json")
    assert done.returncode == 0, done.stderr
    assert trace(repository)["paths"] == scope


def test_the_scope_holds_from_a_subfolder(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository({**FILES, "src/other.py": "x = 1\n"})
    script = fixture_file(
        calls(call("write_file", path="new.py", content="x = 1\n")), read(), DOCUMENT, {"content": "Document"}
    )
    done = run_here(capfdbinary, repository / "src", TASK, "shapes.py", "--json", "--fixture", str(script))
    told = json.loads(done.stdout)
    assert told["files_changed"] == ["src/shapes.py"]
    assert [entry["status"] == "executed" for entry in told["tool_calls"]] == [False, True, True]


def test_git_finds_the_command(make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    for words, expected in (
        (["--version"], f"git-orefactor {__version__}\n"),
        (["-h"], "Usage: git orefactor [OPTIONS] TASK [PATH]..."),
    ):
        done = subprocess.run(
            ["git", "orefactor", *words],
            cwd=repository,
            env={"PATH": PATH, "HOME": "/nonexistent"},
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode().lstrip().startswith(expected)
        assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-h"], ["--provider NAME", "doctor", "Examples:"]),
        (["--help"], ["--provider NAME", "doctor"]),
        (["run", "-h"], ["--provider NAME", "TASK"]),
        (["show", "-h"], ["[RUN]"]),
        (["runs", "-h"], ["--prune", "--keep N"]),
        (["apply", "--help"], ["--3way", "--index"]),
        (["doctor", "-h"], ["--model NAME"]),
    ],
)
def test_help_works_outside_of_a_repository(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, words: list[str], expected: list[str]
) -> None:
    done = run_here(capfdbinary, tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [text for text in expected if text not in done.stdout.decode()] == []


def test_linked_worktrees_share_their_runs(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    repository = make_repository(FILES)
    linked = tmp_path / "linked – ä"
    git(repository, "worktree", "add", "-q", "--detach", str(linked))
    done = run_here(capfdbinary, linked, TASK, "src", "--fixture", str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    assert trace(linked)["user_state"]["same"]
    assert git(repository, "worktree", "list").count("\n") == 1
    assert run_here(capfdbinary, repository, "apply").returncode == 0
    assert git(repository, "diff", "--name-only") == "src/shapes.py"
