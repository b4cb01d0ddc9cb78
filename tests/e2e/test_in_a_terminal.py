"""In a real pseudo-terminal: git's own pager and colours for the patch, a live line for the progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git
from e2e.processes import Terminal, run_here, without_escapes
from e2e.scenes import FILES, REPLIES, TASK, run_folders

FixtureFile = Callable[..., Path]
RED_PLUS = b'\x1b[31m+    """Multiply."""\x1b[m'
GREEN_PLUS = b'\x1b[32m+    """Multiply."""\x1b[m'


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
    assert "done: Document area [src/shapes.py]" in text
    assert "hint: take it: `git orefactor apply`" in text
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
    assert b"outcome   completed" in _paged(repository)
    assert GREEN_PLUS in _paged(repository)


def test_a_patch_that_is_redirected_is_plain_and_progress_still_lives(
    repository: Path, fixture_file: FixtureFile, tmp_path: Path
) -> None:
    words = ["git", "orefactor", TASK, "--fixture", str(fixture_file(*REPLIES))]
    code, shown = Terminal(repository, *words, stdout=tmp_path / "out.patch").finish()
    assert code == 0
    assert (tmp_path / "out.patch").read_bytes() == (run_folders(repository)[-1] / "result.patch").read_bytes()
    assert "⠋ starting" in without_escapes(shown)
    assert b"\x1b[?25h" in shown
    assert not (repository.parent / "paged").exists()


def test_a_dumb_terminal_gets_plain_lines(repository: Path, fixture_file: FixtureFile) -> None:
    words = ["git", "orefactor", TASK, "--fixture", str(fixture_file(*REPLIES)), "--no-check"]
    _, shown = Terminal(repository, *words, environment={"TERM": "dumb", "GIT_PAGER": "cat"}).finish()
    progress, _, _ = shown.partition(b"Orefactor-Run")
    assert b"\x1b" not in progress
    assert b"round 1: 1 call(s)" in progress


def test_piped_progress_is_plain_lines(
    repository: Path, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    done = run_here(capfdbinary, repository, TASK, "--fixture", str(fixture_file(*REPLIES)))
    lines = done.stderr.decode().splitlines()
    assert b"\x1b" not in done.stdout + done.stderr
    assert lines[1:] == [
        *("round 1: 1 call(s) in 0.0 s", "  ✓ read src/shapes.py"),
        *("round 2: 1 call(s) in 0.0 s", "  ✓ edit src/shapes.py", "round 3: 0 call(s) in 0.0 s"),
        *("  ✓ py_compile passed", "  ✓ ruff passed"),
        f"done: Document area [src/shapes.py] verified, 3 round(s); run {run_folders(repository)[-1].name}",
    ]
