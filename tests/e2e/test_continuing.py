"""A run that goes on where another one was limited or killed, or from any of its rounds."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from chat_server import NOTHING, Answer, ChatServer, as_stream, serving, tool_call
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import Done, finish, run_here, start, wait_until
from e2e.scenes import FILES, TASK, leftovers
from recordings import change_call, changed_trace, newest, newest_trace

USAGE = {"prompt_tokens": 1300, "completion_tokens": 60}
READ = {
    "content": None,
    "reasoning_content": "first I look",
    "tool_calls": [tool_call("c1", "read_file", path="src/shapes.py")],
}
EDIT = {
    "content": None,
    "tool_calls": [
        tool_call(
            "c2", "edit_file", path="src/shapes.py", old_string="def area(a, b):\n",
            new_string='def area(a, b):\n    """Multiply."""\n',
        )
    ],
}  # fmt: skip
LAST = {"content": "Document area\n\nIt says what it does."}
WORK = tuple(as_stream(message, usage=USAGE) for message in (READ, EDIT, LAST))

Call = Callable[..., Done]


@pytest.fixture
def server() -> Generator[ChatServer]:
    with serving() as chat:
        chat.script(*WORK)
        yield chat


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def call_here(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    return lambda *arguments: run_here(capfdbinary, repository, *arguments)


@pytest.fixture
def ask(repository: Path, server: ChatServer, call_here: Call, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")

    def run(*arguments: str) -> Done:
        server.requests.clear()
        return call_here(*arguments, "--base-url", server.url)

    return run


def test_a_limited_run_goes_on(ask: Call, server: ChatServer, repository: Path) -> None:
    server.script(*WORK)
    write_files(repository, {"README.md": "changed\n"})
    done = ask(TASK, "src/shapes.py", "--no-check", "--max-iterations", "2")
    assert done.returncode == 4
    limited = newest_trace(repository)
    # It goes on from its own base, whatever the working tree holds now.
    write_files(repository, {"src/shapes.py": "mine = 1\n"})
    before = user_state(repository)
    server.script(WORK[2])
    done = ask("replay", "--from", "auto", "--max-iterations", "1", "--branch", "result")
    assert (done.returncode, done.stdout, len(server.requests)) == (0, b"result\n", 1), done.stderr
    assert f"going on with run {limited['run_id']} from round 3" in done.stderr.decode()
    kept = newest_trace(repository)
    assert kept["continues"] == {"run_id": limited["run_id"], "round": 3}
    assert (len(kept["rounds"]), kept["usage"]["prompt_tokens"], kept["base"]) == (3, 1300, limited["base"])
    assert git(repository, "show", "result:src/shapes.py").count('"""Multiply."""') == 1
    assert git(repository, "show", "result:README.md") == "changed"
    messages = server.requests[0]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert messages[2]["reasoning_content"] == "first I look"
    made = ("refs/heads/result", "refs/notes/orefactor")
    assert {name: value for name, value in user_state(repository).items() if name not in made} == before
    # The new run can be replayed as any other, and a round of it be asked anew.
    assert ask("replay").returncode == 2
    assert run_replay(ask).returncode == 0


def run_replay(ask: Call) -> Done:
    return ask("replay", "--from", "3", "--json")


def test_a_killed_run_goes_on(ask: Call, server: ChatServer, repository: Path) -> None:
    server.script(*WORK[:2], Answer(b"", status=NOTHING))
    process = start(repository, TASK, "src/shapes.py", "--base-url", server.url, "--no-check")
    wait_until(lambda: len(server.requests) == 3)
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    assert not (newest(repository) / "trace.json").exists()
    done = ask("replay", "--json", "-q")
    assert done.returncode == 2  # an address has no meaning there
    server.script(WORK[2])
    killed = newest(repository).name
    done = ask("replay", killed, "--from", "auto", "-o", str(repository / "out.patch"))
    assert (done.returncode, len(server.requests)) == (0, 1), done.stderr
    assert '"""Multiply."""' in (repository / "out.patch").read_text()
    assert newest_trace(repository)["continues"] == {"run_id": killed, "round": 3}
    assert (newest(repository) / "events.jsonl").read_text().count('"RunContinued"') == 1
    assert leftovers(repository) == []


def test_where_a_run_can_not_go_on(ask: Call, server: ChatServer, repository: Path, tmp_path: Path) -> None:
    server.script(*WORK)
    assert ask(TASK, "src/shapes.py", "--no-check").returncode == 0
    recorded = newest_trace(repository)
    table: dict[str, tuple[list[str], Callable[[dict[str, Any]], object], int, str]] = {
        "came to its end": (["auto"], lambda t: None, 2, "came to its end"),
        "beyond": (["5"], lambda t: None, 2, "has replies for 3 round(s)"),
        "zero": (["0"], lambda t: None, 2, "from 1 to 4"),
        "no number": (["-1"], lambda t: None, 2, "is no number"),
        "another answer": (["3"], lambda t: change_call(t, digest="0" * 64), 3, "`--from 2` asks it"),
        "an own check": (["3"], lambda t: t["settings"].update(checks=["own"]), 0, "`own` is a check of the project's"),
        "unseen answer": (["2"], lambda t: change_call(t, digest="0" * 64), 0, "going on with run"),
    }
    found: dict[str, tuple[int, bool]] = {}
    for name, (start_, change, _, words) in table.items():
        server.script(*WORK[1:] if name == "unseen answer" else WORK[2:])
        path = changed_trace(recorded, tmp_path / "t.json", change)
        done = ask("replay", path, "--from", *start_)
        found[name] = (done.returncode, words in done.stderr.decode())
    assert found == {name: (code, True) for name, (_, _, code, _) in table.items()}
