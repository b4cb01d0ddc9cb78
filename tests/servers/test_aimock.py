"""A scripted agent loop against `aimock`, by turn, with what models do wrong; its journal shows what we sent."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from conftest import MakeRepository, RunCommand, user_state
from e2e.scenes import ANSWER, DOCUMENTED, FILES, TASK, leftovers, trace
from servers.servers import Server, Start

pytestmark = pytest.mark.servers

PATH = "src/shapes.py"
EDIT = {"path": PATH, "old_string": "def area(a, b):\n", "new_string": 'def area(a, b):\n    """Multiply."""\n'}
THOUGHT = "first I look, then I edit"


def calls(*called: tuple[str, str, Any], **fields: Any) -> dict[str, Any]:
    """One reply with calls: id, name, arguments as an object or as text that isn't JSON."""
    return {"toolCalls": [{"id": i, "name": name, "arguments": arguments} for i, name, arguments in called], **fields}


TURNS: tuple[dict[str, Any], ...] = (
    calls(
        ("same", "read_file", {"path": PATH}),
        ("same", "list_dir", {"path": "src"}),
        reasoning=THOUGHT,
        usage={"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940},
    ),
    calls(("same", "edit_file", '{"path": "src/shapes.py", "old_string": '), ("", "write_everything", {"a": 1})),
    calls(("same", "edit_file", {**EDIT, "line": 3}), ("", "edit_file", EDIT), reasoning=THOUGHT),
    {"content": ANSWER},
)


def journal(server: Server) -> list[dict[str, Any]]:
    """The bodies of the requests, in order."""
    entries: list[dict[str, Any]] = server.get("/__aimock/journal")
    assert [entry["response"]["status"] for entry in entries] == [200] * len(entries)
    return [entry["body"] for entry in entries]


@pytest.mark.parametrize(
    ("provider", "path", "field"),
    [
        pytest.param("deepseek", "/v1", "reasoning_content", id="deepseek"),
        # It streams OpenRouter's reasoning under another name than OpenRouter does; that one doesn't go back there.
        pytest.param("openrouter", "/api/v1", None, id="openrouter"),
        pytest.param("openai", "/v1", None, id="openai"),
        pytest.param("openai-compatible", "/v1", "reasoning_content", id="nobody knows it"),
    ],
)
def test_the_main_job(
    aimock: Start,
    make_repository: MakeRepository,
    run_command: RunCommand,
    provider: str,
    path: str,
    field: str | None,
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    keys = {f"{name}_API_KEY": "key-of-a-test" for name in ("DEEPSEEK", "OPENROUTER", "OPENAI")}
    with aimock(*TURNS) as server:
        chosen = ("--provider", provider, "--model", "deepseek-v4-pro", "--base-url", server.url + path)
        done = run_command(repository, *chosen, TASK, PATH, "--apply", environment=keys)
        assert done.returncode == 0, (done.stderr, server.log.read_text())
        sent = journal(server)
    assert (repository / PATH).read_text() == DOCUMENTED
    kept = trace(repository)
    assert [(call["name"], call["status"]) for call in kept["tool_calls"]] == [
        ("read_file", "executed"),
        ("list_dir", "executed"),
        ("edit_file", "refused"),
        ("write_everything", "refused"),
        ("edit_file", "refused"),
        ("edit_file", "executed"),
    ]
    assert kept["usage"]["requests"] == len(TURNS)
    assert kept["usage"]["prompt_tokens"] >= 900
    assert {**user_state(repository), "files": ""} == {**before, "files": ""}
    assert leftovers(repository) == []
    assert_conversation(sent, field)


def assert_conversation(sent: list[dict[str, Any]], field: str | None) -> None:
    """Each request goes on where the one before ended; each call has an id of its own, one answer, and valid JSON."""
    assert len(sent) == len(TURNS)
    for earlier, later in itertools.pairwise(sent):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]
        assert (later["tools"], later["model"]) == (earlier["tools"], earlier["model"])
    messages = sent[-1]["messages"]
    called = [call for message in messages for call in message.get("tool_calls") or ()]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert [call["id"] for call in called] == answered
    assert len(set(answered)) == len(answered) == 6
    assert all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in called)
    if field is None:
        assert not any("reasoning" in name for message in messages for name in message)
    else:
        # DeepSeek wants the field with each call, be it empty.
        thoughts = [message.get(field) or "" for message in messages if message["role"] == "assistant"]
        assert thoughts == [THOUGHT, "", THOUGHT]


def test_a_turn_that_nobody_scripted_is_an_error_of_the_server(
    aimock: Start, make_repository: MakeRepository, run_command: RunCommand
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    with aimock(TURNS[0]) as server:
        chosen = ("--provider", "openai-compatible", "--model", "some-model", "--base-url", server.url + "/v1")
        done = run_command(repository, *chosen, TASK, PATH)
    assert done.returncode == 5, done.stderr
    assert done.stdout == b""
    assert b"no_fixture_match" in done.stderr or b"HTTP 503" in done.stderr
    assert user_state(repository) == before
