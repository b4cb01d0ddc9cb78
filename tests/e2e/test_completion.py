"""The completion scripts in real shells, and how long an answer takes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git
from e2e.processes import COMMAND, PATH, run_here

Capture = pytest.CaptureFixture[bytes]
GIT_COMPLETION = Path("/usr/share/bash-completion/completions/git")
_BASH = """
eval "$(git-orefactor completion bash)"
%s
try() {
    function=$1; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
    $function
    printf '<%%s>' "${COMPREPLY[@]}"; echo
}
"""


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    made = make_repository({"a b.py": "x = 1\n", "pkg/c.py": "x = 1\n"})
    git(made, "branch", "ev$(touch>ran)il")
    return made


def _bash(folder: Path, script: str, git_completion: str = "") -> list[str]:
    done = subprocess.run(
        ["bash", "--norc", "-c", _BASH % git_completion + script],
        cwd=folder,
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.replace("bash: compopt: not currently executing completion function\n", "") == "", done.stderr
    return done.stdout.splitlines()


def test_bash_completes_the_program(repository: Path) -> None:
    script = """
try _git_orefactor_alone git-orefactor verif
try _git_orefactor_alone git-orefactor --base = HE
try _git_orefactor_alone git-orefactor --base ev
try _git_orefactor_alone git-orefactor '"add docstrings"' a
try _git_orefactor_alone git-orefactor --output = pk
try _git_orefactor git -C . orefactor verif
complete -p git-orefactor
"""
    said = _bash(repository, script)
    assert said[:-1] == ["<verify>", "<HEAD>", "<ev\\$\\(touch\\>ran\\)il>", "<a b.py>", "<pkg>", "<verify>"]
    assert said[-1] == "complete -F _git_orefactor_alone git-orefactor"
    assert not (repository / "ran").exists()


@pytest.mark.skipif(not GIT_COMPLETION.exists(), reason="git's own completion is not installed")
def test_bash_completes_the_command_of_git(repository: Path) -> None:
    said = _bash(repository, "try __git_wrap__git_main git orefactor verif\n", f". {GIT_COMPLETION}")
    assert said == ["<verify>"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_sound(shell: str, repository: Path, capfdbinary: Capture) -> None:
    done = run_here(capfdbinary, repository, "completion", shell)
    assert done.returncode == 0 and b"_git_orefactor" in done.stdout
    if program := shutil.which(shell):
        options = ["--no-execute"] if shell == "fish" else ["-n"]
        checked = subprocess.run([program, *options], input=done.stdout, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stderr


def test_an_unknown_shell(repository: Path, capfdbinary: Capture) -> None:
    done = run_here(capfdbinary, repository, "completion", "tcsh")
    assert (done.returncode, b"there is one for bash, zsh and fish" in done.stderr) == (2, True)


def test_an_answer_loads_nothing_slow(repository: Path) -> None:
    """pydantic alone takes longer than all else together; the clock would tell more of the machine than of the code."""
    command = [COMMAND[0], "-X", "importtime", *COMMAND[1:], "completion", "bash", "--", "--base", ""]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert "HEAD" in done.stdout
    assert not {"pydantic", "openai", "rich", "git", "tree_sitter"} & {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()
    }
