"""The words in which real servers say that they can't, and words that say something else."""

from __future__ import annotations

from typing import Any

import pytest
from chat_server import Answer, ChatServer, Json, refusal

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, ResponseSchema
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.tools import TOOL_SCHEMAS

FORM = ResponseSchema("answer", {"type": "object"})


def ask(server: ChatServer, *answers: Answer, provider: str = "deepseek", **fields: Any) -> ProviderResponse:
    server.script(*answers)
    asked = OpenAIProvider(PROVIDERS[provider], server.url, "sk-test-key")
    return asked.complete(ProviderRequest((Message("user", "do it"),), "m", **fields))


NO_TOOLS = {
    "ollama": (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
    "openrouter": (404, 'No endpoints found that support tool use. Try disabling "bash".'),
    "vllm": (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    "llama.cpp": (500, "tools param requires --jinja flag"),
    "llama.cpp-old": (500, "Unsupported param: tools"),
    "llama.cpp-stream": (500, "Cannot use tools with stream"),
    "deepinfra": (400, "Function calling is not enabled for this model"),
    "openai": (400, "tools is not supported in this model. For a list of supported models, refer to the guide"),
    "openai-old": (400, "Unrecognized request argument supplied: tools"),
    "groq": (400, "`tool calling` is not supported with this model"),
    "other": (422, "this model doesn't support function calling"),
    "gateway": (400, "No connected provider supports tool calling for this model."),
    "fastapi": (
        422,
        '[{"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs are not permitted"}]',
    ),
}


@pytest.mark.parametrize(("status", "said"), NO_TOOLS.values(), ids=NO_TOOLS.keys())
def test_a_server_without_function_calling(server: ChatServer, status: int, said: str) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(status, {"error": {"message": said}}), tools=tuple(TOOL_SCHEMAS))
    failed = raised.value
    assert (failed.kind, failed.retry, failed.elsewhere) == ("no_function_calling", False, True)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        "maximum number of tools exceeded: 129 > 128",
        "Invalid schema for function 'read_file': 'int' is not valid under any of the given schemas",
        "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "this model does not support tool choice required",
        "tool_choice is not supported",
        "[{'type': 'missing', 'loc': ('body', 'tools', 0, 'function', 'name'), 'msg': 'forbidden'}]",
        "Missing `reasoning_content` field; see the guide on thinking_mode#tool-calls",
    ],
)
def test_what_is_wrong_with_one_tool_is_no_lack_of_function_calling(server: ChatServer, said: str) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(400, {"error": {"message": said}}), tools=tuple(TOOL_SCHEMAS))
    assert raised.value.kind == "bad_request"


NO_FORM = {
    "llama.cpp": (400, {"message": "Cannot use custom grammar constraints with tools."}),
    "llama.cpp-500": (500, {"message": "Cannot use custom grammar constraints with tools."}),
    "groq": (400, {"message": "json mode cannot be combined with tool/function calling"}),
    "groq-model": (400, {"message": "This model does not support response format `json_schema`"}),
    "gemini": (400, {"message": "Function calling with a response mime type: 'application/json' is unsupported"}),
    "by-parameter": (400, {"message": "Invalid parameter", "param": "response_format"}),
}


@pytest.mark.parametrize(("status", "error"), NO_FORM.values(), ids=NO_FORM.keys())
def test_a_server_that_can_not_be_asked_for_a_form(server: ChatServer, status: int, error: Json) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(status, {"error": error}), provider="xai", response_schema=FORM)
    assert (raised.value.kind, raised.value.retry) == ("no_structured_answer", False)
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(status, {"error": error}), provider="xai")
    assert raised.value.kind != "no_structured_answer", "nobody asked for a form"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "context_length_exceeded", "message": "too much"}),
        (400, {"message": "This model's maximum context length is 8192 tokens"}),
        (400, {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}),
        (400, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}),
        (400, {"message": "The input token count (2) exceeds the maximum number of tokens allowed (1)."}),
        (500, {"message": "the prompt exceeds the context size"}),
        (413, {"message": "Request too large for model"}),
    ],
)
def test_a_request_with_more_than_the_model_reads(server: ChatServer, status: int, error: Json) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(status, {"error": error}))
    assert (raised.value.kind, raised.value.retry) == ("too_large", False)
    assert "larger context" in raised.value.hint
