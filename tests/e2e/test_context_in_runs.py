"""The context pack in runs of the main job: who is shown what, what counts as read, and what the trace holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, completion, serving, tool_call
from conftest import MakeRepository, call, calls, git, write_files
from e2e.context_scene import FILES, TASK
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENT, events, read, trace

pytestmark = pytest.mark.usefixtures("context_on")

Run = Callable[..., Done]
TOKEN = "ghp_" + "a1B2" * 9
EDIT = {"path": "src/shapes.py", "old_string": '"""Multiply."""', "new_string": '"""Multiply two."""'}
EDITS = calls(call("edit_file", **EDIT))


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def run(repository: Path, fixture_file: Callable[..., Path], capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def go(*options: str, replies: tuple[dict[str, Any], ...] = (read(), EDITS)) -> Done:
        words = [TASK, "src/shapes.py", "--provider", "fixture", "--fixture", str(fixture_file(*replies)), *options]
        return run_here(capfdbinary, repository, *words)

    return go


@pytest.fixture
def server() -> Generator[ChatServer]:
    with serving() as chat:
        yield chat


def test_the_pack_is_shown_and_kept(run: Run, repository: Path) -> None:
    shown = {**read(), "prompt_contains": "def total(rows)"}
    rules = calls(call("skill_section", rule_id="AGENTS.md#docstrings"), prompt_contains="AGENTS.md#docstrings")
    done = run(replies=(shown, rules, EDITS))
    assert done.returncode == 0, done.stderr
    assert b"context: " in done.stderr
    kept = trace(repository)
    assert kept["frame"]["task_type"] == "document"
    assert kept["frame"]["entities"][0] == {
        "token": "area", "label": "function", "node_id": "src/shapes.py::area", "ambiguous": False, "candidates": [],
    }  # fmt: skip
    pack = kept["context_pack"]
    assert pack["full"] == ["src/shapes.py"]
    assert 0 < pack["tokens"] <= pack["budget"] == 6000
    assert {item["path"] for item in pack["items"]} >= {"src/shapes.py", "src/report.py", "tests/test_shapes.py"}
    assert [part["name"] for part in kept["tool_calls"]] == ["read_file", "skill_section", "edit_file"]
    assert "Google style." in kept["tool_calls"][1]["summary"]


@pytest.mark.parametrize(
    ("options", "budget"),
    [(["--context-tokens", "40"], 40), (["--max-tokens", "20000"], 2000), (["--no-context"], 0)],
    ids=["option", "a tenth of all tokens", "none"],
)
def test_its_size(run: Run, repository: Path, options: list[str], budget: int) -> None:
    assert run(*options).returncode == 0
    kept = trace(repository)
    assert (kept["frame"] or {"budget": 0})["budget"] == budget
    if not budget:
        assert (kept["context_pack"], kept["context_failure"]) == (None, "")
        assert "skill_section" not in kept["offered"]
        return
    assert kept["context_pack"]["tokens"] <= budget


def test_no_size_and_a_size(run: Run, repository: Path) -> None:
    done = run("--no-context", "--context-tokens", "5")
    assert (done.returncode, done.stderr.split(b"\n")[0]) == (
        2,
        b"error: `--context-tokens` and `--no-context` exclude each other",
    )


def test_an_offline_recipe_reads_none(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    words = ["add docstrings", "src/report.py", "--provider", "recipes"]
    assert run_here(capfdbinary, repository, *words).returncode == 0
    assert "ContextBuilt" not in {event["event"] for event in events(repository)}


def test_what_is_shown_whole_counts_as_read_by_a_model_and_not_by_a_script(
    run: Run, repository: Path, server: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(replies=(EDITS, {"content": "done"})).returncode == 0
    assert [part["status"] for part in trace(repository)["tool_calls"]] == ["failed"]
    edit = {"role": "assistant", "content": None, "tool_calls": [tool_call("c1", "edit_file", **EDIT)]}
    server.script(completion(edit, "tool_calls"), completion({"role": "assistant", "content": "Say it\n\nSaid."}))
    words = [TASK, "src/shapes.py", "--provider", "openai-compatible", "--base-url", server.url, "--model", "m"]
    done = run_here(capfdbinary, repository, *words)
    assert done.returncode == 0, done.stderr
    assert [part["status"] for part in trace(repository)["tool_calls"]] == ["executed"]
    assert len(server.requests) == 2
    system, user = (message["content"] for message in server.requests[0]["messages"])
    assert "def area(a, b):" in user
    assert "def area" not in system


def test_a_secret_in_it_is_redacted(run: Run, repository: Path) -> None:
    write_files(repository, {"src/shapes.py": f'{FILES["src/shapes.py"]}\n\nKEY = "{TOKEN}"\n'})
    git(repository, "commit", "-qam", "more")
    assert run().returncode == 0
    assert "[REDACTED:" in trace(repository)["context_pack"]["text"]
    kept = Path(git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir")) / "orefactor" / "runs"
    written = b"".join(path.read_bytes() for path in kept.rglob("*.json*"))
    assert TOKEN.encode() not in written


def test_the_tools_see_what_the_model_has_changed(run: Run, repository: Path) -> None:
    new = calls(call("write_file", path="src/circle.py", content="from shapes import area\n\n\nR = area(1, 2)\n"))
    asks = calls(call("find_references", symbol="area"), call("codebase_context", target="src/circle.py"))
    done = run("--no-context", "--check", "py_compile", replies=(read(), new, asks))
    assert json.dumps(trace(repository)["tool_calls"]).count("circle.py") >= 3, done.stderr


def test_a_damaged_index_is_made_anew(run: Run, repository: Path) -> None:
    assert run(replies=(read(), DOCUMENT)).returncode == 0
    for kept in (repository / ".git" / "orefactor").glob("symbols*"):
        kept.write_bytes(b"no database")
    assert run().returncode == 0
    assert trace(repository)["context_pack"]["items"]
