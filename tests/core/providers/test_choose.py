"""Which provider and model the settings mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.messages import RunFacts
from orefactor.core.providers.choose import Choice, choose_providers, find_row, price_list
from orefactor.core.providers.prices import Price
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.recipes import RecipesProvider
from orefactor.core.settings import Settings

FACTS = RunFacts("add docstrings")
OTHER = RunFacts("make it faster")
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
    [choice] = choose_providers(Settings(**settings), FACTS, KEYS)
    assert (choice.provider.name, choice.model) == (provider, model)


@pytest.mark.parametrize("settings", [{}, {"provider": "fixture"}, {"provider": "fixture", "model": "mine"}])
def test_a_fixture_file_chooses_its_provider(settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"replies": []}')
    [choice] = choose_providers(Settings(fixture=str(path), **settings), FACTS, {})
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
        pytest.param({"provider": "replay"}, "needs the trace", "--fixture FILE", 2, id="no-trace"),
        pytest.param({"fallback": ("opnai",)}, "no provider `opnai`", "did you mean `openai`?", 2, id="fallback"),
        pytest.param({"fallback": ("groq",)}, "GROQ_API_KEY is not set", "export GROQ", 5, id="fallback-without-key"),
        pytest.param({"max_cost": 1.0, "base_url": URL, "model": "my"}, "price of `my` isn't known",
                     'git config --global orefactor.my.price "CACHED PROMPT COMPLETION"', 2, id="no-price"),
        pytest.param({"max_cost": 1.0, "fallback": ("ollama:my",)}, "price of `my` isn't known", "orefactor.my.price",
                     2, id="no-price-of-a-fallback"),
        pytest.param({"provider": "mine", "model": "m", "servers": {"mine": {"provider": "vlm"}}},
                     "no provider `vlm`", "did you mean `vllm`?", 2, id="server-like-nothing"),
        pytest.param({"provider": "mine", "model": "m", "servers": {"mine": {"nullcontent": "true"}}},
                     "no address", "orefactor.mine.baseUrl URL", 2, id="server-without-address"),
        pytest.param({"provider": "mine", "model": "m", "servers": {"mine": {"baseurl": "localhost"}}},
                     "`localhost` is no address", "http://", 2, id="server-with-a-wrong-address"),
        pytest.param({"provider": "groq"}, "GROQ_API_KEY is not set", "--provider recipes", 5, id="no-key"),
        pytest.param({"key_variable": "MY_KEY"}, "MY_KEY is not set", "export MY_KEY", 5, id="no-own-key"),
    ],
)  # fmt: skip
def test_what_can_not_be_chosen(settings: dict[str, Any], message: str, hint: str, code: int) -> None:
    with pytest.raises(UserError) as raised:
        choose_providers(Settings(**settings), FACTS, KEYS)
    assert message in raised.value.message
    assert hint in raised.value.hint
    assert raised.value.exit_code == ExitCode(code)


def test_a_key_of_spaces_is_none() -> None:
    with pytest.raises(UserError, match="DEEPSEEK_API_KEY is not set"):
        choose_providers(Settings(), FACTS, {"DEEPSEEK_API_KEY": "  "})


def test_a_key_that_the_user_names_is_the_only_one() -> None:
    with pytest.raises(UserError, match="MY_KEY is not set"):
        choose_providers(Settings(key_variable="MY_KEY"), FACTS, KEYS)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({"base_url": "https://openrouter.ai/api/v1", "model": "my"}, "openrouter", id="by-host"),
        pytest.param({"base_url": "https://api.mistral.ai/v1", "provider": "openai-compatible"}, "mistral",
                     id="by-host-of-any-server"),
        pytest.param({"base_url": "https://api.mistral.ai/v1", "model": "gpt-5"}, "openai", id="the-model-comes-first"),
        pytest.param({"base_url": URL, "model": "my"}, "openai-compatible", id="unknown-host"),
        pytest.param({"provider": "Mistral"}, "mistral", id="any-case"),
    ],
)  # fmt: skip
def test_the_row(settings: dict[str, Any], expected: str) -> None:
    row, like = find_row(Settings(**settings)), PROVIDERS[expected]
    assert (row.null_content, row.id_form, row.reasoning_back) == (like.null_content, like.id_form, like.reasoning_back)


def test_a_server_of_the_users_own() -> None:
    said = {"baseurl": "http://10.0.0.1/v1", "model": "big", "provider": "mistral", "keyvariable": "MINE"}
    settings = Settings(provider="mine", servers={"Mine": {**said, "nullcontent": "true"}})
    row = find_row(settings)
    assert (row.name, row.base_url, row.null_content, row.id_form) == ("mine", "http://10.0.0.1/v1", True, "nine")
    [choice] = choose_providers(settings, FACTS, {"MINE": "k", "MISTRAL_API_KEY": "m"})
    assert (choice.provider.name, choice.model) == ("mine", "big")


@pytest.mark.parametrize("name", ["deepseek", "api.deepseek.com"])
def test_what_the_user_says_of_a_known_server(name: str) -> None:
    assert not PROVIDERS["deepseek"].null_content
    assert find_row(Settings(servers={name: {"nullcontent": "yes"}})).null_content


def test_the_chain() -> None:
    settings = Settings(fallback=("openai", "ollama:qwen3:8b", "recipes"), base_url=URL)
    chain = choose_providers(settings, FACTS, KEYS)
    assert [(choice.provider.name, choice.model) for choice in chain] == [
        ("deepseek", "deepseek-v4-pro"), ("openai", "gpt-5"), ("ollama", "qwen3:8b"), ("recipes", "recipes"),
    ]  # fmt: skip
    assert [choice.provider.name for choice in choose_providers(settings, OTHER, KEYS)] == [
        "deepseek", "openai", "ollama",
    ]  # fmt: skip


def test_a_fixture_may_be_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"replies": []}')
    chain = choose_providers(Settings(fixture=str(path), fallback=("fixture",)), FACTS, KEYS)
    assert [choice.provider.name for choice in chain] == ["deepseek", "fixture"]


def test_a_ready_provider_is_the_first() -> None:
    ready = Choice(RecipesProvider(FACTS), "own")
    assert choose_providers(Settings(fallback=("openai",)), FACTS, KEYS, ready)[0] is ready


def test_a_ceiling_needs_a_price() -> None:
    own = Settings(max_cost=1.0, base_url=URL, model="My", prices={"my": "0.1 1 10"})
    assert choose_providers(own, FACTS, KEYS)
    assert price_list(own).of("my") == Price(0.1, 1.0, 10.0)
    assert choose_providers(Settings(max_cost=1.0, provider="recipes"), FACTS, KEYS)
