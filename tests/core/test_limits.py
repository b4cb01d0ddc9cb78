"""The ledger, against a clock that goes when it is told."""

from __future__ import annotations

import pytest
from scripted import ManualClock

from orefactor.core.errors import LimitReached
from orefactor.core.limits import Ledger, Limits, estimate_tokens
from orefactor.core.messages import Usage


def test_a_round_may_use_what_is_left() -> None:
    ledger = Ledger(Limits(max_tokens=1000, max_output_tokens=600), ManualClock())
    assert ledger.begin_round(100) == 600
    ledger.end_round(Usage(100, 50, 400, 1))
    assert ledger.begin_round(200) == 300
    assert ledger.usage == Usage(100, 50, 400, 1)


@pytest.mark.parametrize(("prompt", "fits"), [(999, True), (1000, False), (5000, False)])
def test_a_request_that_would_pass_the_limit_is_not_sent(prompt: int, fits: bool) -> None:
    ledger = Ledger(Limits(max_tokens=1000), ManualClock())
    if fits:
        assert ledger.begin_round(prompt) == 1
        return
    with pytest.raises(LimitReached, match="would pass 1000 tokens"):
        ledger.begin_round(prompt)
    assert ledger.rounds == 0


def test_a_reply_that_passed_the_limit_is_not_used() -> None:
    ledger = Ledger(Limits(max_tokens=1000), ManualClock())
    ledger.end_round(Usage(600, 0, 400, 1))
    with pytest.raises(LimitReached) as raised:
        ledger.end_round(Usage(1, 0, 0, 1))
    assert raised.value.limit == "max_tokens"


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


def test_estimates_are_rather_high() -> None:
    assert (estimate_tokens(0), estimate_tokens(330), estimate_tokens(333)) == (1, 101, 101)
