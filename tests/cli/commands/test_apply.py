"""`apply`: a run's patch on the working tree, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CopyOf, MakeRepository, git, user_state, write_files
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENTED, FILES, REPLIES, SHAPES, TASK, read, run_folders

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
SHAPE_FILE = "src/shapes.py"


@pytest.fixture
def repository(
    copy_of: CopyOf, make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> Path:
    """One whose newest run documented a function."""

    def make() -> Path:
        made = make_repository(FILES)
        run_here(capfdbinary, made, TASK, "--no-check", "--fixture", str(fixture_file(*REPLIES)))
        return made

    return copy_of("to-apply", make)


def _apply(capture: Capture, repository: Path, *words: str) -> Done:
    done = run_here(capture, repository, "apply", *words)
    assert done.stdout == b""
    return done


@pytest.mark.parametrize(
    ("words", "status"),
    [([], " M src/shapes.py"), (["--index"], "M  src/shapes.py"), (["--3way"], "M  src/shapes.py")],
)
def test_it_fits(repository: Path, capfdbinary: Capture, words: list[str], status: str) -> None:
    done = _apply(capfdbinary, repository / "src", *words)
    assert (done.returncode, done.stderr) == (0, b"done: Document area [src/shapes.py]\n")
    assert (repository / SHAPE_FILE).read_text() == DOCUMENTED
    assert git(repository, "status", "--porcelain") == status.strip()
    assert git(repository, "diff", "HEAD", "--name-only") == SHAPE_FILE


def test_a_run_by_its_name(repository: Path, fixture_file: FixtureFile, capfdbinary: Capture) -> None:
    (first,) = run_folders(repository)
    run_here(capfdbinary, repository, TASK, "--fixture", str(fixture_file(read(), {"content": "Fine"})))
    newest = _apply(capfdbinary, repository)
    assert (newest.returncode, b"needed no change" in newest.stderr) == (0, True)
    assert _apply(capfdbinary, repository, first.name).returncode == 0
    assert (repository / SHAPE_FILE).read_text() == DOCUMENTED


CONFLICT = SHAPES.replace("area(a, b)", "area(width, height)")
ELSEWHERE = SHAPES.replace("2 * a", "a + a")


@pytest.mark.parametrize("content", [CONFLICT, DOCUMENTED])
def test_where_it_does_not_fit_nothing_changes(repository: Path, capfdbinary: Capture, content: str) -> None:
    write_files(repository, {SHAPE_FILE: content})
    for words in ([], ["--index"], ["--3way"]):
        before = user_state(repository)
        done = _apply(capfdbinary, repository, *words)
        lines = done.stderr.decode().splitlines()
        assert (done.returncode, [line.partition(":")[0] for line in lines]) == (7, ["error", "hint"])
        assert "the patch doesn't fit the working tree" in lines[0]
        assert user_state(repository) == before


def test_a_merge_of_what_is_there_already(repository: Path, capfdbinary: Capture) -> None:
    write_files(repository, {SHAPE_FILE: DOCUMENTED})
    git(repository, "add", "-A")
    assert _apply(capfdbinary, repository).returncode == 7
    assert _apply(capfdbinary, repository, "--3way").returncode == 0
    assert git(repository, "diff", "HEAD", "--name-only") == SHAPE_FILE


@pytest.mark.parametrize(("words", "code"), [([], 0), (["--index"], 7), (["--3way"], 7)])
def test_other_unfinished_work_in_the_file_stays(
    repository: Path, capfdbinary: Capture, words: list[str], code: int
) -> None:
    # `--index` and `--3way` want the file to be as it is in the index, as `git apply` does.
    write_files(repository, {SHAPE_FILE: ELSEWHERE})
    before = user_state(repository)
    assert _apply(capfdbinary, repository, *words).returncode == code
    text = (repository / SHAPE_FILE).read_text()
    assert "a + a" in text
    assert ('"""Multiply."""' in text) == (code == 0)
    if code:
        assert user_state(repository) == before


def test_a_merge_where_lines_have_moved(repository: Path, capfdbinary: Capture) -> None:
    write_files(repository, {SHAPE_FILE: "# a\n" * 40 + SHAPES.replace("a * b", "b * a")})
    git(repository, "commit", "-qam", "moved")
    assert _apply(capfdbinary, repository, "--3way").returncode in (0, 7)
    assert "<<<<" not in (repository / SHAPE_FILE).read_text()


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([read(), {**read(), "every_round": True}], ["--max-iterations", "2"]),
        ([*REPLIES[:2], {**read(), "every_round": True}], ["--max-iterations", "3"]),
        ([{"content": "no tools"}], []),
    ],
)
def test_a_run_that_delivered_nothing(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    replies: list[dict[str, Any]],
    words: list[str],
) -> None:
    repository = make_repository(FILES)
    run_here(capfdbinary, repository, TASK, *words, "--fixture", str(fixture_file(*replies)))
    before = user_state(repository)
    done = _apply(capfdbinary, repository)
    assert (done.returncode, b"delivered no patch" in done.stderr) == (3, True)
    assert user_state(repository) == before


def test_a_killed_run_and_a_bare_repository(repository: Path, capfdbinary: Capture, tmp_path: Path) -> None:
    (run,) = run_folders(repository)
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    kept = bare / "orefactor" / "runs" / run.name
    kept.mkdir(parents=True)
    for path in run.iterdir():
        (kept / path.name).write_bytes(path.read_bytes())
    done = _apply(capfdbinary, bare)
    assert (done.returncode, b"bare repository" in done.stderr) == (6, True)
    (run / "trace.json").unlink()
    done = _apply(capfdbinary, repository)
    assert (done.returncode, b"since it was interrupted" in done.stderr) == (3, True)
