"""What may stand at the cursor: a table of unfinished command lines."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.cli.commands import COMMANDS
from orefactor.cli.completion import Shell, complete
from orefactor.cli.completion_values import VALUES, by_metavar
from orefactor.cli.dispatch import make_application
from orefactor.core.settings import Settings

RUN = "20260101T000000-abcdef"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with branches, a tag, a remote and runs; one branch's name would run a program, if it were evaluated."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "branch", "topic/one")
    git(folder, "branch", "$(touch>ran)")
    git(folder, "tag", "v1")
    git(folder, "remote", "add", "upstream", "elsewhere")
    for number, text in enumerate([json.dumps({"task": "add\ndocstrings \x1b[2J"}), "[1]", "{", ""]):
        run = folder / ".git" / "orefactor" / "runs" / RUN.replace("abcdef", f"abcde{number}")
        run.mkdir(parents=True)
        (run / "events.jsonl").write_text(text + "\n")
    (folder / ".git" / "orefactor" / "runs" / "20260101T000001-ffffff").mkdir()
    (folder / ".git" / "orefactor" / "runs" / "file").touch()
    return folder


def _values(folder: Path, words: Sequence[str], shell: Shell = "bash") -> list[str]:
    return [candidate.value for candidate in complete(words, shell, folder).candidates]


def _typed(words: Sequence[str] | bool) -> str:
    return "" if isinstance(words, bool) else " ".join(words)


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ([], [*COMMANDS]),
        ([""], [*COMMANDS]),
        (["ru"], ["run", "runs"]),
        (["--max-cost", "1", "ver"], ["verify"]),
        (["--fresh", "ver"], ["verify"]),
        (["--max-it"], ["--max-iterations"]),
        (["verify", "--c"], ["--checks"]),
        (["runs", "--"], ["--prune", "--keep", "--json", "--help"]),
        (["--base", ""], ["HEAD", "index", "worktree", "$(touch>ran)", "main", "topic/one", "v1"]),
        (["--base", "to"], ["topic/one"]),
        (["--base=to"], ["--base=topic/one"]),
        (["--base", "=", "to"], ["topic/one"]),
        (["--base", "="], ["HEAD", "index", "worktree", "$(touch>ran)", "main", "topic/one", "v1"]),
        (["--since", "v"], ["v1"]),
        (["pr", "--base", "v"], []),
        (["pr", "--base", "m"], ["main"]),
        (["pr", "--remote", ""], ["upstream"]),
        (["--branch", ""], ["auto"]),
        (["--provider", "deeps"], ["deepseek"]),
        (["--provider", "re"], ["recipes", "replay"]),
        (["--model", "deepseek-v4-p"], ["deepseek-v4-pro"]),
        (["--fallback", "ollama", ":", "x"], []),
        (["--check", "ruff"], ["ruff", "ruff-format"]),
        (["--contract", "docstrings,co"], ["docstrings,comments"]),
        (["--contract=imports,mov"], ["--contract=imports,move"]),
        (["--allow", "te"], ["tests"]),
        (["--sandbox", "b"], ["bwrap"]),
        (["context", "--type", "ren"], ["rename"]),
        (["show", "2026"], ["20260101T000001-ffffff", *(f"20260101T000000-abcde{number}" for number in "3210")]),
        (["show", RUN, ""], []),
        (["config", "max-c"], ["max-cost"]),
        (["config", "review.f"], ["review.fail_on"]),
        (["completion", "z"], ["zsh"]),
        (["install-hook", "--hook", "pre-p"], ["pre-push"]),
        (["verify", "v"], ["v1"]),
        (["review", "ind"], ["index"]),
        (["review", "v1..to"], ["v1..topic/one"]),
        (["review", "v1...to"], ["v1...topic/one"]),
        (["review", "v1", "--fail-on", "w"], ["warning"]),
        (["review", "--remote", ""], ["upstream"]),
        (["--max-cost", ""], []),
        (["--nothing", "sh"], ["show"]),
        (["--nothing=x"], []),
        (["run", ""], []),
        (["add docstrings", "--mini"], ["--minimize"]),
        (["run", "--", "--mini"], []),
        (["--", "--mini"], []),
        (["doctor", ""], []),
        (["=", "x"], []),
    ],
    ids=_typed,
)
def test_what_may_stand_at_the_cursor(repository: Path, words: list[str], values: list[str]) -> None:
    assert sorted(_values(repository, words)) == sorted(values)
    assert not (repository / "ran").exists()


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["add docstrings", ""], True),
        (["run", "add docstrings", "src/a.py", ""], True),
        (["context", "area", ""], True),
        (["--", "add docstrings", "--x"], True),
        (["--output", ""], True),
        (["-o", "a"], True),
        (["--trace=a"], True),
        (["verify", ""], True),
        (["replay", ""], True),
        (["review", ""], True),
        (["review", "v1", "src/"], True),
        (["run", ""], False),
        (["context", ""], False),
        (["runs", ""], False),
        (["--model", ""], False),
    ],
    ids=_typed,
)
def test_where_files_may_stand(repository: Path, words: list[str], files: bool) -> None:
    assert complete(words, "bash", repository).files is files


@pytest.mark.parametrize(
    ("shell", "value"), [("bash", "--base=HEAD"), ("fish", "--base=HEAD"), ("zsh", "HEAD")], ids=str
)
def test_each_shell_gets_what_it_replaces(repository: Path, shell: Shell, value: str) -> None:
    assert _values(repository, ["--base=HE"], shell) == [value]


def test_the_lines_hold_nothing_that_drives_a_terminal(repository: Path) -> None:
    lines = complete(["show", RUN[:20]], "fish", repository).lines().splitlines()
    assert lines[0] == "words"
    assert f"{RUN[:-1]}0\tadd docstrings \\x1b[2J" in lines
    assert all(line.replace("\t", "").isprintable() for line in lines)


def test_outside_of_a_repository_there_are_no_refs_and_runs(tmp_path: Path) -> None:
    assert _values(tmp_path, ["--base", ""]) == ["HEAD", "index", "worktree"]
    assert _values(tmp_path, ["show", ""]) == []


def test_the_tables_of_values_name_what_there_is() -> None:
    commands = make_application().commands
    options = {name for command in commands.values() for p in command.params for name in p.opts}
    arguments = {f"{name} {p.name}" for name, command in commands.items() for p in command.params}
    behind = {f"{name} {option}" for name, command in commands.items() for p in command.params for option in p.opts}
    planned = {"--review-model"}
    assert set(VALUES) - planned <= options | arguments | behind


@pytest.mark.parametrize("setting", ["tool_protocol", "sandbox"])
def test_the_words_of_a_setting_are_those_that_it_takes(setting: str, tmp_path: Path) -> None:
    words = _values(tmp_path, ["--" + setting.replace("_", "-"), ""])
    annotation = Settings.model_fields[setting].annotation
    assert words == list(getattr(annotation, "__args__", ()))


def test_values_by_the_word_in_the_help(tmp_path: Path) -> None:
    assert by_metavar("NAME").look_up is None and not by_metavar("NAME").files
    named = by_metavar("[COMMAND]").look_up
    assert named is not None and [candidate.value for candidate in named(tmp_path)] == [*COMMANDS]


def test_a_broken_git_directory_is_no_trouble(make_repository: MakeRepository) -> None:
    made = make_repository({"a.py": "x = 1\n"})
    run = made / ".git" / "orefactor" / "runs" / RUN
    run.mkdir(parents=True)
    os.mkfifo(run / "events.jsonl")
    assert _values(made, ["show", ""]) == [RUN]
