"""In a real pseudo-terminal: git's own pager and colours for the patch, a live line for the progress."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import Answer, serving
from conftest import MakeRepository, git
from e2e.processes import COMMAND, Terminal, run_here, without_escapes
from e2e.scenes import FILES, REPLIES, TASK, run_folders

FixtureFile = Callable[..., Path]
RED_PLUS = b'\x1b[31m+    """Multiply."""\x1b[m'
GREEN_PLUS = b'\x1b[32m+    """Multiply."""\x1b[m'

SILENCE = Answer(b"", content_type="text/event-stream", then="silence")


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may be run by a CI."""
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    """A repository whose pager records what it is given."""
    made = make_repository(FILES)
    git(made, "config", "core.pager", f"tee '{made.parent}/paged'; echo LESS=$LESS >> '{made.parent}/paged'")
    return made


def _paged(repository: Path) -> bytes:
    return (repository.parent / "paged").read_bytes()


@pytest.mark.parametrize(
    ("settings", "environment", "line"),
    [
        ({}, {}, GREEN_PLUS),
        ({"color.diff.new": "red"}, {}, RED_PLUS),
        ({"color.diff": "false"}, {}, b'\n+    """Multiply."""\n'),
        ({}, {"NO_COLOR": "1"}, b'\n+    """Multiply."""\n'),
    ],
)
def test_the_patch_goes_through_gits_pager_with_gits_colours(
    repository: Path,
    fixture_file: FixtureFile,
    settings: dict[str, str],
    environment: dict[str, str],
    line: bytes,
) -> None:
    for key, value in settings.items():
        git(repository, "config", key, value)
    words = ["git", "orefactor", TASK, "--no-check", "--fixture", str(fixture_file(*REPLIES))]
    code, shown = Terminal(repository, *words, environment=environment).finish()
    text = without_escapes(shown)
    assert code == 0, text
    assert line in _paged(repository)
    assert _paged(repository).endswith(b"LESS=FRX\n")
    assert "edit src/shapes.py" in text
    assert "done: Document area" in text
    assert "  next      git orefactor apply\n            git orefactor show\n" in text
    assert (b"\x1b[36m" in shown) == ("NO_COLOR" not in environment)


@pytest.mark.parametrize("pager", ["", "cat"])
def test_no_pager_where_the_user_wants_none(repository: Path, fixture_file: FixtureFile, pager: str) -> None:
    words = ["git", "orefactor", TASK, "-q", "--no-check", "--fixture", str(fixture_file(*REPLIES))]
    code, shown = Terminal(repository, *words, environment={"GIT_PAGER": pager}).finish()
    assert code == 0
    assert GREEN_PLUS in shown
    assert not (repository.parent / "paged").exists()


def test_a_pager_that_is_left_early_is_no_error(make_repository: MakeRepository, fixture_file: FixtureFile) -> None:
    repository = make_repository(FILES)
    git(repository, "config", "core.pager", "head -1")
    move = {"tool_calls": [{"name": "write_file", "arguments": {"path": "new.py", "content": "y = 1\n" * 20_000}}]}
    script = fixture_file(move, {"content": "Add"})
    words = ["git", "orefactor", TASK, "-q", "--no-check", "--fixture", str(script)]
    code, shown = Terminal(repository, *words).finish()
    assert (code, without_escapes(shown).count("\n")) == (0, 1)


def test_a_patch_can_not_drive_the_terminal(repository: Path, fixture_file: FixtureFile) -> None:
    evil = {"name": "write_file", "arguments": {"path": "new.txt", "content": "a\x1b[2J\u202eb\r\tä\n"}}
    script = fixture_file({"tool_calls": [evil]}, {"content": "Add"})
    words = ["git", "orefactor", TASK, "-q", "--no-check", "--fixture", str(script)]
    code, _ = Terminal(repository, *words, environment={"NO_COLOR": "1"}).finish()
    assert code == 0
    assert "\n+a^[[2J<U+202E>b^M\tä\n" in _paged(repository).decode()
    assert b"a\x1b[2J" in (run_folders(repository)[-1] / "result.patch").read_bytes()


def test_show_goes_through_the_pager_too(repository: Path, fixture_file: FixtureFile) -> None:
    script = str(fixture_file(*REPLIES))
    Terminal(repository, "git", "orefactor", TASK, "-q", "--fixture", script).finish()
    (repository.parent / "paged").unlink()
    code, _ = Terminal(repository, "git", "orefactor", "show").finish()
    assert code == 0
    assert "outcome   completed" in without_escapes(_paged(repository))
    assert GREEN_PLUS in _paged(repository)


