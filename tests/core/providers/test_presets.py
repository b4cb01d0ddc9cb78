"""The rows of the providers, and what a model's name means."""

from __future__ import annotations

import pytest

from orefactor.core.providers.presets import OFFLINE, PRESETS, preset_for_model

ASKED_FOR = (
    "deepseek", "openai", "openrouter", "qwen", "moonshot", "zhipu", "mistral", "groq", "ollama", "vllm",
    "llama.cpp", "openai-compatible",
)  # fmt: skip


def test_every_provider_that_was_promised_has_a_row() -> None:
    assert set(PRESETS) == set(ASKED_FOR)
    assert not set(PRESETS) & set(OFFLINE)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
def test_a_row_is_whole(preset: object) -> None:
    row = PRESETS[getattr(preset, "name", "")]
    assert row.key_variable.endswith("_KEY")
    local = (row.base_url or "http://localhost").startswith("http://localhost")
    assert local != row.key_needed, "a server elsewhere wants a key, one on this machine doesn't"
    assert (row.default_model is None) == local


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("deepseek-v4-pro", "deepseek"),
        ("DeepSeek-Chat", "deepseek"),
        ("gpt-5-mini", "openai"),
        ("o3", "openai"),
        ("qwen-plus", "qwen"),
        ("kimi-k2", "moonshot"),
        ("glm-4.6", "zhipu"),
        ("codestral-latest", "mistral"),
        ("openai/gpt-oss-120b", None),
        ("llama3", None),
    ],
)
def test_a_models_name_tells_its_provider(model: str, provider: str | None) -> None:
    preset = preset_for_model(model)
    assert (preset and preset.name) == provider
