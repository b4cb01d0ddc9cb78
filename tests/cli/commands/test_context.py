"""`context`: what it prints, in each form, and what it says to bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.context_scene import FILES, TASK
from e2e.processes import run_here
from e2e.scenes import leftovers, run_folders

pytestmark = pytest.mark.usefixtures("context_on")

Capture = pytest.CaptureFixture[bytes]
Scene = Callable[[Path], None]


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


def _json(capture: Capture, repository: Path, *words: str) -> dict[str, Any]:
    done = run_here(capture, repository, "context", *words, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_json_has_the_promised_shape(capfdbinary: Capture, repository: Path) -> None:
    before = user_state(repository)
    told = _json(capfdbinary, repository, TASK, "src/shapes.py")
    assert set(told) >= {"frame", "pack_id", "tokens", "items", "text"}
    frame = told["frame"]
    assert (frame["task_type"], frame["budget"], frame["requester"]) == ("document", 6000, "human")
    (area,) = frame["entities"]
    assert area | {"candidates": []} == {
        "token": "area",
        "label": "function",
        "node_id": "src/shapes.py::area",
        "ambiguous": False,
        "candidates": [],
    }
    assert all(set(item) >= {"path", "symbol", "lines", "why", "score", "tokens"} for item in told["items"])
    scores = [item["score"] for item in told["items"]]
    assert scores == sorted(scores, reverse=True)
    assert {"src/shapes.py", "src/report.py", "tests/test_shapes.py"} <= {item["path"] for item in told["items"]}
    assert 0 < told["tokens"] <= 6000
    assert "Multiply" in told["text"]
    # Nothing is kept of it, and nothing of the user's has changed.
    assert (run_folders(repository), leftovers(repository), user_state(repository)) == ([], [], before)


def test_the_page_and_the_text_say_the_same(capfdbinary: Capture, repository: Path) -> None:
    told = _json(capfdbinary, repository, TASK, "src")
    shown = run_here(capfdbinary, repository, "context", TASK, "src").stdout.decode()
    assert f"pack         {told['pack_id']}  {len(told['items'])} item(s), {told['tokens']:,} of 6,000 tokens" in shown
    assert "names        area  function src/shapes.py::area" in shown.splitlines()
    assert [item["path"] for item in told["items"] if item["path"] not in shown] == []
    text = run_here(capfdbinary, repository, "context", TASK, "src", "--text")
    assert text.stdout.decode() == told["text"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--type", "rename"], {"task_type": "rename"}),
        (["--context-tokens", "0"], {"budget": 0}),
        (["--context-tokens", "50"], {"budget": 50}),
    ],
)
def test_options(capfdbinary: Capture, repository: Path, words: list[str], expected: dict[str, Any]) -> None:
    told = _json(capfdbinary, repository, TASK, "src", *words)
    assert told["frame"] | expected == told["frame"]
    assert told["tokens"] <= told["frame"]["budget"]


def test_settings_and_policy_count(capfdbinary: Capture, repository: Path) -> None:
    write_files(repository, {"pyproject.toml": "[tool.orefactor]\ncontext-tokens = 900\n"})
    git(repository, "add", "pyproject.toml")
    assert _json(capfdbinary, repository, TASK)["frame"]["budget"] == 900
    git(repository, "config", "--global", "orefactor.policy.contextTokens", "500")
    assert _json(capfdbinary, repository, TASK)["frame"]["budget"] == 500


def test_unfinished_work_counts_unless_another_base_is_named(capfdbinary: Capture, repository: Path) -> None:
    write_files(repository, {"src/shapes.py": "def surface(a):\n    return a\n", "new.py": "def fresh():\n    pass\n"})
    here = _json(capfdbinary, repository, "document surface and fresh", "src", "new.py")
    assert [entity["node_id"] for entity in here["frame"]["entities"]] == ["src/shapes.py::surface", "new.py::fresh"]
    there = _json(capfdbinary, repository, "document surface and fresh", "src", "--base", "HEAD")
    assert there["frame"]["entities"] == []


@pytest.mark.parametrize(("name", "start"), [("graph.svg", "<svg "), ("graph.html", "<!DOCTYPE html>")])
def test_the_graph(capfdbinary: Capture, repository: Path, tmp_path: Path, name: str, start: str) -> None:
    done = run_here(capfdbinary, repository, "context", TASK, "src", "--graph", str(tmp_path / name))
    assert done.returncode == 0
    drawn = (tmp_path / name).read_text()
    assert drawn.startswith(start)
    assert "src/report.py" in drawn and "test_area" in drawn
    assert done.stderr.decode().startswith("done: drew ")
    assert done.stdout.startswith(b"task         document area\n")


def _nothing(_repository: Path) -> None:
    """The repository as it is."""


def _wrong_settings(repository: Path) -> None:
    write_files(repository, {"pyproject.toml": "[tool.orefactor]\nbase-url = 'http://127.0.0.1'\n"})
    git(repository, "add", "pyproject.toml")


BAD: list[tuple[Scene, list[str], int, str, str]] = [
    (_nothing, [], 2, "the task is empty", "git orefactor context"),
    (_nothing, [" \n"], 2, "the task is empty", "git orefactor context"),
    (_nothing, [TASK, "../elsewhere"], 2, "outside the repository", "of this repository"),
    (_nothing, [TASK, ".git/config"], 2, "lies in the git directory", "working tree"),
    (_nothing, [TASK, "missing.py"], 2, "`missing.py` is not in the base", "relative to the current folder"),
    (_nothing, [TASK, ""], 2, "no usable path", "name a file"),
    (_nothing, [TASK, "--base", "v9"], 2, "`v9` names no commit", "git log"),
    (_nothing, [TASK, "--context-tokens", "-1"], 2, "`--context-tokens` is wrong", "-h"),
    (_nothing, [TASK, "--context-tokens", "many"], 2, "--context-tokens", "-h"),
    (_nothing, [TASK, "--type", "renme"], 2, "no type of task `renme`", "did you mean `rename`?"),
    (_nothing, [TASK, "--type", "\x1b[2J"], 2, "no type of task `\\x1b[2J`", "one of document, annotate"),
    (_nothing, [TASK, "--graph", "x.png"], 2, "can't draw the graph as `x.png`", ".svg or .html"),
    (_nothing, [TASK, "--graph", "missing/x.svg"], 2, "can't write the graph", "existing folder"),
    (_nothing, [TASK, "--text", "--json"], 2, "exclude each other", "leave one"),
    (_nothing, [TASK, "--modle", "x"], 2, "--modle", "-h"),
    (_wrong_settings, [TASK], 2, "`base-url` may not", "may set"),
]


@pytest.mark.parametrize(("scene", "words", "code", "said", "hint"), BAD, ids=[" ".join(case[1]) for case in BAD])
def test_bad_input(
    capfdbinary: Capture, repository: Path, scene: Scene, words: list[str], code: int, said: str, hint: str
) -> None:
    scene(repository)
    before = user_state(repository)
    done = run_here(capfdbinary, repository, "context", *words)
    lines = done.stderr.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"], lines
    assert said in lines[0]
    assert hint in lines[1]
    wanted = b"" if "--json" not in words else done.stdout
    assert (done.returncode, done.stdout) == (code, wanted)
    assert (run_folders(repository), leftovers(repository), user_state(repository)) == ([], [], before)


def test_no_repository(capfdbinary: Capture, tmp_path: Path) -> None:
    done = run_here(capfdbinary, tmp_path, "context", TASK, "--json", "--graph", "x.svg")
    assert done.returncode == 6
    assert done.stderr.decode().splitlines()[0].startswith("error: no git repository at ")
    assert json.loads(done.stdout)["exit_code"] == 6
    assert list(tmp_path.iterdir()) == []
