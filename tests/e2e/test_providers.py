"""The command against a server: what fails for a while, who is asked next, what it costs, and what is kept of it."""

from __future__ import annotations

import json
import os
import signal
import stat
from collections.abc import Callable, Generator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from chat_server import (
    DONE,
    NOTHING,
    Answer,
    ChatServer,
    as_stream,
    chunk,
    completion,
    refusal,
    serving,
    streamed,
    tool_call,
)
from conftest import MakeRepository, git, user_state
from e2e.processes import Done, finish, run_here, start, wait_until
from e2e.scenes import DOCUMENTED, FILES, TASK, events, leftovers, run_folders, trace

USAGE = {"prompt_tokens": 1300, "completion_tokens": 60, "prompt_cache_hit_tokens": 1000}
READ = {"content": None, "tool_calls": [tool_call("c1", "read_file", path="src/shapes.py")]}
EDIT = {
    "content": None,
    "tool_calls": [
        tool_call(
            "c2", "edit_file", path="src/shapes.py", old_string="def area(a, b):\n",
            new_string='def area(a, b):\n    """Multiply."""\n',
        )
    ],
}  # fmt: skip
LAST = {"content": json.dumps({"title": "Document area", "summary": "It says what it does.", "follow_ups": ["twice"]})}
WORK = (as_stream(READ, usage=USAGE), as_stream(EDIT, usage=USAGE), as_stream(LAST, usage=USAGE))

Ask = Callable[..., Done]


@pytest.fixture
def server() -> Generator[ChatServer]:
    with serving() as chat:
        yield chat


