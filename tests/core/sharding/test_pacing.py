"""The rest of all sessions while a server is crowded."""

from __future__ import annotations

import pytest
from scripted import ManualClock, ScriptedProvider, reply

from orefactor.core import events
from orefactor.core.asking import Asker, Asking
from orefactor.core.errors import LimitReached, ProviderFailed
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import Message, ProviderRequest
from orefactor.core.providers.choose import Choice
from orefactor.core.providers.prices import PriceList
from orefactor.core.redact import Redactor
from orefactor.core.sharding.pacing import ALIVE, SPREAD, Pacing


@pytest.mark.parametrize(
    ("holds", "left"),
    [
        pytest.param([(5.0, None)], 1.0, id="our-guess-is-short"),
        pytest.param([(0.4, None)], 0.4, id="shorter"),
        pytest.param([(0.4, 30.0)], 30.0, id="as-the-server-wishes"),
        pytest.param([(0.4, 30.0), (0.4, 2.0)], 30.0, id="the-longest"),
    ],
)
def test_how_long_all_rest(holds: list[tuple[float, float | None]], left: float) -> None:
    clock = ManualClock()
    pacing = Pacing(clock)
    for wait, asked in holds:
        pacing.hold("s", wait, asked)
    assert pacing.seconds_left("s") == left
    assert pacing.seconds_left("another") == 0
    waited: list[float] = []

    def wait_so_long(seconds: float) -> None:
        waited.append(seconds)
        clock.sleep(seconds)

    pacing.rest("s", wait_so_long, lambda: 1.0)
    assert waited == [left + SPREAD]
    assert pacing.seconds_left("s") == 0


def test_a_server_that_lately_replied_is_alive() -> None:
    clock = ManualClock()
    pacing = Pacing(clock)
    assert not pacing.is_alive("s")
    pacing.heard("s")
    clock.sleep(ALIVE - 1)
    assert pacing.is_alive("s")
    assert not pacing.is_alive("another")
    clock.sleep(1)
    assert not pacing.is_alive("s")


def _asker(clock: ManualClock, pacing: Pacing, failures: int) -> tuple[Asker, ScriptedProvider, list[events.Event]]:
    crowded = ProviderFailed("rate_limited", "too many", hint="wait", retry=True, retry_after=2.0)
    provider = ScriptedProvider([*[crowded] * failures, reply(text="done")])
    seen: list[events.Event] = []
    ledger = Ledger(Limits(), clock)
    choices = [Choice(provider, "m")]
    asking = Asking(choices, ledger, clock, seen.append, Redactor({}), PriceList({}), jitter=lambda: 0.5, pacing=pacing)
    return Asker(asking), provider, seen


def _ask(asker: Asker, ledger: Ledger) -> str | None:
    request = ProviderRequest((Message("user", "hello"),))
    return asker.ask(request, 1, ledger.reserve(10)).reply.message.content


@pytest.mark.parametrize(("is_alive", "failures", "asked"), [(True, 12, 13), (False, 12, 6), (False, 5, 6)])
def test_a_crowded_server_is_asked_on_while_others_are_served(is_alive: bool, failures: int, asked: int) -> None:
    clock = ManualClock()
    pacing = Pacing(clock)
    if is_alive:
        pacing.heard("scripted")
    asker, provider, seen = _asker(clock, pacing, failures)
    if asked > failures:
        assert _ask(asker, Ledger(Limits(), clock)) == "done"
        assert pacing.is_alive("scripted")
    else:
        with pytest.raises(ProviderFailed) as raised:
            _ask(asker, Ledger(Limits(), clock))
        assert raised.value.message == "too many (asked 6 times)"
    assert len(provider.requests) == asked
    waits = [event.seconds for event in seen if isinstance(event, events.RetryScheduled)]
    assert min(waits) >= 2


def test_who_did_nothing_rests_too() -> None:
    clock = ManualClock()
    pacing = Pacing(clock)
    pacing.hold("scripted", 1.0, 7.0)
    asker, _, _ = _asker(clock, pacing, 0)
    assert _ask(asker, Ledger(Limits(), clock)) == "done"
    assert clock.seconds >= 7
    pacing.hold("scripted", 1.0, 9999.0)
    asker, provider, _ = _asker(clock, pacing, 0)
    with pytest.raises(LimitReached, match="max_seconds"):
        _ask(asker, Ledger(Limits(), clock))
    assert not provider.requests
