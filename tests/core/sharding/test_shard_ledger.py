"""Ledgers of sessions that work side by side and share their limits."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from scripted import ManualClock

from orefactor.core.errors import Cancelled, LimitReached
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import Usage
from orefactor.core.providers.prices import Price
from orefactor.core.sharding.shard_ledger import ShardLedger

PRICE = Price(1.0, 1.0, 1.0)


def _ledgers(limits: Limits, own: Limits | None = None, clock: ManualClock | None = None) -> list[ShardLedger]:
    clock = clock or ManualClock()
    whole, given_back = Ledger(limits, clock), threading.Condition()
    return [ShardLedger(own or limits, clock, whole, given_back, lambda: False) for _ in range(2)]


def test_what_one_uses_the_other_one_lacks() -> None:
    one, other = _ledgers(Limits(max_tokens=1000, max_output_tokens=100, max_rounds=2, max_cost=1.0))
    reserved = one.begin_round(50, PRICE)
    assert (other.tokens_left, reserved.max_tokens) == (850, 100)
    one.commit(reserved, Usage(50, 0, 10, 1), 0.25)
    assert (one.usage.total, one.cost, one.rounds) == (60, 0.25, 1)
    assert (other.usage.total, other.cost, other.rounds) == (0, 0.0, 0)
    assert (one.tokens_left, other.tokens_left) == (940, 940)
    assert (one.cost_left, other.cost_left) == (0.75, 0.75)
    # A review of the one's result has drawn on the whole by itself.
    one.add(Usage(100, 0, 0, 1), None)
    assert (one.cost, other.tokens_left) == (None, 940)
    assert _ledgers(Limits())[0].cost_left is None


def test_who_finds_all_reserved_waits_for_what_is_given_back() -> None:
    one, other = _ledgers(Limits(max_tokens=200, max_output_tokens=100))
    first = one.reserve(60)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(other.reserve, 60)
        with pytest.raises(TimeoutError):
            second.result(0.05)
        one.commit(first, Usage(20, 0, 5, 1), None)
        assert second.result(5).max_tokens == 100
        third = pool.submit(one.reserve, 10)
        with pytest.raises(TimeoutError):
            third.result(0.05)
        other.release(second.result())
        assert third.result(5).max_tokens == 100


@pytest.mark.parametrize(
    ("limits", "own", "clock", "reason"),
    [
        pytest.param(Limits(max_tokens=50), None, None, "limit:max_tokens", id="tokens"),
        pytest.param(Limits(), Limits(max_tokens=50), None, "limit:max_tokens", id="own-tokens"),
        pytest.param(Limits(max_cost=1e-9), None, None, "limit:max_cost", id="money"),
    ],
)
def test_limits_that_nobody_can_give_back(
    limits: Limits, own: Limits | None, clock: ManualClock | None, reason: str
) -> None:
    one, _ = _ledgers(limits, own, clock)
    with pytest.raises(LimitReached) as raised:
        one.reserve(60, PRICE)
    assert raised.value.reason == reason


def test_what_is_left_is_had_by_who_is_alone() -> None:
    one, _ = _ledgers(Limits(max_tokens=100, max_output_tokens=100))
    assert one.reserve(60).max_tokens == 40


def test_passing_the_limit_together_is_found_out() -> None:
    one, other = _ledgers(Limits(max_tokens=100, max_output_tokens=20))
    reserved = one.reserve(10), other.reserve(10)
    one.commit(reserved[0], Usage(60, 0, 0, 1), None)
    with pytest.raises(LimitReached, match="max_tokens"):
        other.commit(reserved[1], Usage(60, 0, 0, 1), None)
    assert other.usage.total == 60


def test_the_end_of_a_wait() -> None:
    clock, given_back = ManualClock(), threading.Condition()
    whole = Ledger(Limits(max_tokens=100, max_output_tokens=90, max_seconds=10), clock)
    whole.reserve(10)
    stopped = ShardLedger(whole.limits, clock, whole, given_back, lambda: True)
    with pytest.raises(Cancelled):
        stopped.reserve(10)
    late = ShardLedger(Limits(max_seconds=99), clock, whole, given_back, lambda: False)
    assert late.seconds_left == 10
    clock.sleep(10)
    with pytest.raises(LimitReached, match="max_seconds"):
        late.reserve(10)