@pytest.fixture
def other() -> Generator[ChatServer]:
    with serving() as chat:
        yield chat


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def ask(
    repository: Path, server: ChatServer, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Ask:
    """Run the main job on the server; checks are those that need no isolation."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")

    def run(*options: str) -> Done:
        arguments = (TASK, "src/shapes.py", "--base-url", server.url, "--check", "py_compile", *options)
        return run_here(capfdbinary, repository, *arguments)

    return run


def test_what_passes_is_asked_again_and_said(ask: Ask, server: ChatServer, repository: Path) -> None:
    before = user_state(repository)
    busy = refusal(429, {"error": {"message": "slow down"}})
    server.script(WORK[0], busy, streamed(chunk({"content": "I w"}), then="cut"), *WORK[1:])
    done = ask()
    assert done.returncode == 0, done.stderr
    assert b'+    """Multiply."""' in done.stdout
    said = done.stderr.decode()
    assert "slow down; asking again in" in said and "(2 of 6)" in said
    kept = trace(repository)
    assert [(retry["round"], retry["kind"]) for retry in kept["retries"]] == [(2, "rate_limited"), (2, "cut_stream")]
    assert [entry["attempts"] for entry in kept["rounds"]] == [1, 3, 1]
    bodies = [json.dumps(request) for request in server.requests]
    assert bodies[1] == bodies[2] == bodies[3], "the same request, whole"
    assert user_state(repository) == before


def test_what_does_not_pass_is_asked_once(ask: Ask, server: ChatServer, repository: Path) -> None:
    for status in (400, 401, 402, 403, 404, 413, 422):
        server.script(refusal(status, {"error": {"message": "no way"}}))
        server.requests.clear()
        done = ask()
        assert (done.returncode, done.stdout, len(server.requests)) == (5, b"", 1)
        assert done.stderr.decode().count("error: ") == 1 and "Traceback" not in done.stderr.decode()
    assert leftovers(repository) == []


def test_the_next_provider(ask: Ask, server: ChatServer, other: ChatServer, repository: Path) -> None:
    git(repository, "config", "--global", "orefactor.spare.baseUrl", other.url)
    git(repository, "config", "--global", "orefactor.spare.model", "spare-1")
    server.script(WORK[0], refusal(402, {"error": {"message": "no credit"}}))
    other.script(*WORK[1:])
    done = ask("--fallback", "spare", "--branch", "result")
    assert (done.returncode, done.stdout) == (0, b"result\n"), done.stderr
    assert "going on with spare, model spare-1" in done.stderr.decode()
    kept = trace(repository)
    assert [entry["provider"] for entry in kept["rounds"]] == ["deepseek", "spare", "spare"]
    assert [change["before"] for change in kept["provider_changes"]] == ["deepseek"]
    # The price of the second isn't known, so that of the whole isn't either.
    assert [entry["cost_usd"] is None for entry in kept["rounds"]] == [False, True, True]
    assert kept["cost_usd"] is None
    # The conversation goes on where it was, and the commit names who has answered.
    assert other.requests[0]["messages"][-1]["role"] == "tool"
    assert other.requests[0]["model"] == "spare-1"
    assert "Orefactor-Model: served" in git(repository, "log", "-1", "--format=%B", "result")


def test_an_offline_provider_may_be_the_next(
    server: ChatServer, repository: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "wrong")
    server.script(refusal(401))
    options = ("--base-url", server.url, "--fallback", "recipes", "--no-check")
    done = run_here(capfdbinary, repository, "add docstrings", "src/shapes.py", *options)
    assert (done.returncode, len(server.requests)) == (0, 1), done.stderr
    assert b'+    """' in done.stdout
    # It knows only a few tasks; where it doesn't, it's no reason not to ask the first one.
    done = run_here(capfdbinary, repository, TASK, "src/shapes.py", *options)
    assert (done.returncode, len(server.requests)) == (5, 2)


def test_the_summary_comes_as_json(ask: Ask, server: ChatServer, repository: Path) -> None:
    server.script(*WORK)
    done = ask("--branch", "result", "--json")
    told = json.loads(done.stdout)
    assert told["summary"] == {"title": "Document area", "body": "It says what it does.", "follow_ups": ["twice"]}
    assert told["cost_usd"] == pytest.approx(trace(repository)["cost_usd"])
    message = git(repository, "log", "-1", "--format=%B", "result")
    assert message.startswith("Document area\n\nIt says what it does.\n\nTo do later:\n- twice\n\nOrefactor-Run: ")


def test_a_form_beside_tools(ask: Ask, server: ChatServer, repository: Path) -> None:
    """Where the server refuses both together, the form is asked for in one more round."""
    git(repository, "config", "--global", "orefactor.deepseek.responseFormat", "json_schema")
    refused = refusal(400, {"error": {"message": "response_format json_schema is not supported with tools"}})
    server.script(refused, *WORK[:2], as_stream({"content": "Document it"}, usage=USAGE), WORK[2])
    done = ask("--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"]["title"] == "Document area"
    sent = [("tools" in request, request.get("response_format", {}).get("type")) for request in server.requests]
    assert sent == [(True, "json_schema"), (True, None), (True, None), (True, None), (False, "json_schema")]
    assert server.requests[0]["response_format"]["json_schema"]["name"] == "change_summary"
    assert trace(repository)["protocol_changes"][0]["protocol"] == "answer_alone"


@pytest.mark.parametrize(
    ("options", "sent", "reason"),
    [
        pytest.param(("--max-iterations", "2"), 2, "limit:max_iterations", id="rounds"),
        pytest.param(("--max-tokens", "2900"), 2, "limit:max_tokens", id="tokens-before-the-third"),
        pytest.param(("--max-tokens", "2800"), 2, "limit:max_tokens", id="tokens-passed-by-the-second"),
        pytest.param(("--max-tokens", "500"), 0, "limit:max_tokens", id="no-tokens-for-the-first"),
        pytest.param(("--max-cost", "0.0029"), 2, "limit:max_cost", id="money-before-the-third"),
        pytest.param(("--max-cost", "0.0001"), 0, "limit:max_cost", id="no-money-for-the-first"),
    ],
)
def test_a_limit_gives_no_answer(
    ask: Ask, server: ChatServer, repository: Path, options: tuple[str, ...], sent: int, reason: str
) -> None:
    git(repository, "config", "--global", "orefactor.deepseek-v4-pro.price", "1 1 1")
    before = user_state(repository)
    talk = {**EDIT, "content": "All done, here is the final answer."}
    more = {**USAGE, "completion_tokens": 200} if "2800" in options else USAGE
    server.script(WORK[0], as_stream(talk, usage=more), WORK[2])
    done = ask("--json", *options)
    told = json.loads(done.stdout)
    assert (done.returncode, told["reason"], told["patch"]) == (4, reason, None), done.stderr
    assert told["status"] == ("max_iterations" if reason == "limit:max_iterations" else "limit")
    assert len(server.requests) == sent
    assert told["summary"]["title"] != "All done, here is the final answer"
    assert options[0] in done.stderr.decode()
    rejected = run_folders(repository)[-1] / "rejected.patch"
    assert rejected.exists() == (sent == 2 and "2800" not in options)
    assert user_state(repository) == before


def test_the_reply_is_kept_short_enough_for_what_is_left(ask: Ask, server: ChatServer, repository: Path) -> None:
    server.script(*WORK)
    assert ask("--max-tokens", "6000").returncode == 0
    ceilings = [request["max_tokens"] for request in server.requests]
    estimates = [entry["prompt_tokens_estimated"] for entry in trace(repository)["rounds"]]
    used = [0, 1360, 2720]
    assert ceilings == [min(8192, 6000 - spent - size) for spent, size in zip(used, estimates, strict=True)]
    # The first report corrects the second estimate.
    assert abs(estimates[1] - 1300) < 150


def test_costs(ask: Ask, server: ChatServer, repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    git(repository, "config", "--global", "orefactor.deepseek-v4-pro.price", "0.1 1 10")
    server.script(*WORK)
    done = ask("--max-cost", "0.5", "--json")
    each = (1000 * 0.1 + 300 * 1 + 60 * 10) / 1e6
    assert json.loads(done.stdout)["cost_usd"] == pytest.approx(3 * each)
    assert [entry["cost_usd"] for entry in trace(repository)["rounds"]] == [pytest.approx(each)] * 3
    assert "4.1k tokens, $0.0030" in done.stderr.decode()
    assert b"cost      $0.0030" in run_here(capfdbinary, repository, "show").stdout


def test_a_ceiling_without_a_price(ask: Ask, server: ChatServer, repository: Path) -> None:
    done = ask("--model", "my-own", "--max-cost", "1")
    assert (done.returncode, server.requests, run_folders(repository)) == (2, [], [])
    said = done.stderr.decode()
    assert "error: the price of `my-own` isn't known" in said
    assert 'hint: say it: `git config --global orefactor.my-own.price "CACHED PROMPT COMPLETION"`' in said


REFUSES_TOOLS = refusal(400, {"error": {"message": "registry.ollama.ai/library/gemma:2b does not support tools"}})


def written(text: str) -> Answer:
    return as_stream({"content": text}, usage=USAGE)


WRITTEN = (
    written('<call tool="read_file">\npath: src/shapes.py\n</call>'),
    written(
        'Now I edit.\n\n<call tool="edit_file">\npath: src/shapes.py\nold_string:\n```\ndef area(a, b):\n```\n'
        'new_string:\n```python\ndef area(a, b):\n    """Multiply."""\n```\n</call>'
    ),
    written("Document area"),
)


@pytest.mark.parametrize("options", [(), ("--tool-protocol", "text")], ids=["automatic", "asked-for"])
def test_calls_as_text(ask: Ask, server: ChatServer, repository: Path, options: tuple[str, ...]) -> None:
    server.script(*(() if options else (REFUSES_TOOLS,)), *WRITTEN)
    done = ask(*options)
    assert done.returncode == 0, done.stderr
    assert b'+    """Multiply."""' in done.stdout
    asked = server.requests if options else server.requests[1:]
    assert all("tools" not in request for request in asked)
    for earlier, later in pairwise(json.dumps(request["messages"]) for request in asked):
        assert later.startswith(earlier[:-1]), "the history has one form and only grows"
    assert {message["role"] for message in asked[-1]["messages"]} == {"system", "user", "assistant"}
    kept = trace(repository)
    assert [entry["written"] for entry in kept["rounds"]] == [True, True, False]
    assert [change["protocol"] for change in kept["protocol_changes"]] == ["text"]
    assert "calls are written as text from now on" in done.stderr.decode()


def test_native_only(ask: Ask, server: ChatServer) -> None:
    server.script(REFUSES_TOOLS)
    done = ask("--tool-protocol", "native")
    assert (done.returncode, len(server.requests)) == (5, 1)
    assert "can't call tools" in done.stderr.decode()


THINKS = streamed(
    chunk({"role": "assistant", "reasoning_content": "First I look\nat the "}),
    chunk({"reasoning_content": "file sk-of-the-test-0123456789abcdef."}),
    chunk({"tool_calls": [{"index": 0, **READ["tool_calls"][0]}]}, "tool_calls"),  # type: ignore[index]
    chunk(None, usage=USAGE),
    DONE,
)


@pytest.mark.parametrize("verbose", [True, False])
def test_reasoning(ask: Ask, server: ChatServer, repository: Path, verbose: bool) -> None:
    server.script(THINKS, *WORK[1:])
    done = ask(*(["-v"] if verbose else []))
    said = done.stderr.decode()
    assert ("  First I look\n" in said and "  at the file" in said) == verbose
    sent = server.requests[1]["messages"][2]["reasoning_content"]
    assert sent == "First I look\nat the file sk-of-the-test-0123456789abcdef."
    folder = run_folders(repository)[-1]
    kept = folder / "reasoning.jsonl"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())["text"] == "First I look\nat the file [REDACTED:environment]."
    first = trace(repository)["rounds"][0]
    assert (first["reasoning_chars"], len(first["reasoning_digest"])) == (len(sent), 64)
    assert "First I look" not in (folder / "trace.json").read_text() + (folder / "events.jsonl").read_text()


def test_a_recorded_run_is_played_again(
    ask: Ask, server: ChatServer, repository: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    server.script(*WORK)
    recorded = tmp_path / "trace.json"
    first = ask("--trace", str(recorded))
    again = run_here(
        capfdbinary, repository, TASK, "src/shapes.py", "--provider", "replay", "--fixture", str(recorded),
        "--check", "py_compile",
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert again.stdout.partition(b"diff --git")[2] == first.stdout.partition(b"diff --git")[2]
    run_id = again.stdout.partition(b"Orefactor-Run: ")[2].partition(b"\n")[0].decode()
    kept = json.loads((run_folders(repository)[0].parent / run_id / "trace.json").read_text())
    assert kept["tree"] == json.loads(recorded.read_text())["tree"]
    assert (kept["provider"], kept["cost_usd"]) == ("replay", 0.0)
    assert (repository / "src/shapes.py").read_text() != DOCUMENTED
    assert len(server.requests) == 3


def test_the_first_request_and_what_can_be_a_cache_hit(ask: Ask, server: ChatServer) -> None:
    server.script(*WORK)
    assert ask().returncode == 0
    sent: list[dict[str, Any]] = server.requests
    heads = [json.dumps(request.get("tools")) + json.dumps(request["messages"])[:-1] for request in sent]
    assert len(heads[0]) / 3.3 <= 1500
    shared = sum(len(earlier) for earlier, later in pairwise(heads) if later.startswith(earlier))
    assert shared / sum(map(len, heads[1:])) >= 0.9


def test_the_doctor_asks(
    server: ChatServer, repository: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-of-the-test-0123456789abcdef"
    monkeypatch.setenv("DEEPSEEK_API_KEY", key)
    ping = {"content": None, "tool_calls": [tool_call("p", "ping")]}
    server.script(as_stream(ping, usage=USAGE))
    done = run_here(capfdbinary, repository, "doctor", "--online", "--base-url", server.url)
    lines = {line.split()[1]: line.split()[0] for line in done.stdout.decode().splitlines() if line[:1].strip()}
    assert [lines[name] for name in ("server", "tools", "streaming", "usage", "price")] == ["ok"] * 5
    server.script(refusal(401, {"error": {"message": f"bad key {key}"}}))
    done = run_here(capfdbinary, repository, "doctor", "--online", "--base-url", server.url)
    assert done.returncode == 6
    assert key.encode() not in done.stdout + done.stderr
    assert run_here(capfdbinary, repository, "doctor", "--online", "--provider", "recipes").returncode in (0, 6)


def test_each_retry_is_an_event(ask: Ask, server: ChatServer, repository: Path) -> None:
    server.script(refusal(503), *WORK)
    assert ask().returncode == 0
    kinds = [event["event"] for event in events(repository)]
    assert kinds[kinds.index("RoundStarted") :][:3] == ["RoundStarted", "RetryScheduled", "RoundFinished"]


def test_a_whole_reply_in_place_of_a_stream(ask: Ask, server: ChatServer) -> None:
    server.script(*(completion(message, usage=USAGE) for message in (READ, EDIT, LAST)))
    assert ask().returncode == 0


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(refusal(429, {"error": {"message": "busy"}}, **{"retry-after": "600", "retry-after-ms": ""}),
                     id="while-it-waits"),
        pytest.param(streamed(chunk({"content": "I thi"}), then="silence"), id="in-the-middle-of-a-stream"),
        pytest.param(Answer(b"", NOTHING), id="before-the-reply"),
    ],
)  # fmt: skip
def test_ctrl_c(server: ChatServer, repository: Path, answer: Answer) -> None:
    before = user_state(repository)
    server.script(answer)
    environment = {"DEEPSEEK_API_KEY": "sk-of-the-test-0123456789abcdef"}
    process = start(repository, TASK, "src/shapes.py", "--base-url", server.url, environment=environment)
    wait_until(lambda: server.requests)
    if answer.status == 429:
        said = process.stderr
        assert said is not None
        wait_until(lambda: b"asking again in 600" in said.readline())
    os.killpg(process.pid, signal.SIGINT)
    code, stdout, stderr = finish(process, 20)
    assert (code, stdout) == (130, ""), stderr
    assert trace(repository)["status"] == "cancelled"
    assert (user_state(repository), leftovers(repository)) == (before, [])
