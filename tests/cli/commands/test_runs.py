"""`runs`: what the repository keeps, and forgetting it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import CopyOf, MakeRepository, user_state
from e2e.processes import Done, run_here
from e2e.scenes import FILES, REPLIES, read, run_folders

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]


def _killed(repository: Path, run_id: str, task: str) -> Path:
    """What a run leaves that was killed some time ago."""
    run = repository / ".git" / "orefactor" / "runs" / run_id
    run.mkdir(parents=True)
    (run / "events.jsonl").write_text(json.dumps({"event": "RunStarted", "task": task}) + "\n")
    return run


@pytest.fixture
def repository(
    copy_of: CopyOf, make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> Path:
    """One with a killed run, one that delivered, one that changed nothing, and one that a limit ended."""

    def make() -> Path:
        made = make_repository(FILES)
        _killed(made, "20200101T000000-abcdef", "the\x1b[2J old one")
        scripts = {"delivers": REPLIES, "changes nothing": (read(), {"content": "Fine"}), "limit": (read(),) * 2}
        for task, replies in scripts.items():
            words = ["--no-check", "--max-iterations", "1" if task == "limit" else "5"]
            run_here(capfdbinary, made, task, *words, "--fixture", str(fixture_file(*replies)))
        return made

    return copy_of("with-runs", make)


def _runs(capture: Capture, repository: Path, *words: str) -> Done:
    done = run_here(capture, repository, "runs", *words)
    assert done.returncode == 0
    return done


def test_the_newest_stands_first(repository: Path, capfdbinary: Capture) -> None:
    rows = json.loads(_runs(capfdbinary, repository, "--json").stdout)
    assert {row["task"]: (row["outcome"], row["files"]) for row in rows} == {
        "limit": ("limit:max_iterations", 0),
        "changes nothing": ("no change needed", 0),
        "delivers": ("delivered", 1),
        r"the\x1b[2J old one": ("interrupted", 0),
    }
    ids = [row["run_id"] for row in rows]
    assert [row["task"].split()[0] for row in rows] == ["limit", "changes", "delivers", r"the\x1b[2J"]
    lines = _runs(capfdbinary, repository).stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == ids
    (run_folders(repository)[-1] / "trace.json").write_text('{"task": "a stranger wrote this"}')
    assert [line.split()[1] for line in _runs(capfdbinary, repository).stdout.decode().splitlines()].count(
        "interrupted"
    ) == 2
    assert lines[-1].endswith(r"interrupted                     0 file(s)  the\x1b[2J old one")


def test_prune_keeps_the_newest_and_what_is_no_run(repository: Path, capfdbinary: Capture) -> None:
    before = user_state(repository)
    other = repository / ".git" / "orefactor" / "runs" / "notes"
    other.mkdir()
    ids = [row["run_id"] for row in json.loads(_runs(capfdbinary, repository, "--json").stdout)]
    for words, forgot, left in (([], 0, 4), (["--keep", "9"], 0, 4), (["--keep", "2"], 2, 2), (["--keep", "0"], 2, 0)):
        done = _runs(capfdbinary, repository, "--prune", *words)
        assert done.stdout == b""
        assert done.stderr.decode() == f"note: forgot {forgot} run(s), cleared 0 dead worktree(s)\n"
        assert {run.name for run in run_folders(repository)} == {*ids[:left], "notes"}
    assert user_state(repository) == before


def test_no_run_yet(make_repository: MakeRepository, capfdbinary: Capture) -> None:
    repository = make_repository(FILES)
    assert _runs(capfdbinary, repository) == Done(0, b"", b"note: no run is kept in this repository\n")
    assert _runs(capfdbinary, repository, "--json").stdout == b"[]\n"
    assert not (repository / ".git" / "orefactor").exists()
