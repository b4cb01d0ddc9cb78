"""One row a provider: where it is, which variable holds its key, and how it wants messages spelled.

A new provider is one row. Names, addresses and defaults change over time: each can be overridden by the user. What a
field means is said in `quirk_row`. The values are the documented ones of autumn 2026; where the documents say nothing,
the safest one stands.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from .capabilities import supports_function_calling as supports_function_calling
from .quirk_row import OVERRIDES as OVERRIDES
from .quirk_row import Quirks as Quirks
from .quirk_row import with_overrides as with_overrides

_ROWS = (
    # Thinking is on by default, and a message with calls must bring its reasoning back, be it empty. Strict tools and
    # their constraints: https://api-docs.deepseek.com/guides/tool_calls
    Quirks(
        "deepseek",
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
        "deepseek-v4-pro",
        models=("deepseek-",),
        reasoning_back=("reasoning_content",),
        reasoning_needed="reasoning_content",
        strict_schemas="beta",
        cached_tokens="prompt_cache_hit_tokens",
    ),
    Quirks(
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        "gpt-5",
        models=("gpt-", "chatgpt-", "o1", "o3", "o4"),
        null_content=True,
        reasoning_back=(),
        strict_schemas="always",
        max_tokens_field="max_completion_tokens",
        response_format="json_schema",
    ),
    Quirks(
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        "deepseek/deepseek-v4-pro",
        reasoning_back=("reasoning", "reasoning_details"),
    ),
    Quirks(
        "qwen",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        "qwen-plus",
        hosts=("dashscope.aliyuncs.com", "dashscope-us.aliyuncs.com", ".maas.aliyuncs.com"),
        models=("qwen", "qwq"),
        reasoning_back=(),
    ),
    # "thinking is enabled but reasoning_content is missing in assistant tool call message" is its 400.
    Quirks(
        "moonshot",
        "https://api.moonshot.ai/v1",
        "MOONSHOT_API_KEY",
        "kimi-k2.6",
        hosts=("api.moonshot.cn",),
        models=("kimi-", "moonshot-"),
        reasoning_back=("reasoning_content",),
        reasoning_needed="reasoning_content",
        cached_tokens="cached_tokens",
    ),
    Quirks(
        "zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPUAI_API_KEY",
        "glm-4.7",
        hosts=("api.z.ai",),
        models=("glm-",),
        reasoning_back=("reasoning_content",),
    ),
    # Unknown fields are a 422 there, and the usage comes without being asked for.
    Quirks(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        "devstral-medium-latest",
        hosts=("codestral.mistral.ai",),
        models=("mistral-", "codestral", "devstral", "magistral", "ministral"),
        id_form="nine",
        reasoning_back=(),
        cached_tokens="num_cached_tokens",
        stream_usage=False,
    ),
    # "json mode cannot be combined with tool/function calling" is its 400, and so is any other field of reasoning.
    Quirks(
        "groq",
        "https://api.groq.com/openai/v1",
        "GROQ_API_KEY",
        "openai/gpt-oss-120b",
        named_results=False,
        null_content=True,
        reasoning_back=("reasoning",),
        max_tokens_field="max_completion_tokens",
    ),
    # Gemini 3 refuses a history whose calls lack their signatures; tools and a form together only work from there on.
    Quirks(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
        "gemini-flash-latest",
        models=("gemini-",),
        null_content=True,
        reasoning_back=("extra_content",),
    ),
    # https://docs.x.ai/docs/guides/structured-outputs: a form beside tools since Grok 4.
    Quirks(
        "xai",
        "https://api.x.ai/v1",
        "XAI_API_KEY",
        "grok-4",
        models=("grok-",),
        reasoning_back=("reasoning_content",),
        max_tokens_field="max_completion_tokens",
        response_format="json_schema",
    ),
    # "property 'messages.2.assistant.reasoning_content' is unsupported" is its 400; `reasoning` is taken.
    Quirks(
        "cerebras",
        "https://api.cerebras.ai/v1",
        "CEREBRAS_API_KEY",
        "gpt-oss-120b",
        reasoning_back=("reasoning",),
        max_tokens_field="max_completion_tokens",
    ),
    Quirks(
        "together",
        "https://api.together.xyz/v1",
        "TOGETHER_API_KEY",
        "openai/gpt-oss-120b",
        hosts=("api.together.ai",),
        reasoning_back=("reasoning", "reasoning_content"),
        cached_tokens="cached_tokens",
    ),
    Quirks(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        "FIREWORKS_API_KEY",
        "accounts/fireworks/models/gpt-oss-120b",
        reasoning_back=("reasoning_content",),
    ),
    Quirks("huggingface", "https://router.huggingface.co/v1", "HF_TOKEN", "openai/gpt-oss-120b"),
    # Each account has a host of its own. A Claude behind it refuses empty text, so no text is null.
    Quirks(
        "snowflake",
        None,
        "SNOWFLAKE_API_KEY",
        "claude-sonnet-4-6",
        hosts=(".snowflakecomputing.com",),
        null_content=True,
        reasoning_back=("reasoning_details",),
        max_tokens_field="max_completion_tokens",
    ),
    Quirks(
        "github",
        "https://models.github.ai/inference",
        "GITHUB_TOKEN",
        "openai/gpt-4.1",
        hosts=("models.inference.ai.azure.com",),
        reasoning_back=(),
    ),
    # The `/openai/v1` address only: it takes the plain client; the model is the deployment's name.
    Quirks(
        "azure",
        None,
        "AZURE_OPENAI_API_KEY",
        None,
        hosts=(".openai.azure.com", ".services.ai.azure.com"),
        null_content=True,
        reasoning_back=(),
        max_tokens_field="max_completion_tokens",
        response_format="json_schema",
    ),
    Quirks(
        "ollama",
        "http://localhost:11434/v1",
        "OLLAMA_API_KEY",
        None,
        hosts=("127.0.0.1:11434", "ollama.com"),
        key_needed=False,
        reasoning_back=("reasoning",),
        concurrency=1,
    ),
    # Constrained to a form it could write no call; it batches requests by itself.
    Quirks("vllm", "http://localhost:8000/v1", "VLLM_API_KEY", None, key_needed=False),
    # "Cannot use custom grammar constraints with tools."
    Quirks("llama.cpp", "http://localhost:8080/v1", "LLAMA_API_KEY", None, key_needed=False, concurrency=1),
    Quirks(
        "lmstudio",
        "http://localhost:1234/v1",
        "LMSTUDIO_API_KEY",
        None,
        hosts=("127.0.0.1:1234",),
        key_needed=False,
        concurrency=1,
    ),
    # The safest spelling, for servers that nobody has described.
    Quirks("openai-compatible", None, "OREFACTOR_API_KEY", None, key_needed=False),
)

PROVIDERS: dict[str, Quirks] = {row.name: row for row in _ROWS}

OFFLINE = ("fixture", "recipes", "replay")
"""Providers that need no network and no key."""

_SHARED_PORTS = ("localhost:8000", "localhost:8080")
"""Ports that half of all servers on one's own machine use, so that they tell nothing."""


def row_for_model(model: str) -> Quirks | None:
    """The provider that a model's name means; None where it means none."""
    plain = model.lower()
    # Open weights are served by anybody, and a colon is how ollama writes sizes.
    if plain.startswith("gpt-oss") or ":" in plain:
        return None
    return next((row for row in _ROWS if any(plain.startswith(start) for start in row.models)), None)


def row_for_host(base_url: str) -> Quirks | None:
    """The provider that an address means, by its host; None where it means none or is no address."""
    try:
        parts = urlsplit(base_url.strip())
        host, whole = (parts.hostname or "").rstrip("."), _with_port(parts)
    except ValueError:
        return None
    return next((row for row in _ROWS if host and _is_at(row, host, whole)), None)


def _is_at(row: Quirks, host: str, whole: str) -> bool:
    own = urlsplit(row.base_url or "")
    if own.hostname == "localhost":
        if whole == _with_port(own) and whole not in _SHARED_PORTS:
            return True
    elif own.hostname == host:
        return True
    return any(host.endswith(name) if name.startswith(".") else name in (host, whole) for name in row.hosts)


def _with_port(parts: SplitResult) -> str:
    return f"{parts.hostname or ''}:{parts.port or ''}"