def test_a_patch_that_is_redirected_is_plain_and_progress_still_lives(
    repository: Path, fixture_file: FixtureFile, tmp_path: Path
) -> None:
    words = ["git", "orefactor", TASK, "--fixture", str(fixture_file(*REPLIES))]
    code, shown = Terminal(repository, *words, stdout=tmp_path / "out.patch").finish()
    assert code == 0
    assert (tmp_path / "out.patch").read_bytes() == (run_folders(repository)[-1] / "result.patch").read_bytes()
    assert re.search("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] starting", without_escapes(shown))
    assert shown.count(b"\x1b[?25l") == shown.count(b"\x1b[?25h") == 1
    assert "git orefactor apply" not in without_escapes(shown)
    assert not (repository.parent / "paged").exists()


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"CI": "true"}], ids=["a dumb terminal", "a CI's"])
def test_other_terminals_get_plain_lines(
    repository: Path, fixture_file: FixtureFile, environment: dict[str, str]
) -> None:
    words = ["git", "orefactor", TASK, "--fixture", str(fixture_file(*REPLIES)), "--no-check", "-o", "out.patch"]
    _, shown = Terminal(repository, *words, environment=environment).finish()
    assert b"\x1b" not in shown
    assert b"round 1: 1 call(s)" in shown


@pytest.mark.parametrize("options", [[], ["--max-iterations", "2"]], ids=["done", "a limit"])
def test_the_last_screen_has_ten_rows_in_sixty_columns(
    repository: Path, fixture_file: FixtureFile, options: list[str]
) -> None:
    words = ["git", "orefactor", TASK, *options, "--fixture", str(fixture_file(*REPLIES)), "-o", "out.patch"]
    _, shown = Terminal(repository, *words, environment={"COLUMNS": "60"}).finish()
    # What follows the live view.
    last = without_escapes(shown.rpartition(b"\x1b[?25h")[2]).splitlines()
    run = run_folders(repository)[-1].name
    assert len(last) <= 10
    assert all(len(line) < 60 or run in line for line in last)
    assert any(line.startswith(f"  run       {run}") for line in last)
    assert ("  files     src/shapes.py +1 -0" in last) == (not options)
    # Of one that was stopped before it was judged.
    assert ("  files" in "\n".join(last)) == (not options)
    wanted = (
        ["            git orefactor show"] if not options else [f"  next      git orefactor replay {run} --from auto"]
    )
    assert last[-1:] == wanted


def test_ctrl_z_leaves_the_terminal_in_order_and_takes_it_again(repository: Path) -> None:
    """A session's leader isn't stopped, so it goes on at once; where it is, the shell has the cursor meanwhile."""
    with serving() as server:
        server.script(SILENCE)
        options = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url]
        command = [*COMMAND, TASK, *options]
        terminal = Terminal(repository, *command, environment={"no_proxy": "127.0.0.1"})
        terminal.wait_for(b"waiting for the model")
        terminal.press(b"\x1a")
        terminal.wait_for(b"\x1b[?25h")
        terminal.wait_for(b"\x1b[?25h" + b"\r\x1b[1A\x1b[2K" + b"\x1b[1A\x1b[2K" * 3 + b"\x1b[?25l")
        terminal.press(b"\x03")
        code, shown = terminal.finish()
    assert code == 130, shown
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    assert "error: the run was interrupted" in without_escapes(shown)


def test_piped_progress_is_plain_lines(
    repository: Path, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    done = run_here(capfdbinary, repository, TASK, "--fixture", str(fixture_file(*REPLIES)))
    lines = done.stderr.decode().splitlines()
    run = run_folders(repository)[-1].name
    assert b"\x1b" not in done.stdout + done.stderr
    assert re.fullmatch(r"used: 3 round\(s\), [0-9.]+ s", lines.pop(-3))
    assert [re.sub(r"in [0-9.]+ s", "in 0.0 s", line) for line in lines[1:]] == [
        *("round 1: 1 call(s) in 0.0 s", "  ✓ read src/shapes.py"),
        *("round 2: 1 call(s) in 0.0 s", lines[4], "round 3: 0 call(s) in 0.0 s"),
        *("  ✓ py_compile passed", "  ✓ ruff passed"),
        "done: Document area",
        "files: src/shapes.py +1 -0",
        "checks: py_compile passed, ruff passed",
        lines[-3],
        f"run: {run}, trace: {os.path.relpath(run_folders(repository)[-1] / 'trace.json', repository)}",
        "next: `git orefactor show`",
    ]
    assert lines[4].startswith("  ✓ edit src/shapes.py")
    assert re.fullmatch(r"contract: .*; \d+ guards passed", lines[-3])


def test_quiet_says_nothing_but_errors(
    repository: Path, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    script = str(fixture_file(*REPLIES))
    assert run_here(capfdbinary, repository, TASK, "-q", "--fixture", script).stderr == b""
    stopped = run_here(capfdbinary, repository, TASK, "-q", "--fixture", script, "--max-iterations", "1", "--fresh")
    assert [line.partition(b":")[0] for line in stopped.stderr.splitlines()] == [b"error", b"hint"]
