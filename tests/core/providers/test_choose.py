"""Which provider and model the settings mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.messages import RunFacts
from orefactor.core.providers.choose import choose_provider
from orefactor.core.settings import Settings

FACTS = RunFacts("add docstrings")
KEYS = {"DEEPSEEK_API_KEY": "d", "OPENAI_API_KEY": "o", "MISTRAL_API_KEY": "m"}
URL = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("settings", "provider", "model"),
    [
        pytest.param({}, "deepseek", "deepseek-v4-pro", id="default"),
        pytest.param({"model": "gpt-5-mini"}, "openai", "gpt-5-mini", id="by-model"),
        pytest.param({"provider": "mistral"}, "mistral", "devstral-medium-latest", id="by-provider"),
        pytest.param({"provider": "ollama", "model": "qwen3"}, "ollama", "qwen3", id="provider-beats-model"),
        pytest.param({"base_url": URL}, "deepseek", "deepseek-v4-pro", id="url-alone-keeps-the-provider"),
        pytest.param({"base_url": URL, "model": "my"}, "openai-compatible", "my", id="url-and-unknown-model"),
        pytest.param({"provider": "recipes"}, "recipes", "recipes", id="recipes"),
    ],
)  # fmt: skip
def test_chooses(settings: dict[str, Any], provider: str, model: str) -> None:
    choice = choose_provider(Settings(**settings), FACTS, KEYS)
    assert (choice.provider.name, choice.model) == (provider, model)


@pytest.mark.parametrize("settings", [{}, {"provider": "fixture"}, {"provider": "fixture", "model": "mine"}])
def test_a_fixture_file_chooses_its_provider(settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"replies": []}')
    choice = choose_provider(Settings(fixture=str(path), **settings), FACTS, {})
    assert (choice.provider.name, choice.model) == ("fixture", settings.get("model", "fixture"))


@pytest.mark.parametrize(
    ("settings", "message", "hint", "code"),
    [
        pytest.param({"provider": "deepsek"}, "no provider `deepsek`", "did you mean `deepseek`?", 2, id="near"),
        pytest.param({"provider": "recipe"}, "no provider `recipe`", "did you mean `recipes`?", 2, id="near-offline"),
        pytest.param({"provider": "zzz"}, "no provider `zzz`", "known are: deepseek,", 2, id="known"),
        pytest.param({"model": "my"}, "`my` tells no provider", "--provider NAME", 2, id="unknown-model"),
        pytest.param({"provider": "openai-compatible", "model": "m"}, "no address", "--base-url URL", 2, id="no-url"),
        pytest.param({"provider": "ollama"}, "no model", "--model NAME", 2, id="no-model"),
        pytest.param({"provider": "fixture"}, "needs a file", "--fixture FILE", 2, id="no-fixture"),
        pytest.param({"provider": "groq"}, "GROQ_API_KEY is not set", "--provider recipes", 5, id="no-key"),
        pytest.param({"key_variable": "MY_KEY"}, "MY_KEY is not set", "export MY_KEY", 5, id="no-own-key"),
    ],
)  # fmt: skip
def test_what_can_not_be_chosen(settings: dict[str, Any], message: str, hint: str, code: int) -> None:
    with pytest.raises(UserError) as raised:
        choose_provider(Settings(**settings), FACTS, KEYS)
    assert message in raised.value.message
    assert hint in raised.value.hint
    assert raised.value.exit_code == ExitCode(code)


def test_a_key_of_spaces_is_none() -> None:
    with pytest.raises(UserError, match="DEEPSEEK_API_KEY is not set"):
        choose_provider(Settings(), FACTS, {"DEEPSEEK_API_KEY": "  "})
