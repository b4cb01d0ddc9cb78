"""Finds the command among the words; wrong words get one message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from e2e.processes import COMMAND, run_here

from orefactor.cli.dispatch import arranged, make_application

VALUED = frozenset({"--model", "-o", "--output"})
COMMANDS = ("run", "show", "runs")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", "run"),
        ("task", "run task"),
        ("task path --apply", "run task path --apply"),
        ("--apply task", "run --apply task"),
        ("--model show task", "run --model show task"),
        ("--model=x show", "show --model=x"),
        ("-o show task", "run -o show task"),
        ("-oshow runs", "runs -oshow"),
        ("show", "show"),
        ("show 2026", "show 2026"),
        ("--json runs", "runs --json"),
        ("run show", "run show"),
        ("task show", "run task show"),
        ("-- show", "run -- show"),
        ("--apply -- show", "run --apply -- show"),
        ("- show", "run - show"),
        ("-h", "-h"),
        ("--help", "--help"),
        ("-h show", "show -h"),
        ("show --help", "show --help"),
        ("task -h", "run task -h"),
    ],
)
def test_the_command_comes_first(words: str, expected: str) -> None:
    assert arranged(words.split(), VALUED, COMMANDS) == expected.split()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["task", "--modle", "x"], ["no such option", "--modle", "--model"]),
        (["show", "--jsn"], ["no such option", "--jsn"]),
        (["task", "--max-tokens", "many"], ["--max-tokens", "integer"]),
        (["task", "--json=yes"], ["--json", "value"]),
        (["runs", "--keep", "-1"], ["--keep", "0"]),
        (["task", "-o"], ["-o", "requires an argument"]),
    ],
)
def test_wrong_words_get_one_message(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, words: list[str], named: list[str]
) -> None:
    done = run_here(capfdbinary, tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    error, hint = done.stderr.decode().splitlines()
    assert error.startswith("error: ")
    assert [word for word in named if word not in error] == []
    assert hint == "hint: see `git orefactor -h`"


def test_the_help_names_the_main_jobs_options_and_all_commands(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = run_here(capfdbinary, Path("/"), "-h").stdout.decode()
    assert (
        text.index("[OPTIONS] TASK [PATH]...") < text.index("--model") < text.index("doctor") < text.index("Examples")
    )
    assert all(name in text for name in make_application().commands)


@pytest.mark.parametrize("words", [["-h"], ["runs", "-h"]])
def test_a_reader_that_has_gone_is_no_error(tmp_path: Path, words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, *words], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_version_needs_no_import_of_ours(tmp_path: Path) -> None:
    asked = "import sys, orefactor.cli.main as m; m.main(['--version']); print('typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.splitlines()[1:] == [b"False"]


def test_help_imports_nothing_slow(tmp_path: Path) -> None:
    slow = ("openai", "structlog", "git", "tree_sitter", "rich", "pydantic")
    asked = f"import sys, orefactor.cli.main as m; m.main(['-h']); print([n for n in {slow} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"
