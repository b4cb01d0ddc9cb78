from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orefactor.core.messages import Usage
from orefactor.core.providers.price_table import PRICES, VENDORS, LongPrompt, Peak
from orefactor.core.providers.prices import FREE, PRICES_DATE, Price, PriceList, parse_price

QUIET = datetime(2026, 11, 28, 12, tzinfo=UTC)
"""A Saturday."""
PRO = Price(0.022, 0.66, 1.98)


def monday(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 30, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        pytest.param(Usage(), 0.0, id="nothing"),
        pytest.param(Usage(1_000_000, 0, 0, 1), 0.66, id="prompt"),
        pytest.param(Usage(1_000_000, 1_000_000, 0, 1), 0.022, id="all of the prompt cached"),
        pytest.param(Usage(1_000_000, 500_000, 0, 1), 0.341, id="half of it cached"),
        pytest.param(Usage(0, 0, 1_000_000, 1), 1.98, id="completion"),
        pytest.param(Usage(10, 1_000_010, 0, 1), 0.02200022, id="more cached than prompt: nothing is negative"),
    ],
)
def test_tokens_cost_what_the_price_says(usage: Usage, dollars: float) -> None:
    assert PRO.cost(usage, QUIET) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("moment", "factor"),
    [
        pytest.param(monday(0, 59), 1, id="before the first peak"),
        pytest.param(monday(1), 2, id="its first minute"),
        pytest.param(monday(3, 59), 2, id="its last minute"),
        pytest.param(monday(4), 1, id="after it"),
        pytest.param(monday(6), 2, id="the second peak"),
        pytest.param(monday(10), 1, id="after the second"),
        pytest.param(monday(1) - timedelta(days=1), 1, id="Sunday"),
        pytest.param(monday(1) + timedelta(days=4), 2, id="Friday"),
        pytest.param(monday(1) + timedelta(days=5), 1, id="Saturday"),
        pytest.param(datetime(2026, 11, 30, 9, tzinfo=timezone(timedelta(hours=8))), 2, id="nine in Beijing"),
        pytest.param(datetime(2026, 11, 29, 20, tzinfo=timezone(timedelta(hours=-5))), 2, id="Sunday in New York"),
    ],
)
def test_deepseek_costs_double_at_its_peak(moment: datetime, factor: int) -> None:
    price = PriceList().of("deepseek-v4-pro")
    assert price is not None
    then = price.at(moment)
    assert then == Price(0.022 * factor, 0.66 * factor, 1.98 * factor)
    assert then.at(monday(1)) == then, "a tariff of a moment has no peak any more"
    assert price.cost(Usage(1_000_000, 0, 0, 1), moment) == pytest.approx(0.66 * factor)


@pytest.mark.parametrize(
    ("prompt", "dollars"),
    [pytest.param(200_000, 0.2 + 3, id="not yet"), pytest.param(200_001, 0.400002 + 4.5, id="long: all of it")],
)
def test_a_long_prompt_costs_more_as_a_whole(prompt: int, dollars: float) -> None:
    price = Price(0.1, 1.0, 3.0, long_prompt=LongPrompt(200_000, 2, 1.5))
    assert price.cost(Usage(prompt, 0, 1_000_000, 1), QUIET) == pytest.approx(dollars)
    assert price.at(QUIET, prompt).at(QUIET, 10**9) == price.at(QUIET, prompt)


def test_a_long_prompt_at_a_peak_costs_more_for_both_reasons() -> None:
    price = Price(0.1, 1.0, 3.0, Peak(((1, 4),)), LongPrompt(10, 3, 1))
    assert price.cost(Usage(1_000_000, 1_000_000, 0, 1), monday(2)) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("0.022 0.66 1.98", PRO),
        ("0.66 1.98", Price(0.66, 0.66, 1.98)),
        ("  1\t2 \n 3 ", Price(1, 2, 3)),
        ("0 0 0", FREE),
        (".5 1. 2", Price(0.5, 1, 2)),
    ],
)
def test_a_price_is_read_from_the_configuration(text: str, price: Price) -> None:
    assert parse_price(text) == price


@pytest.mark.parametrize(
    "text",
    [
        *("", "1", "1 2 3 4", "-1 2 3", "nan 1 1", "inf 1 1", "1e3 1 1", "1_0 1 1", "$1 2 3", "1, 2, 3", "one two"),
        *("١ ٢ ٣", "9" * 400 + " 1 1", "1 1 " + "x" * 10_000, "\x1b[31m\ud800 1 1"),
    ],
)
def test_what_is_no_price_is_said_clearly(text: str) -> None:
    with pytest.raises(ValueError, match="it should be three numbers") as caught:
        parse_price(text)
    said = str(caught.value)
    assert len(said) < 300
    assert said.isprintable()
    assert said.encode()


