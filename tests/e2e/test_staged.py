"""`--staged` and `--since`: which files become the scope, and when nobody is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENTED, SHAPES, TASK, edit, read, run_folders, trace

Capture = pytest.CaptureFixture[bytes]
FixtureFile = Callable[..., Path]
OFFLINE = ("add docstrings", "--provider", "recipes", "--no-check", "-q", "--exit-code")


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    """Two files with a commit, a branch that has left it, and nothing staged."""
    made = make_repository({"a.py": SHAPES, "pkg/b.py": SHAPES, "gone.py": "x = 1\n"})
    git(made, "branch", "start")
    return made


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--staged",), "no text file is staged"),
        (("--staged", "gone.txt"), "none of the files is a text file in the index"),
        (("--since", "start"), "no text file has changed since `start`"),
        (("--since", "start", "--branch", "result"), "no text file has changed since `start`"),
    ],
    ids=["staged", "named", "since", "since, for a branch"],
)
def test_nothing_to_do_asks_nobody(repository: Path, capfdbinary: Capture, words: tuple[str, ...], why: str) -> None:
    (repository / "untracked.py").write_text(SHAPES)
    done = run_here(capfdbinary, repository, TASK, "--json", *words)
    assert (done.returncode, done.stderr.decode()) == (0, f"note: nothing to do: {why}\n")
    said = json.loads(done.stdout)
    assert (said["status"], said["reason"], said["exit_code"], said["patch"]) == ("completed", "nothing_to_do", 0, "")
    assert run_folders(repository) == []


def test_the_first_commit_is_not_looked_at(tmp_path: Path, capfdbinary: Capture) -> None:
    git(tmp_path, "init", "-q")
    write_files(tmp_path, {"a.py": SHAPES})
    git(tmp_path, "add", "-A")
    done = run_here(capfdbinary, tmp_path, *OFFLINE, "--staged")
    assert (done.returncode, b"this is the first commit" in done.stderr) == (0, True)


@pytest.mark.parametrize(
    ("words", "file", "said"),
    [
        ((TASK, "--staged", "--since", "HEAD"), "", "`--staged` and `--since` exclude each other"),
        ((TASK, "--staged", "--base", "HEAD"), "", "`--staged` and `--base` exclude each other"),
        ((TASK, "--since", "nowhere"), "", "`nowhere` names no commit in this repository"),
        ((TASK, "--since", "a\0b"), "", "names no commit in this repository"),
        (("--staged", "a.py", "pkg/b.py"), "", "there is no task; `a.py` is a file"),
        (("--staged",), "", "there is no task"),
        (("--staged", TASK, "--sandbox=none"), "--sandbox=none", "`--sandbox=none` may be an option, and it is a file"),
    ],
    ids=["since", "base", "unknown", "no revision", "a file as task", "no task", "a file like an option"],
)
def test_what_a_hook_may_not_be_told(
    repository: Path, capfdbinary: Capture, words: tuple[str, ...], file: str, said: str
) -> None:
    if file:
        (repository / file).write_text("x\n")
    done = run_here(capfdbinary, repository, *words)
    assert done.returncode == 2 and said in done.stderr.decode(), done.stderr


def test_behind_two_dashes_every_word_is_a_file(repository: Path, capfdbinary: Capture) -> None:
    write_files(repository, {"--sandbox=none.py": SHAPES})
    git(repository, "add", "-A")
    done = run_here(capfdbinary, repository, *OFFLINE, "--staged", "--", "--sandbox=none.py")
    assert done.returncode == 1, done.stderr
    assert trace(repository)["paths"] == ["--sandbox=none.py"]


def test_what_a_run_has_left_is_done(repository: Path, capfdbinary: Capture, fixture_file: FixtureFile) -> None:
    """For the same task and the files that it could change; what somebody else changed since is looked at again."""
    script = fixture_file(read("a.py"), edit("b):\n", 'b):\n    """Multiply."""\n', "a.py"))

    def hook(*words: str) -> Done:
        options = ("--provider", "fixture", "--fixture", str(script), "--no-check", "--staged", "--apply")
        return run_here(capfdbinary, repository, *(words or (TASK,)), *options)

    write_files(repository, {"a.py": SHAPES + "\n\n# changed\n"})
    git(repository, "add", "a.py")
    assert b"hint: `git add` what you keep, and go on" in hook().stderr
    assert (repository / "a.py").read_text() == DOCUMENTED + "\n\n# changed\n"
    git(repository, "add", "a.py")
    (first,) = run_folders(repository)
    assert f"the files are as the run {first.name} left them" in hook().stderr.decode()
    for count, again in enumerate((("another task",), (TASK, "--fresh")), 2):
        hook(*again)
        assert len(run_folders(repository)) == count
    write_files(repository, {"pkg/b.py": SHAPES + "#\n"})
    git(repository, "add", "pkg/b.py")
    hook()
    assert len(run_folders(repository)) == 4
