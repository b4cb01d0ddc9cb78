"""The scripted provider: which reply is taken when, and what a file must look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted import collecting

from orefactor.core.errors import UserError
from orefactor.core.messages import Message, ProviderRequest, RunFacts, ToolCall, Usage
from orefactor.core.providers.fixture import FixtureProvider, load_fixture
from orefactor.core.tools import TOOL_SCHEMAS


def play(tmp_path: Path, replies: list[dict[str, Any]], lines: int = 0) -> FixtureProvider:
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps({"replies": replies}))
    return FixtureProvider(load_fixture(path), RunFacts("task", change_lines=lambda: lines))


def ask(provider: FixtureProvider, text: str = "hello", tools: bool = False) -> str | None:
    request = ProviderRequest((Message("user", text),), tools=tuple(TOOL_SCHEMAS) if tools else ())
    return provider.complete(request).message.content


@pytest.mark.parametrize(
    ("replies", "prompts", "taken"),
    [
        pytest.param([], ["x"], ["done"], id="none-left"),
        pytest.param([{"content": "a"}, {"content": "b"}], ["x", "x", "x"], ["a", "b", "done"], id="in-order-once"),
        pytest.param([{"content": "a", "every_round": True}], ["x", "x"], ["a", "a"], id="every-round"),
        pytest.param([{"content": "a", "prompt_contains": "yes"}, {"content": "b"}], ["no", "yes", "yes"],
                     ["b", "a", "done"], id="prompt-contains"),
        pytest.param([{"content": "a", "prompt_contains": "yes", "every_round": True}], ["yes", "no", "yes"],
                     ["a", "done", "a"], id="prompt-contains-every-round"),
        pytest.param([{"content": "a", "lines_above": 9}, {"content": "b", "lines_above": 10}], ["x", "x"],
                     ["a", "done"], id="lines-above"),
    ],
)  # fmt: skip
def test_which_reply_is_taken(
    tmp_path: Path, replies: list[dict[str, Any]], prompts: list[str], taken: list[str]
) -> None:
    provider = play(tmp_path, replies, lines=10)
    assert [ask(provider, prompt) for prompt in prompts] == taken


def test_the_tools_are_part_of_the_prompt(tmp_path: Path) -> None:
    provider = play(tmp_path, [{"content": "a", "prompt_contains": "ast_outline"}])
    assert [ask(provider), ask(provider, tools=True)] == ["done", "a"]


def test_a_whole_reply(tmp_path: Path) -> None:
    calls = [
        {"name": "read_file", "arguments": {"path": "ä.py"}},
        {"name": "list_dir", "id": "mine"},
        {"name": "grep", "arguments": "{broken"},
    ]
    usage = {"prompt_tokens": 3, "cached_tokens": 2, "completion_tokens": 1}
    provider = play(tmp_path, [{"content": "look", "tool_calls": calls, "usage": usage}])
    seen: list[str] = []
    reply = provider.complete(ProviderRequest((Message("user", "x"),)), collecting(seen))
    assert reply.tool_calls == (
        ToolCall("fixture0001", "read_file", '{"path": "ä.py"}'),
        ToolCall("mine", "list_dir", "{}"),
        ToolCall("fixture0003", "grep", "{broken"),
    )
    assert (reply.finish_reason, reply.usage, reply.model) == ("tool_calls", Usage(3, 2, 1, 1), "fixture")
    assert seen == ["look"]


def test_how_a_reply_ends(tmp_path: Path) -> None:
    silent = {"tool_calls": [{"name": "list_dir"}]}
    provider = play(tmp_path, [{"content": "a"}, {"content": "b", "finish_reason": "length"}, silent])
    request = ProviderRequest((Message("user", "x"),))
    assert [provider.complete(request).finish_reason for _ in range(4)] == ["stop", "length", "tool_calls", "stop"]


@pytest.mark.parametrize(
    ("replies", "can"),
    [([], False), ([{"content": "a"}], False), ([{"content": "a"}, {"tool_calls": [{"name": "grep"}]}], True)],
)
def test_a_script_without_calls_can_not_call_tools(tmp_path: Path, replies: list[dict[str, Any]], can: bool) -> None:
    assert play(tmp_path, replies).supports_function_calling() is can


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(b"{", "is no JSON", id="no-json"),
        pytest.param(b"\xff\xfe\xfa", "is no JSON", id="no-text"),
        pytest.param(b"[" * 100_000, "is no JSON", id="deep"),
        pytest.param(b"[]", "is wrong at", id="no-object"),
        pytest.param(b'{"replies": [{"contents": "a"}]}', "is wrong at `replies.0.contents`", id="unknown-key"),
        pytest.param(b'{"replies": [{"usage": {"prompt_tokens": -1}}]}', "usage.prompt_tokens", id="negative"),
        pytest.param(b'{"replies": [{"finish_reason": "tired"}]}', "finish_reason", id="unknown-reason"),
    ],
)
def test_a_file_that_breaks_the_form(tmp_path: Path, text: bytes, words: str) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(text)
    with pytest.raises(UserError) as raised:
        load_fixture(path)
    assert words in raised.value.message
    assert '{"replies"' in raised.value.hint


@pytest.mark.parametrize(("name", "words"), [("missing.json", "No such file"), (".", "Is a directory")])
def test_a_file_that_can_not_be_read(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load_fixture(tmp_path / name)
