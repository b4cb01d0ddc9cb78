"""The rows of the providers, what a model's name or an address means, and a user's own words in place of a row's."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from orefactor.core.providers.quirk_row import OVERRIDES, REASONING_FIELDS, Quirks, with_overrides
from orefactor.core.providers.quirks import OFFLINE, PROVIDERS, row_for_host, row_for_model, supports_function_calling

ASKED_FOR = (
    "deepseek", "openai", "openrouter", "qwen", "moonshot", "zhipu", "mistral", "groq", "gemini", "xai", "cerebras",
    "together", "fireworks", "huggingface", "snowflake", "github", "azure", "ollama", "vllm", "llama.cpp", "lmstudio",
    "openai-compatible",
)  # fmt: skip
LOCAL = ("ollama", "vllm", "llama.cpp", "lmstudio", "openai-compatible")


def test_every_provider_that_was_promised_has_a_row() -> None:
    assert set(PROVIDERS) == set(ASKED_FOR)
    assert not set(PROVIDERS) & set(OFFLINE)


@pytest.mark.parametrize("row", PROVIDERS.values(), ids=PROVIDERS.keys())
def test_a_row_is_whole(row: Quirks) -> None:
    assert PROVIDERS[row.name] is row
    assert re.fullmatch(r"[A-Z_]+_(?:KEY|TOKEN)", row.key_variable)
    assert row.key_needed == (row.name not in LOCAL), "a server elsewhere wants a key, one on this machine doesn't"
    assert (row.default_model is None) == (row.name in (*LOCAL, "azure"))
    assert set(row.reasoning_back) <= set(REASONING_FIELDS)
    assert not row.reasoning_needed or row.reasoning_needed in row.reasoning_back
    assert not (row.base_url or "").endswith("/")
    assert [row.name, *row.models, *row.hosts] == [name.lower() for name in (row.name, *row.models, *row.hosts)]


def test_an_unknown_server_gets_the_safest_row() -> None:
    row = PROVIDERS["openai-compatible"]
    assert (row.strict_schemas, row.tool_choice, row.null_content, row.response_format) == (
        "never",
        None,
        False,
        "text",
    )
    assert row.reasoning_back == REASONING_FIELDS


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("deepseek-v4-pro", "deepseek"),
        ("DeepSeek-Chat", "deepseek"),
        ("gpt-5-mini", "openai"),
        ("o3", "openai"),
        ("qwen-plus", "qwen"),
        ("kimi-k2.6", "moonshot"),
        ("GLM-4.6", "zhipu"),
        ("codestral-latest", "mistral"),
        ("gemini-flash-latest", "gemini"),
        ("grok-4", "xai"),
        ("openai/gpt-oss-120b", None),
        ("gpt-oss-120b", None),
        ("qwen3:8b", None),
        ("llama3", None),
        ("", None),
    ],
)
def test_a_models_name_tells_its_provider(model: str, provider: str | None) -> None:
    row = row_for_model(model)
    assert (row and row.name) == provider


@pytest.mark.parametrize(
    ("base_url", "provider"),
    [
        ("https://api.deepseek.com/beta", "deepseek"),
        ("HTTPS://API.DeepSeek.com./v1", "deepseek"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen"),
        ("https://ws1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", "qwen"),
        ("https://api.z.ai/api/coding/paas/v4", "zhipu"),
        ("https://me.snowflakecomputing.com/api/v2/cortex/v1", "snowflake"),
        ("https://me.openai.azure.com/openai/v1/", "azure"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://localhost:1234/v1", "lmstudio"),
        ("http://localhost:8080/v1", None),
        ("http://127.0.0.1:4000/v1", None),
        ("https://api.deepseek.com.evil.example/v1", None),
        ("https://evilopenai.azure.com.example", None),
        ("http://[", None),
        ("http://x:99999", None),
        ("nowhere", None),
        ("", None),
    ],
)
def test_an_address_tells_its_provider(base_url: str, provider: str | None) -> None:
    row = row_for_host(base_url)
    assert (row and row.name) == provider


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({}, {}),
        ({"nullContent": "true"}, {"null_content": True}),
        ({"nullcontent": "YES", "KEYNEEDED": "off"}, {"null_content": True, "key_needed": False}),
        ({"toolChoice": "Auto"}, {"tool_choice": "auto"}),
        ({"toolChoice": "none"}, {"tool_choice": None}),
        ({"reasoningBack": "false"}, {"reasoning_back": ()}),
        ({"reasoningBack": "true"}, {"reasoning_back": REASONING_FIELDS}),
        ({"reasoningBack": "reasoning, Reasoning_Details"}, {"reasoning_back": ("reasoning", "reasoning_details")}),
        ({"strictSchemas": "always", "idForm": "nine"}, {"strict_schemas": "always", "id_form": "nine"}),
        ({"responseFormat": "JSON_schema"}, {"response_format": "json_schema"}),
        ({"streamUsage": "0", "maxTokensField": "max_completion_tokens"},
         {"stream_usage": False, "max_tokens_field": "max_completion_tokens"}),
        ({"concurrency": "4"}, {"concurrency": 4}),
        ({"concurrency": "0"}, {"concurrency": None}),
        ({"baseUrl": " http://x/v1 ", "keyVariable": "K", "model": "M", "cachedTokens": "a.b"},
         {"base_url": "http://x/v1", "key_variable": "K", "default_model": "M", "cached_tokens": "a.b"}),
    ],
)  # fmt: skip
def test_a_users_words_change_the_row(overrides: dict[str, str], expected: dict[str, Any]) -> None:
    row = PROVIDERS["deepseek"]
    assert with_overrides(row, overrides) == replace(row, **expected)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"nulContent": "true"}, "no setting `nulContent`; did you mean `nullContent`?"),
        ({"zzz": "true"}, "known are baseUrl, keyVariable, model,"),
        ({"name": "x"}, "no setting `name`"),
        ({"nullContent": "perhaps"}, "`nullContent` must be true or false, not `perhaps`"),
        ({"toolChoice": "required"}, "must be one of auto, never, not `required`"),
        ({"reasoningBack": "thoughts"}, "must be true, false, or some of reasoning_content,"),
        ({"concurrency": "-1"}, "must be a number; 0 is no limit"),
        ({"concurrency": "²"}, "must be a number"),
        ({"baseUrl": "a b"}, "must be one word"),
        ({"model": ""}, "must be one word"),
    ],
)
def test_words_that_mean_nothing(overrides: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        with_overrides(PROVIDERS["deepseek"], overrides)


def test_settings_are_spelled_as_git_spells_them() -> None:
    assert all(re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)*", name) for name in OVERRIDES)


@pytest.mark.parametrize(
    ("provider", "model", "expected"),
    [
        ("deepseek", "deepseek-reasoner", True),
        ("openai", "gpt-5-mini", True),
        ("openai", "gpt-5-chat-latest", False),
        ("github", "openai/o1-mini", False),
        ("openrouter", "google/gemma3", True),
        ("ollama", "qwen3:8b", True),
        ("ollama", "Gemma3:4b", False),
        ("ollama", "registry.ollama.ai/library/deepseek-r1:latest", False),
        ("ollama", "somebody/deepseek-r1-tools:8b", True),
        ("ollama", "", True),
        ("llama.cpp", "gemma3", True),
    ],
)
def test_which_models_can_call_tools(provider: str, model: str, expected: bool) -> None:
    assert supports_function_calling(PROVIDERS[provider], model) is expected