@given(st.text())
@example("0 0")
def test_any_text_is_a_price_or_refused(text: str) -> None:
    try:
        price = parse_price(text)
    except ValueError:
        return
    assert min(price.cached, price.prompt, price.completion) >= 0


@pytest.mark.parametrize(
    ("model", "base"),
    [
        ("deepseek-v4-pro", "deepseek-v4-pro"),
        ("DeepSeek-V4-Pro", "deepseek-v4-pro"),
        (" gpt-5 ", "gpt-5"),
        ("deepseek/deepseek-v4-pro", "deepseek-v4-pro"),
        ("openrouter/deepseek/deepseek-v4-pro", "deepseek-v4-pro"),
        ("z-ai/GLM-4.6", "glm-4.6"),
        ("mistralai/codestral-latest", "codestral-latest"),
        ("google/gemini-2.5-pro", "gemini-2.5-pro"),
        ("x-ai/grok-4.7", "grok-4.7"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("gpt-5-mini-20250807", "gpt-5-mini"),
        ("openai/gpt-5-2025-08-07", "gpt-5"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("openai/gpt-oss-120b", "openai/gpt-oss-120b"),
        ("groq/openai/gpt-oss-120b", "openai/gpt-oss-120b"),
    ],
)
def test_a_model_is_found_under_its_names(model: str, base: str) -> None:
    rows = {name: price for table in PRICES.values() for name, price in table.items()}
    assert PriceList().of(model) == rows[base]


@pytest.mark.parametrize(
    "model",
    [
        *("", "/", "gpt-5-turbo", "gpt", "my-gpt-5", "somebody/gpt-5", "gpt-5/", "gpt-5-2025", "gpt-5-x-2025-08-07"),
        *("openrouter/openai/gpt-oss-120b", "qwen3:8b", "kimi-k2", "gpt-5:free", "fixture", "/" * 10_000, "\ud800"),
    ],
)
def test_what_nobody_has_priced_is_unknown(model: str) -> None:
    assert PriceList().of(model) is None


OWN = Price(1, 2, 3)


@pytest.mark.parametrize(
    ("named", "model"),
    [
        pytest.param("deepseek-v4-pro", "deepseek-v4-pro", id="in place of the table's"),
        pytest.param("My-Model", "my-model", id="whatever the case"),
        pytest.param("my-model", "somebody/my-model", id="whoever serves a model that the table lacks"),
        pytest.param("somebody/gpt-5", "somebody/gpt-5", id="with its prefix"),
        pytest.param("gpt-5", "gpt-5-2025-08-07", id="for its snapshots"),
        pytest.param("gpt-5", "openai/gpt-5", id="with the vendor's prefix"),
        pytest.param("recipes", "recipes", id="even where nobody is asked"),
    ],
)
def test_the_users_price_comes_first(named: str, model: str) -> None:
    assert PriceList({named: OWN}).of(model) == OWN


def test_the_users_price_of_a_model_leaves_another_ones_alone() -> None:
    assert PriceList({"gpt-5": OWN}).of("gpt-5-mini") == PRICES["openai"]["gpt-5-mini"]
    assert PriceList({"gpt-4o": OWN}).of("gpt-4o-2024-05-13") == PRICES["openai"]["gpt-4o-2024-05-13"]


@pytest.mark.parametrize("provider", ["recipes", "replay"])
def test_providers_that_ask_nobody_cost_nothing(provider: str) -> None:
    assert PriceList().of(provider) == FREE
    assert PriceList({"gpt-5": OWN}).of("gpt-5", provider) == FREE
    assert PriceList().of("gpt-5", "openai") == PRICES["openai"]["gpt-5"]


def test_the_table_is_sound() -> None:
    assert date.fromisoformat(PRICES_DATE) >= date(2026, 11, 30)
    assert PRICES.keys() == VENDORS.keys()
    names = [name for rows in PRICES.values() for name in rows]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9./-]+", name) for name in names)
    for rows in PRICES.values():
        for price in rows.values():
            assert 0 < price.cached <= price.prompt <= price.completion


def test_the_defaults_have_prices() -> None:
    known = PriceList()
    assert known.of("deepseek-v4-pro")
    assert known.of("qwen-plus")
