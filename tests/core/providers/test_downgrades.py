"""What is left out of a request once a server has refused it, and what isn't."""

from __future__ import annotations

import pytest
from chat_server import ChatServer, Json, completion, refusal

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, Reasoning
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.tools import TOOL_SCHEMAS

HISTORY = (
    Message("user", "do it"),
    Message("assistant", "so", reasoning=Reasoning("hm", {"reasoning_content": "hm"})),
    Message("tool", "x = 1", tool_call_id="c1", name="read_file"),
)


UNKNOWN = "Unsupported parameter"
DOWNGRADES: dict[str, tuple[str, Json, str, Json]] = {
    # provider, further fields of the request, what the server says, what is different in the second request
    "stream-options": ("deepseek", {}, "stream_options: Extra inputs are not permitted", {"stream_options": ...}),
    "tool-choice": (
        "deepseek", {"tools": tuple(TOOL_SCHEMAS), "tool_choice": "auto"}, f"{UNKNOWN}: 'tool_choice'",
        {"tool_choice": ...},
    ),
    "strict": (
        "openai", {"tools": tuple(TOOL_SCHEMAS)}, "Unknown parameter: 'tools[0].function.strict'.",
        {"tools": TOOL_SCHEMAS},
    ),
    "max-tokens": (
        "deepseek", {"max_tokens": 9},
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        {"max_tokens": ..., "max_completion_tokens": 9},
    ),
    "max-completion-tokens": (
        "openai", {"max_tokens": 9},
        "[{'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]",
        {"max_completion_tokens": ..., "max_tokens": 9},
    ),
    "name-of-a-result": (
        "vllm", {}, "'messages.2': for 'role:tool' the following must hold [('messages.2.name' is unsupported)]",
        {"messages": "no name"},
    ),
    "reasoning": (
        "vllm", {}, "'messages.1' : property 'reasoning_content' is unsupported", {"messages": "no reasoning"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(("provider", "fields", "said", "change"), DOWNGRADES.values(), ids=DOWNGRADES.keys())
def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    server: ChatServer, provider: str, fields: Json, said: str, change: Json, status: int
) -> None:
    server.script(refusal(status, {"error": {"message": said}}), completion({"content": "x"}))
    asked = OpenAIProvider(PROVIDERS[provider], server.url, "k")
    request = ProviderRequest(HISTORY, "m", **fields)
    assert asked.complete(request).message.content == "x"
    asked.complete(request)
    first, second, third = server.requests
    expected = {name: value for name, value in {**first, **change}.items() if value is not ...}
    if left := change.get("messages", "").removeprefix("no "):
        expected["messages"] = [
            {
                name: value
                for name, value in message.items()
                if name != {"reasoning": "reasoning_content"}.get(left, left)
            }
            for message in first["messages"]
        ]
    assert second == expected != first
    assert third == second


@pytest.mark.parametrize(
    ("status", "said"),
    [
        pytest.param(400, "the model is not supported", id="nothing-that-was-sent"),
        pytest.param(404, "stream_options is not supported", id="another-status"),
        pytest.param(400, "max_tokens is too large: 9 is not supported", id="only-the-value"),
        pytest.param(400, "tool_choice is not supported", id="not-sent"),
        pytest.param(400, "the reasoning_content must be passed back", id="nothing-refused"),
    ],
)
def test_what_is_no_reason_to_leave_anything_out(server: ChatServer, status: int, said: str) -> None:
    with pytest.raises(ProviderFailed):
        server.script(refusal(status, {"error": {"message": said}}))
        asked = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
        asked.complete(ProviderRequest(HISTORY, "m", max_tokens=9))
    assert len(server.requests) == 1


def test_only_one_thing_is_left_out_of_a_request(server: ChatServer) -> None:
    server.script(
        refusal(400, {"error": {"message": "unknown field stream_options"}}),
        refusal(400, {"error": {"message": "unknown field max_tokens"}}),
    )
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
    with pytest.raises(ProviderFailed, match="unknown field max_tokens"):
        provider.complete(ProviderRequest(HISTORY[:1], "m", max_tokens=9))
    assert len(server.requests) == 2
