"""`replay`: a run again from its record, offline and without a key."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, edit, leftovers, read, run_folders
from recordings import change_call, changed_trace, newest_trace

Call = Callable[..., Done]


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def call_here(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    return lambda *arguments: run_here(capfdbinary, repository, *arguments)


def told(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_same_tree_from_a_run_a_file_and_in_a_clone(
    repository: Path, call_here: Call, fixture_file: Callable[..., Path], tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    write_files(repository, {"src/shapes.py": FILES["src/shapes.py"] + "\n\nMINE = 1\n"})
    # The first answer fails a check, so that the run is asked for a repair.
    spoil = edit("MINE = 1\n", "import os\n\nMINE = 1\n")
    replies = (read(), spoil, {"content": "Done"}, edit("import os\n\n", ""), *REPLIES[1:])
    options = ("--fixture", str(fixture_file(*replies)), "--check", "ruff", "--minimize", "--allow", "size")
    done = call_here(TASK, "src/shapes.py", *options)
    assert done.returncode == 0, done.stderr
    recorded = newest_trace(repository)
    assert recorded["repairs"] == 1
    before, runs = user_state(repository), run_folders(repository)
    done = call_here("replay", "--json")
    assert (done.returncode, told(done)["same"]) == (0, True), done.stderr
    assert (told(done)["tree"], told(done)["rounds"]) == (recorded["tree"], 6)
    assert "round 6" in done.stderr.decode()
    assert (user_state(repository), run_folders(repository), leftovers(repository)) == (before, runs, [])
    kept = {path: path.read_bytes() for path in runs[0].iterdir()}

    # Elsewhere the snapshot's commit isn't; the trace and the base's patch are passed on.
    clone = tmp_path / "clone"
    git(repository, "clone", "-q", "--no-local", ".", str(clone))
    done = run_here(capfdbinary, clone, "replay", str(runs[0] / "trace.json"), "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"same      the tree {recorded['tree']}" in done.stdout.decode()
    shutil.copy(runs[0] / "trace.json", tmp_path / "trace.json")
    clone = tmp_path / "other"
    git(repository, "clone", "-q", "--no-local", ".", str(clone))
    done = run_here(capfdbinary, clone, "replay", str(tmp_path / "trace.json"))
    assert (done.returncode, done.stdout) == (7, b"")
    assert "`base.patch` beside the trace" in done.stderr.decode()
    assert kept == {path: path.read_bytes() for path in runs[0].iterdir()}


def _arguments(found: dict[str, Any], before: str, after: str) -> None:
    for part in found["rounds"]:
        for call in part["reply_calls"]:
            call["arguments"] = call["arguments"].replace(before, after)


def _no_tree(found: dict[str, Any], rounds: int | None = None) -> None:
    found |= {"tree": None, "reason": "limit:max_tokens", "rounds": found["rounds"][:rounds]}


def test_the_first_difference(
    repository: Path, call_here: Call, fixture_file: Callable[..., Path], tmp_path: Path
) -> None:
    replies = (read(), edit("a", "b"), DOCUMENT, {"content": "Document area"})
    assert call_here(TASK, "src", "--fixture", str(fixture_file(*replies)), "--no-check").returncode == 0
    recorded = newest_trace(repository)
    table: dict[str, tuple[Callable[[dict[str, Any]], object], str | None, str]] = {
        "answer": (lambda t: change_call(t, digest="0" * 64, summary="other\nlines"), "call", "read_file"),
        "arguments": (lambda t: _arguments(t, "Multiply.", "Multiply!"), "tree", "file is `src/shapes.py`"),
        "longer": (lambda t: t["rounds"].append({**t["rounds"][0], "round": 5}), "end", "is done before round 5"),
        "shorter": (lambda t: t["rounds"].pop(), "end", "asks for round 4, and the recorded one had 3"),
        "tree-id": (lambda t: t.update(tree="0" * 40), "tree", "gives another tree"),
        "limited": (_no_tree, "end", "comes to its end"),
        "ended-before": (lambda t: _no_tree(t, -1), None, ""),
    }
    found: dict[str, tuple[str | None, bool]] = {}
    for name, (change, _, words) in table.items():
        done = call_here("replay", changed_trace(recorded, tmp_path / "t.json", change), "--json", "-q")
        difference = told(done)["difference"]
        assert done.returncode == (3 if difference else 0), name
        found[name] = (difference and difference["kind"], words in str(difference) + done.stderr.decode())
    assert found == {name: (kind, True) for name, (_, kind, _) in table.items()}
    # As people read it.
    done = call_here("replay", changed_trace(recorded, tmp_path / "t.json", table["answer"][0]))
    assert done.stdout.decode().splitlines()[2:] == [
        "repeated  1 round(s), 0 call(s) with the same answers",
        "differs   read src/shapes.py in round 1",
        "  was     other",
        "  is      def area(a, b):",
    ]
    assert "error: `read_file` in round 1 gives another answer than it gave" in done.stderr.decode()


def test_a_hostile_trace_chooses_nothing(
    repository: Path, call_here: Call, fixture_file: Callable[..., Path], tmp_path: Path
) -> None:
    assert call_here(TASK, "src", "--fixture", str(fixture_file(*REPLIES)), "--check", "py_compile").returncode == 0
    recorded, mark = newest_trace(repository), tmp_path / "mark"

    def hostile(found: dict[str, Any]) -> None:
        found["settings"] |= {
            "checks": ["py_compile", f"own=touch {mark}", "own"],
            "commands": {"own": f"touch {mark}"},
            "python": str(tmp_path / "evil"),
            "sandbox": "none",
            "base_url": "http://127.0.0.1:1",
            "fallback": ["evil"],
            "max_seconds": 0.001,
        }
        found["summary"]["title"] = found["run_id"] = "\x1b[2J"

    done = call_here("replay", changed_trace(recorded, tmp_path / "t.json", hostile))
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert "note: `own` is a check of the project's own" in done.stderr.decode()
    assert not mark.exists()
    for paths in (["../.."], ["/etc"], [".git/config"], ["src\n"], ["-h"]):
        path = changed_trace(recorded, tmp_path / "t.json", lambda t, p=paths: t.update(paths=p))  # type: ignore[misc]
        assert call_here("replay", path).returncode == 2, paths


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["replay"], 2, "no run is kept", id="no-run"),
        pytest.param(["replay", "2026"], 2, "no run is kept", id="unknown-run"),
        pytest.param(["replay", "README.md"], 2, "is no trace of a run", id="no-trace"),
        pytest.param(["replay", "README.md", "--model", "m"], 2, "so `--model` has no meaning", id="live-option"),
        pytest.param(["replay", "README.md", "--apply"], 2, "so a delivery has no meaning", id="delivery"),
        pytest.param(["replay", "README.md", "--from", "x"], 2, "is no trace of a run", id="from-nothing"),
    ],
)
def test_bad_input(call_here: Call, words: list[str], code: int, said: str) -> None:
    done = call_here(*words)
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr.decode() and "hint: " in done.stderr.decode()
