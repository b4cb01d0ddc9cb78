"""The second run of the same request: no model call where everything that the model saw is as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from chat_server import ChatServer, as_stream, serving, tool_call
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import Done, run_here
from e2e.scenes import FILES, leftovers
from recordings import newest, newest_trace

USAGE = {"prompt_tokens": 1300, "completion_tokens": 60}
LOOK = {
    "content": None,
    "tool_calls": [
        tool_call("c1", "read_file", path="src/shapes.py"),
        tool_call("c2", "read_file", path="notes.md"),
        tool_call("c3", "grep", pattern="twice", path="src"),
    ],
}
EDIT = {
    "content": None,
    "tool_calls": [
        tool_call(
            "c4", "edit_file", path="src/shapes.py", old_string="def area(a, b):\n",
            new_string='def area(a, b):\n    """Multiply."""\n',
        ),
        tool_call("c5", "run_check", command="py_compile src/shapes.py"),
    ],
}  # fmt: skip
LAST = {"content": "Document area\n\nIt says what it does."}
WORK = tuple(as_stream(message, usage=USAGE) for message in (LOOK, EDIT, LAST))
REUSED = "; no model was asked (`--fresh` asks)"

Ask = Callable[..., Done]


@pytest.fixture
def server() -> Generator[ChatServer]:
    with serving() as chat:
        chat.script(*WORK)
        yield chat


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository({**FILES, "notes.md": "as it was\n", "other.py": "x = 1\n"})


@pytest.fixture
def ask_again(
    repository: Path, server: ChatServer, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Ask:
    """Run the main job on the server."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")
    fixed = ("src/shapes.py", "--base-url", server.url, "--check", "py_compile")
    return lambda *words: run_here(capfdbinary, repository, *words, *fixed)


@pytest.fixture
def ask(server: ChatServer, ask_again: Ask) -> Ask:
    """Run it with the server's answers from the first one on."""

    def run(*options: str, task: str = "document area") -> Done:
        server.requests.clear()
        server.script(*WORK)
        return ask_again(task, *options)

    return run


@pytest.mark.usefixtures("context_on")
def test_nothing_is_asked_twice(ask: Ask, server: ChatServer, repository: Path) -> None:
    first = ask()
    assert (first.returncode, len(server.requests)) == (0, 3), first.stderr
    asked = newest_trace(repository)
    before = user_state(repository)
    again = ask("--json")
    told = json.loads(again.stdout)
    assert (again.returncode, len(server.requests)) == (0, 0), again.stderr
    assert f"repeating run {asked['run_id']}" in again.stderr.decode() and REUSED in again.stderr.decode()
    assert told["patch"].splitlines()[3:] == first.stdout.decode().splitlines()[3:]
    assert (told["reused"], told["cost_usd"], told["verified"]) == (asked["run_id"], 0.0, True)
    assert told["usage"] == {"prompt_tokens": 0, "cached_tokens": 0, "completion_tokens": 0, "requests": 0}
    kept = newest_trace(repository)
    assert kept["run_id"] != kept["reused"] == asked["run_id"]
    assert (kept["tree"], kept["context_pack"]["pack_id"]) == (asked["tree"], asked["context_pack"]["pack_id"])
    assert [check["outcome"] for check in kept["checks"]] == ["passed"]

    # A file that no call has looked at.
    write_files(repository, {"other.py": "x = 2\n", "README.md": "other\n"})
    done = ask("--branch", "result", "--base", "worktree")
    assert (done.returncode, done.stdout, len(server.requests)) == (0, b"result\n", 0), done.stderr
    assert git(repository, "show", "result:other.py") == "x = 2"
    assert newest_trace(repository)["reused"] == asked["run_id"], "the run that asked, not the one that reused it"
    assert "Orefactor-Model: served" in git(repository, "log", "-1", "--format=%B", "result")

    # One that a call has read.
    write_files(repository, {"notes.md": "as it is\n"})
    done = ask()
    assert (done.returncode, len(server.requests)) == (0, 3), done.stderr
    said = "not reused: `read_file` in round 1 gives another answer than it gave, so the model is asked"
    assert said in done.stderr.decode()
    kept = newest_trace(repository)
    assert (kept["reused"], len(kept["rounds"]), kept["usage"]["requests"]) == (None, 3, 3)
    assert [call["id"] for call in kept["tool_calls"]] == ["c1", "c2", "c3", "c4", "c5"]
    assert leftovers(repository) == []
    write_files(repository, {"other.py": "x = 1\n", "README.md": "shapes\n", "notes.md": "as it was\n"})
    made = ("refs/heads/result", "refs/notes/orefactor")
    assert {name: value for name, value in user_state(repository).items() if name not in made} == before


def test_what_is_and_what_is_not_the_same_request(
    ask: Ask, ask_again: Ask, server: ChatServer, repository: Path
) -> None:
    """`tests/core/test_reuse.py` has the whole table; here is what the command's own options do."""
    requests = {}
    for name, options, task in (
        ("first", (), "document area"),
        ("limits", ("--max-iterations", "20", "--max-cost", "5"), "  document   area "),
        ("rounds", ("--max-iterations", "2"), "document area"),
        ("fresh", ("--fresh",), "document area"),
    ):
        ask(*options, task=task)
        requests[name] = len(server.requests)
    assert requests == {"first": 3, "limits": 0, "rounds": 2, "fresh": 3}
    git(repository, "config", "orefactor.reuse", "false")
    ask()
    assert len(server.requests) == 3
    git(repository, "config", "--unset", "orefactor.reuse")
    # That nothing has to change is an answer as well.
    for count in (2, 0):
        server.requests.clear()
        server.script(WORK[0], WORK[2])
        done = ask_again("look at it")
        assert (done.returncode, done.stdout, len(server.requests)) == (0, b"", count)


def test_whose_result_is_none(ask: Ask, server: ChatServer, repository: Path) -> None:
    """A run that failed, one that was changed since, one that is forgotten, one that somebody else has signed."""
    done = ask("--max-iterations", "2")
    assert (done.returncode, len(server.requests)) == (4, 2)
    done = ask()
    assert (done.returncode, len(server.requests)) == (0, 3)
    kept = newest(repository) / "trace.json"
    kept.write_text(kept.read_text().replace("Multiply", "Subtract"))
    ask()
    assert len(server.requests) == 3
    shutil.rmtree(newest(repository))
    (answer,) = (repository / ".git" / "orefactor" / "reuse").iterdir()
    answer.write_bytes(b"0" * 64 + answer.read_bytes()[64:])
    ask()
    assert len(server.requests) == 3
