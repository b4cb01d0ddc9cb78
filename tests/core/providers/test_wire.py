"""What goes out, as each row wants it spelled; that it arrives so is in `test_openai`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from chat_server import Json
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.messages import Message, ProviderRequest, Reasoning, ResponseSchema, ToolCall
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.wire import is_strict, nine_ids, payload, wire_messages
from orefactor.core.tools import TOOL_SCHEMAS

CALL = ToolCall("c1", "read_file", '{"path": "x.py"}')
THOUGHT = Reasoning("hm", {"reasoning_content": "hm", "reasoning_details": [{"signature": "s"}]})
HISTORY = (
    Message("user", "do it"),
    Message("assistant", None, (CALL,), reasoning=THOUGHT),
    Message("tool", "x = 1\n", tool_call_id="c1", name="read_file"),
)
TOOLS = tuple(TOOL_SCHEMAS)
FORM = ResponseSchema("answer", {"type": "object"})
USAGE = {"stream_options": {"include_usage": True}}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}}


@pytest.mark.traces("REQ-103-002", "REQ-103-004", "REQ-103-005")
@pytest.mark.parametrize(
    ("provider", "changes", "fields", "expected"),
    [
        pytest.param("openai", {}, {}, USAGE, id="nothing-of-tools"),
        pytest.param("openai", {}, {"max_tokens": 5}, {**USAGE, "max_completion_tokens": 5}, id="ceiling"),
        pytest.param("mistral", {}, {}, {}, id="no-stream-options"),
        pytest.param("mistral", {}, {"tools": TOOLS}, {"tools": TOOL_SCHEMAS}, id="no-tool-choice"),
        pytest.param("mistral", {}, {"tools": TOOLS, "tool_choice": "auto"},
                     {"tools": TOOL_SCHEMAS, "tool_choice": "auto"}, id="the-requests-tool-choice"),
        pytest.param("mistral", {"tool_choice": "auto"}, {"tools": TOOLS},
                     {"tools": TOOL_SCHEMAS, "tool_choice": "auto"}, id="the-rows-tool-choice"),
        pytest.param("mistral", {"tool_choice": "never"}, {"tools": TOOLS, "tool_choice": "auto"},
                     {"tools": TOOL_SCHEMAS}, id="tool-choice-is-refused"),
        pytest.param("mistral", {}, {"tool_choice": "auto"}, {}, id="tool-choice-of-nothing"),
        pytest.param("mistral", {}, {"response_schema": FORM}, {}, id="form-as-text"),
        pytest.param("mistral", {"response_format": "json_object"}, {"response_schema": FORM},
                     {"response_format": {"type": "json_object"}}, id="form-as-object"),
        pytest.param("mistral", {"response_format": "json_schema"}, {"response_schema": FORM},
                     {"response_format": SCHEMA}, id="form-as-schema"),
    ],
)  # fmt: skip
def test_what_is_empty_is_left_out(provider: str, changes: Json, fields: Json, expected: Json) -> None:
    row = replace(PROVIDERS[provider], **changes)
    sent = payload(ProviderRequest(HISTORY[:1], "m", **fields), row)
    assert sent == {"model": "m", "messages": [{"role": "user", "content": "do it"}], "stream": True, **expected}


@pytest.mark.parametrize(
    ("provider", "content", "reasoning", "details"),
    [
        ("deepseek", "", "hm", False),
        ("openai", None, None, False),
        ("mistral", "", None, False),
        ("groq", None, None, False),
        ("openrouter", "", None, True),
        ("gemini", None, None, False),
        ("openai-compatible", "", "hm", True),
    ],
)
def test_an_assistant_message_in_each_spelling(
    provider: str, content: str | None, reasoning: str | None, details: bool
) -> None:
    sent = wire_messages(HISTORY, PROVIDERS[provider])[1]
    assert sent["content"] == content
    assert sent.get("reasoning_content") == reasoning
    assert ("reasoning_details" in sent) is details


@pytest.mark.parametrize("provider", ["deepseek", "moonshot"])
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Message("assistant", None, (CALL,)), ""),
        (Message("assistant", None, (CALL,), reasoning=Reasoning("of another", {"reasoning": "of another"})),
         "of another"),
        (Message("assistant", "done"), None),
        (Message("assistant", "done", reasoning=THOUGHT), "hm"),
    ],
)  # fmt: skip
def test_a_server_that_misses_reasoning_gets_some(provider: str, message: Message, expected: str | None) -> None:
    """After a fallback the history holds messages that were never thought about in its way."""
    row = PROVIDERS[provider]
    assert wire_messages([message], row)[0].get("reasoning_content") == expected
    assert "reasoning_content" not in wire_messages([message], replace(row, reasoning_back=()))[0]


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{ "a":1 }', '{ "a":1 }'),
        ("", "{}"),
        ("null", "{}"),
        ("[1]", "{}"),
        ('{"a": ', "{}"),
        ("[" * 100_000, "{}"),
        ('{"a": "\ud83d"}', '{"a": "\\ud83d"}'),
    ],
)
def test_arguments_in_the_history_are_an_object(arguments: str, sent: str) -> None:
    message = Message("assistant", "a\ud83d", (ToolCall("c1", "t", arguments),))
    wire = wire_messages([message], PROVIDERS["openai"])[0]
    assert wire["tool_calls"][0]["function"]["arguments"] == sent
    assert wire["content"] == "a\\ud83d"
    json.dumps(wire, ensure_ascii=False).encode()


@given(st.lists(st.one_of(st.text(), st.from_regex(r"[A-Za-z0-9]{9}", fullmatch=True)), max_size=12), st.text())
def test_ids_of_nine_letters(ids: list[str], later: str) -> None:
    messages = [Message("assistant", None, tuple(ToolCall(call_id, "t", "{}") for call_id in ids))]
    messages += [Message("tool", "ok", tool_call_id=call_id) for call_id in ids]
    given_ids = nine_ids(messages)
    assert len(set(given_ids.values())) == len(set(ids))
    assert all(len(made) == 9 and made.isascii() and made.isalnum() for made in given_ids.values())
    grown = nine_ids([*messages, Message("assistant", None, (ToolCall(later, "t", "{}"),))])
    assert {call_id: grown[call_id] for call_id in given_ids} == given_ids


def test_an_id_that_another_one_was_made_into() -> None:
    made = nine_ids([Message("tool", "ok", tool_call_id="call_1")])["call_1"]
    both = nine_ids([Message("tool", "ok", tool_call_id=call_id) for call_id in ("call_1", made, "abcdefgh9")])
    assert both["call_1"] == made != both[made]
    assert both["abcdefgh9"] == "abcdefgh9"


def test_calls_and_answers_have_the_same_id_of_nine_letters() -> None:
    _, asked, answer = wire_messages(HISTORY, PROVIDERS["mistral"])
    assert asked["tool_calls"][0]["id"] == answer["tool_call_id"] != "c1"


@pytest.mark.parametrize(
    ("strict", "base_url", "expected"),
    [
        ("never", "https://api.deepseek.com/beta", False),
        ("always", "https://api.openai.com/v1", True),
        ("beta", "https://api.deepseek.com", False),
        ("beta", "https://api.deepseek.com/Beta/", True),
    ],
)
def test_where_tools_are_strict(strict: Any, base_url: str, expected: bool) -> None:
    assert is_strict(replace(PROVIDERS["deepseek"], strict_schemas=strict), base_url) is expected
