"""The ledger, against a clock that goes when it is told."""

from __future__ import annotations

import threading

import pytest
from scripted import ManualClock

from orefactor.core.errors import LimitReached
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import Usage
from orefactor.core.providers.prices import Price

PRICE = Price(0.1, 1.0, 10.0)
"""USD per million tokens: a thousand prompt tokens cost a tenth of a cent, a thousand of a reply one cent."""


def test_a_round_may_use_what_is_left() -> None:
    ledger = Ledger(Limits(max_tokens=1000, max_output_tokens=600), ManualClock())
    first = ledger.begin_round(100)
    assert (first.tokens, first.max_tokens, first.cost) == (700, 600, 0.0)
    ledger.commit(first, Usage(100, 50, 400, 1), None)
    assert ledger.begin_round(200).max_tokens == 300
    assert (ledger.usage, ledger.cost, ledger.rounds) == (Usage(100, 50, 400, 1), None, 2)


@pytest.mark.parametrize(("prompt", "fits"), [(999, True), (1000, False), (5000, False)])
def test_a_request_that_would_pass_the_limit_is_not_sent(prompt: int, fits: bool) -> None:
    ledger = Ledger(Limits(max_tokens=1000), ManualClock())
    if fits:
        assert ledger.begin_round(prompt).max_tokens == 1
        return
    with pytest.raises(LimitReached, match="would pass 1000 tokens"):
        ledger.begin_round(prompt)
    assert ledger.rounds == 0


def test_a_reply_that_passed_the_limit_is_not_used() -> None:
    ledger = Ledger(Limits(max_tokens=1000), ManualClock())
    ledger.commit(ledger.reserve(1), Usage(600, 0, 400, 1), 0.0)
    with pytest.raises(LimitReached) as raised:
        ledger.reserve(0)
    assert raised.value.limit == "max_tokens"
    other = Ledger(Limits(max_tokens=1000), ManualClock())
    with pytest.raises(LimitReached, match="1001 used"):
        other.commit(other.reserve(1), Usage(601, 0, 400, 1), 0.0)


def test_what_is_reserved_counts_until_it_is_released() -> None:
    ledger = Ledger(Limits(max_tokens=1000, max_output_tokens=300, max_cost=0.0075), ManualClock())
    first, second = ledger.reserve(100, PRICE), ledger.reserve(100, PRICE)
    assert first.max_tokens == 300
    assert first.cost == pytest.approx(0.0031)
    assert second.max_tokens == 300
    with pytest.raises(LimitReached) as raised:
        ledger.reserve(1400, PRICE)
    assert raised.value.limit == "max_tokens"
    third = ledger.reserve(100, PRICE)
    assert third.max_tokens == 100
    ledger.release(second)
    ledger.release(third)
    assert ledger.reserve(100, PRICE).max_tokens == 300


def test_threads_do_not_pass_a_limit_together() -> None:
    ledger = Ledger(Limits(max_tokens=10_000, max_output_tokens=900), ManualClock())
    granted: list[int] = []

    def take() -> None:
        try:
            granted.append(ledger.reserve(100).tokens)
        except LimitReached:
            granted.append(0)

    threads = [threading.Thread(target=take) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == [0] * 10 + [1000] * 10


@pytest.mark.parametrize(
    ("prompt", "ceiling"),
    [
        pytest.param(1_000, 8192, id="the-request's-own"),
        pytest.param(50_000, 5_000, id="lowered-to-what-is-left"),
        pytest.param(99_990, 1, id="one-token"),
        pytest.param(99_991, None, id="none"),
        pytest.param(500_000, None, id="the-prompt-alone"),
    ],
)
def test_money(prompt: int, ceiling: int | None) -> None:
    ledger = Ledger(Limits(max_cost=0.1), ManualClock())
    if ceiling is not None:
        assert ledger.begin_round(prompt, PRICE).max_tokens == ceiling
        return
    with pytest.raises(LimitReached, match=r"would pass 0\.1 USD") as raised:
        ledger.begin_round(prompt, PRICE)
    assert (raised.value.limit, ledger.rounds) == ("max_cost", 0)


def test_a_reply_that_cost_more_is_not_used() -> None:
    ledger = Ledger(Limits(max_cost=0.1), ManualClock())
    with pytest.raises(LimitReached, match=r"has cost 0\.1001 USD, more than 0\.1 USD"):
        ledger.commit(ledger.begin_round(1, PRICE), Usage(1, 0, 1, 1), 0.1001)
    assert ledger.usage == Usage(1, 0, 1, 1)


def test_costs_add_up_unless_one_is_unknown() -> None:
    ledger = Ledger(Limits(), ManualClock())
    ledger.commit(ledger.reserve(1, PRICE), Usage(), 0.25)
    ledger.commit(ledger.reserve(1, PRICE), Usage(), 0.5)
    assert ledger.cost == 0.75
    ledger.commit(ledger.reserve(1, PRICE), Usage(), None)
    ledger.commit(ledger.reserve(1, PRICE), Usage(), 0.5)
    assert ledger.cost is None


def test_a_price_that_nobody_knows_keeps_no_ceiling() -> None:
    with pytest.raises(LimitReached, match="isn't known") as raised:
        Ledger(Limits(max_cost=5), ManualClock()).reserve(1)
    assert raised.value.limit == "max_cost"


@pytest.mark.parametrize(("price", "ceiling"), [(Price(0, 0, 0), 8192), (Price(0, 1, 0), 8192)])
def test_replies_that_cost_nothing(price: Price, ceiling: int) -> None:
    assert Ledger(Limits(max_cost=0.1), ManualClock()).reserve(1000, price).max_tokens == ceiling
    with pytest.raises(LimitReached):
        Ledger(Limits(max_cost=0.1), ManualClock()).reserve(200_000, Price(0, 1, 0))


def test_rounds() -> None:
    ledger = Ledger(Limits(max_rounds=1), ManualClock())
    ledger.begin_round(1)
    with pytest.raises(LimitReached, match="after 1 rounds") as raised:
        ledger.begin_round(1)
    assert (raised.value.status, raised.value.reason) == ("max_iterations", "limit:max_iterations")


def test_seconds() -> None:
    clock = ManualClock(1000)
    ledger = Ledger(Limits(max_seconds=60, tool_seconds=50), clock)
    assert (ledger.seconds_left, ledger.tool_seconds) == (60, 50)
    clock.seconds += 20
    assert (ledger.seconds_left, ledger.tool_seconds) == (40, 40)
    ledger.require_time()
    clock.seconds += 50
    assert (ledger.seconds_left, ledger.tool_seconds) == (0, 0)
    with pytest.raises(LimitReached, match="after 60 seconds") as raised:
        ledger.require_time()
    assert (raised.value.status, raised.value.reason) == ("limit", "limit:max_seconds")
