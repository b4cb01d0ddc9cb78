"""Reasoning of odd forms: it is read, and what goes back is what came."""

from __future__ import annotations

import math
from typing import Any

import pytest
from chat_server import DONE, Answer, ChatServer, as_stream, chunk, completion, streamed, tool_call

from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, Reasoning
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS

CALL = tool_call("c1", "read_file", path="x.py")


def ask(server: ChatServer, *answers: Answer, provider: str = "deepseek", **fields: Any) -> ProviderResponse:
    server.script(*answers)
    asked = OpenAIProvider(PROVIDERS[provider], server.url, "sk-test-key")
    return asked.complete(ProviderRequest((Message("user", "do it"),), "m", **fields))


def test_reasoning_comes_back_as_it_was(server: ChatServer) -> None:
    """Numbers that JSON lacks, halves of surrogate pairs and depth must not break the next request."""
    odd = {"type": "reasoning.text", "text": "a\ud83d", "n": math.nan}
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    message = {"reasoning_details": [odd, {"type": "t", "deep": deep}, 7], "tool_calls": [CALL]}
    got = ask(server, completion(message), completion({"content": "x"}))
    assert got.message.reasoning is not None
    assert got.message.reasoning.text == "a?"
    OpenAIProvider(PROVIDERS["openrouter"], server.url, "k").complete(ProviderRequest((got.message,), "m"))
    assert server.requests[1]["messages"][0]["reasoning_details"][0] == {**odd, "text": "a?", "n": None}


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
def test_thoughts_that_are_parts_of_the_content(server: ChatServer, form: Any) -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "I think"}]}
    got = ask(server, form({"content": [thinking, {"type": "text", "text": "so"}]}, "stop"))
    assert (got.message.content, got.message.reasoning) == ("so", Reasoning("I think", {}))


def test_details_in_pieces_are_merged_by_index_and_type(server: ChatServer) -> None:
    def detail(**fields: Any) -> str:
        return chunk({"reasoning_details": [{"index": 0, "type": "reasoning.summary", **fields}]})

    got = ask(
        server,
        streamed(
            detail(summary="a", id="r1", signature=None),
            detail(summary="b", id="r1", signature="s"),
            detail(summary="c", id="r2"),
            chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}),
            chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "y"}], "content": "z"}, "stop"),
            DONE,
        ),
    )
    assert got.message.reasoning is not None
    assert got.message.reasoning.text == "abc"
    assert got.message.reasoning.fields["reasoning_details"] == [
        {"index": 0, "type": "reasoning.summary", "summary": "ab", "id": "r1", "signature": "s"},
        {"index": 0, "type": "reasoning.summary", "summary": "c", "id": "r2"},
        {"type": "reasoning.encrypted", "data": "xy"},
    ]


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
def test_the_signature_of_a_call_goes_back_with_it(server: ChatServer, form: Any) -> None:
    """Gemini refuses a history whose calls lack it; ids that it leaves empty are made."""
    signed = {"google": {"thought_signature": "sig"}}
    calls = [{**CALL, "id": "", "extra_content": signed}, {**CALL, "id": ""}]
    server.script(form({"tool_calls": calls}), completion({"content": "x"}))
    provider = OpenAIProvider(PROVIDERS["gemini"], server.url, "k")
    got = provider.complete(ProviderRequest((Message("user", "do it"),), "m"))
    provider.complete(ProviderRequest((Message("user", "do it"), got.message), "m"))
    first, second = server.requests[1]["messages"][1]["tool_calls"]
    assert (first["id"], first["extra_content"]) == ("call00000", signed)
    assert "extra_content" not in second
