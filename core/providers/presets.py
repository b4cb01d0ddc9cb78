"""One row a provider: where it is, which variable holds its key, and how it wants messages spelled.

A new provider is one row. Names, addresses and defaults change over time: each can be overridden by the user.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ReasoningField = Literal["reasoning_content", "reasoning"]


@dataclass(frozen=True, slots=True)
class Preset:
    """How to talk to one provider's OpenAI-compatible API.

    Attributes:
        base_url: where the API is; None where only the user knows.
        key_variable: the environment variable that holds the key.
        key_needed: whether it refuses requests without one; servers on one's own machine don't.
        default_model: used where the user names none; None where only the user knows.
        models: beginnings of model names that mean this provider.
        null_content: whether an assistant message with calls and without text has `content: null`; else `""`.
        stream_usage: whether it takes `stream_options`, which some refuse as unknown.
        reasoning_back: whether reasoning goes back with the message that it came with.
        max_tokens_field: how the ceiling of a reply is spelled.
    """

    name: str
    base_url: str | None
    key_variable: str
    default_model: str | None
    models: tuple[str, ...] = ()
    key_needed: bool = True
    null_content: bool = False
    stream_usage: bool = True
    reasoning_back: bool = True
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


_ROWS = (
    Preset("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", "deepseek-v4-pro", ("deepseek-",)),
    Preset(
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        "gpt-5",
        ("gpt-", "chatgpt-", "o1", "o3", "o4"),
        null_content=True,
        reasoning_back=False,
        max_tokens_field="max_completion_tokens",
    ),
    Preset("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "deepseek/deepseek-v4-pro"),
    Preset(
        "qwen",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        "qwen-plus",
        ("qwen", "qwq"),
        reasoning_back=False,
    ),
    Preset("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", "kimi-k2", ("kimi-", "moonshot-")),
    Preset("zhipu", "https://open.bigmodel.cn/api/paas/v4", "ZHIPUAI_API_KEY", "glm-4.6", ("glm-",)),
    Preset(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        "devstral-medium-latest",
        ("mistral-", "codestral", "devstral", "magistral", "ministral"),
        stream_usage=False,
        reasoning_back=False,
    ),
    Preset("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "openai/gpt-oss-120b", null_content=True),
    Preset("ollama", "http://localhost:11434/v1", "OLLAMA_API_KEY", None, key_needed=False),
    Preset("vllm", "http://localhost:8000/v1", "VLLM_API_KEY", None, key_needed=False),
    Preset("llama.cpp", "http://localhost:8080/v1", "LLAMA_API_KEY", None, key_needed=False),
    # The safest spelling, for servers that nobody has described.
    Preset("openai-compatible", None, "OREFACTOR_API_KEY", None, key_needed=False),
)

PRESETS: dict[str, Preset] = {row.name: row for row in _ROWS}

OFFLINE = ("fixture", "recipes")
"""Providers that need no network and no key."""


def preset_for_model(model: str) -> Preset | None:
    """The provider that a model's name means; None where it means none."""
    plain = model.lower()
    return next((row for row in _ROWS if any(plain.startswith(start) for start in row.models)), None)
