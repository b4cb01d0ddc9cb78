"""Bad input: one `error:` and one `hint:` line, the right exit code, and nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, RunCommand, git, user_state, write_files
from e2e.processes import run_here
from e2e.scenes import FILES, REPLIES, TASK, leftovers, run_folders

FixtureFile = Callable[..., Path]
Scene = Callable[[Path], None]


def _said(stderr: bytes) -> tuple[str, str]:
    lines = stderr.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"], stderr
    return lines[0], lines[1]


def _nothing(_repository: Path) -> None:
    """The repository as it is."""


def _pyproject(text: str) -> Scene:
    def scene(repository: Path) -> None:
        write_files(repository, {"pyproject.toml": text})
        git(repository, "add", "pyproject.toml")

    return scene


def _config(key: str, value: str) -> Scene:
    def scene(repository: Path) -> None:
        git(repository, "config", key, value)

    return scene


def _unmerged(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "other")
    write_files(repository, {"README.md": "theirs\n"})
    git(repository, "commit", "-qam", "theirs")
    git(repository, "checkout", "-q", "main")
    write_files(repository, {"README.md": "ours\n"})
    git(repository, "commit", "-qam", "ours")
    subprocess.run(["git", "merge", "-q", "other"], cwd=repository, capture_output=True, check=False)


def _fifo(repository: Path) -> None:
    os.mkfifo(repository / "pipe")


def _ignored_filter(repository: Path) -> None:
    write_files(repository, {".gitattributes": "*.big filter=lfs\n", "x.big": "big"})


BAD: list[tuple[Scene, list[str], int, str, str]] = [
    (_nothing, [], 2, "the task is empty", "git orefactor"),
    (_nothing, ["  \n "], 2, "the task is empty", "git orefactor"),
    (_nothing, [TASK, "../elsewhere"], 2, "outside the repository", "of this repository"),
    (_nothing, [TASK, "/etc/passwd"], 2, "outside the repository", "of this repository"),
    (_nothing, [TASK, ".git/config"], 2, "lies in the git directory", "working tree"),
    (_nothing, [TASK, "missing.py", "{good}"], 2, "`missing.py` is not in the base", "relative to the current folder"),
    (_nothing, [TASK, ""], 2, "is no usable path", "name a file"),
    (_nothing, [TASK, "--modle", "x"], 2, "--modle", "-h"),
    (_nothing, [TASK, "--model"], 2, "--model", "-h"),
    (_nothing, [TASK, "--provider", "deepsek"], 2, "no provider `deepsek`", "did you mean `deepseek`"),
    (_nothing, [TASK, "--model", "unheard-of"], 2, "tells no provider", "--provider NAME"),
    (_nothing, [TASK, "--provider", "openai-compatible"], 2, "no address of its own", "--base-url URL"),
    (_nothing, [TASK, "--base-url", "nonsense"], 2, "`--base-url` is wrong", "-h"),
    (_nothing, [TASK, "--provider", "fixture"], 2, "needs a file of replies", "--fixture FILE"),
    (_nothing, [TASK, "--fixture", "missing.json"], 2, "can't read the fixture", "--fixture FILE"),
    (_nothing, [TASK, "--fixture", "README.md"], 2, "is no JSON", "the form is"),
    (_nothing, [TASK, "--max-iterations", "0"], 2, "`--max-iterations` is wrong", "-h"),
    (_nothing, [TASK, "--max-iterations", "many"], 2, "--max-iterations", "-h"),
    (_nothing, [TASK, "--max-seconds", "nan"], 2, "`--max-seconds` is wrong", "-h"),
    (_nothing, [TASK, "--sandbox", "open"], 2, "`--sandbox` is wrong", "-h"),
    (_nothing, [TASK, "--check", "flake8"], 2, "`flake8` is no check", "--check 'NAME=COMMAND ARGUMENT…'"),
    (_nothing, [TASK, "--check", "Lint=make"], 2, "lower-case letters", "NAME=COMMAND"),
    (_nothing, [TASK, "--check", "ruff=make"], 2, "there is a check `ruff` already", "another name"),
    (_nothing, [TASK, "--contract", "docstring"], 2, "there is no contract `docstring`", "CONTRACTS"),
    (_nothing, [TASK, "--contract", "any,move"], 2, "stands alone", "CONTRACTS"),
    (_nothing, [TASK, "--allow", "scope"], 2, "`scope` is nothing that can be allowed", "CONTRACTS"),
    (
        _nothing,
        [TASK, "--max-cost", "1", "--model", "m", "--base-url", "http://127.0.0.1:9"],
        2,
        "isn't known",
        "price",
    ),
    (_nothing, [TASK, "--fallback", "opnai"], 2, "no provider `opnai`", "`openai`"),
    (_nothing, [TASK, "--tool-protocol", "xml"], 2, "`--tool-protocol` is wrong", "-h"),
    (_nothing, [TASK, "--check", "ruff", "--no-check"], 2, "exclude each other", "leave one"),
    (_nothing, [TASK, "{good}", "-o", "missing/out.patch"], 2, "can't write the patch", "-o FILE"),
    (_nothing, [TASK, "{good}", "-o", "src"], 2, "can't write the patch", "-o FILE"),
    (_nothing, [TASK, "{good}", "--trace", "missing/trace.json"], 2, "can't write the trace", "--trace FILE"),
    (_nothing, [TASK, "{good}", "--base", "v9"], 2, "`v9` names no commit", "git log"),
    (_nothing, [TASK, "{good}", "--base", "--output=x"], 2, "names no commit", "--base HEAD"),
    (_nothing, [TASK, "{good}", "--branch", "main"], 7, "the branch `main` exists already", "--branch auto"),
    (_nothing, [TASK, "{good}", "--branch", "main/x"], 7, "can't exist beside `main`", "--branch auto"),
    (_nothing, [TASK, "{good}", "--branch", "a..b"], 2, "no valid branch name", "check-ref-format"),
    (_nothing, [TASK, "{good}", "--python", "/missing/python", "-q"], 6, "/missing/python", "name an interpreter"),
    (_nothing, [TASK], 5, "DEEPSEEK_API_KEY is not set", "`--provider recipes`"),
    (_nothing, [TASK, "--provider", "groq"], 5, "GROQ_API_KEY is not set", "`--provider recipes`"),
    (_nothing, ["show", "2026"], 2, "no run is kept", "start one"),
    (_nothing, ["show"], 2, "no run is kept", "start one"),
    (_nothing, ["apply"], 2, "no run is kept", "start one"),
    (_nothing, ["show", "a", "b"], 2, "unexpected extra argument", "-h"),
    (_nothing, ["runs", "--keep", "-1"], 2, "--keep", "-h"),
    (_config("orefactor.modle", "x"), [TASK], 2, "`orefactor.modle` is no setting", "`orefactor.model`"),
    (_config("orefactor.baseUrl", "http://evil"), [TASK], 2, "repository's own configuration", "--global"),
    (_pyproject("[tool.orefactor]\nmax-token = 5\n"), [TASK, "{good}"], 2, "`max-token`", "`max-tokens`"),
    (_pyproject("[tool.orefactor]\nbase-url = 'http://evil'\n"), [TASK, "{good}"], 2, "`base-url` may not", "may set"),
    (_pyproject("[tool.orefactor\n"), [TASK, "{good}"], 2, "can't be read", "mend"),
    (_unmerged, [TASK, "{good}", "--base", "index"], 7, "unmerged paths", "resolve"),
    (_fifo, [TASK, "pipe", "{good}"], 2, "not a regular file", "name a file"),
    (_ignored_filter, [TASK, "x.big", "{good}"], 2, "`filter` attribute", "git add"),
]


@pytest.mark.parametrize(("scene", "words", "code", "error", "hint"), BAD)
def test_one_error_one_hint_and_nothing_left_behind(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    scene: Scene,
    words: list[str],
    code: int,
    error: str,
    hint: str,
) -> None:
    repository = make_repository(FILES)
    scene(repository)
    good = ["--fixture", str(fixture_file(*REPLIES))]
    before = user_state(repository) if scene is not _fifo else {}
    done = run_here(
        capfdbinary, repository, *(part for word in words for part in (good if word == "{good}" else [word]))
    )
    said = _said(done.stderr)
    assert (done.returncode, done.stdout) == (code, b"")
    assert error in said[0]
    assert hint in said[1]
    assert not run_folders(repository) + leftovers(repository)
    if before:
        assert user_state(repository) == before


OTHER_VARIABLES: list[tuple[dict[str, str], list[str], int, str, str]] = [
    ({"OREFACTOR_MODLE": "x"}, [], 2, "`OREFACTOR_MODLE` is no setting", "`OREFACTOR_MODEL`"),
    ({"OREFACTOR_MAX_TOKENS": "-1"}, [], 2, "from the variable OREFACTOR_MAX_TOKENS", "-h"),
    ({"XDG_CACHE_HOME": "/proc/none"}, ["-q"], 6, "can't make the cache folder", "XDG_CACHE_HOME"),
    (dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), ""), ["--branch", "x"], 6, "who you are", "user.name"),
]


@pytest.mark.parametrize(("variables", "words", "code", "error", "hint"), OTHER_VARIABLES)
def test_the_environment_can_be_wrong_too(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    words: list[str],
    code: int,
    error: str,
    hint: str,
) -> None:
    repository = make_repository(FILES)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = run_here(capfdbinary, repository, TASK, *words, "--fixture", str(fixture_file(*REPLIES)))
    said = _said(done.stderr)
    assert (done.returncode, done.stdout) == (code, b"")
    assert error in said[0]
    assert hint in said[1]
    assert not run_folders(repository)


def test_git_can_be_missing(run_command: RunCommand, tmp_path: Path) -> None:
    done = run_command(tmp_path, TASK, environment={"PATH": "/nonexistent"})
    assert (done.returncode, done.stdout) == (6, b"")
    assert "git is not installed" in _said(done.stderr)[0]


def _empty(folder: Path) -> Path:
    return folder


def _without_commit(folder: Path) -> Path:
    git(folder, "init", "-q")
    write_files(folder, FILES)
    return folder


def _bare(folder: Path) -> Path:
    git(folder, "init", "-q", "--bare", "x.git")
    return folder / "x.git"


def _inside_git(folder: Path) -> Path:
    return _without_commit(folder) / ".git"


@pytest.mark.parametrize(
    ("place", "words", "code", "error"),
    [
        (_empty, [TASK], 6, "no git repository"),
        (_empty, ["show"], 6, "no git repository"),
        (_empty, ["runs"], 6, "no git repository"),
        (_empty, ["apply"], 6, "no git repository"),
        (_without_commit, [TASK], 6, "no commit yet"),
        (_without_commit, [TASK, "--base", "HEAD"], 6, "no commit yet"),
        (_bare, [TASK], 6, "bare repository"),
        (_inside_git, [TASK], 6, "inside a git directory"),
    ],
)
def test_places_where_no_run_can_start(
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
    place: Callable[[Path], Path],
    words: list[str],
    code: int,
    error: str,
) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    start = place(folder)
    before = sorted(folder.rglob("*"))
    options = ["--fixture", str(fixture_file(*REPLIES))] if words[0] == TASK else []
    done = run_here(capfdbinary, start, *words, *options)
    assert (done.returncode, done.stdout) == (code, b"")
    assert error in _said(done.stderr)[0]
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["--json"], 2, "usage"),
        (["--json", TASK, "--modle"], 2, "usage"),
        ([TASK, "--json"], 5, "provider"),
        ([TASK, "--json", "--branch", "main", "{good}"], 7, "conflict"),
    ],
)
def test_json_is_printed_for_bad_input_too(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str],
    code: int,
    reason: str,
) -> None:
    repository = make_repository(FILES)
    good = ["--fixture", str(fixture_file(*REPLIES))]
    done = run_here(
        capfdbinary, repository, *(part for word in words for part in (good if word == "{good}" else [word]))
    )
    told: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == told["exit_code"] == code
    assert (told["status"], told["reason"], told["patch"]) == ("error", reason, None)
    assert told["message"] in _said(done.stderr)[0]
