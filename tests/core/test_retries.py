"""When a failed call is asked again."""

from __future__ import annotations

import pytest

from orefactor.core.errors import ProviderFailed
from orefactor.core.retries import backoff, pause


def failure(kind: str = "server_error", *, retry: bool = True, after: float | None = None) -> ProviderFailed:
    return ProviderFailed(kind, "no", hint="later", retry=retry, retry_after=after)


def waits(error: ProviderFailed, jitter: float) -> list[float | None]:
    return [pause(error, attempt, lambda: jitter) for attempt in range(1, backoff(error).attempts + 1)]


@pytest.mark.parametrize(
    ("kind", "jitter", "expected"),
    [
        pytest.param("rate_limited", 1.0, [1.0, 2.0, 4.0, 8.0, 16.0, None], id="crowded-at-most"),
        pytest.param("rate_limited", 0.0, [0.5, 1.0, 2.0, 4.0, 8.0, None], id="crowded-at-least"),
        pytest.param("server_error", 1.0, [0.5, 1.0, 2.0, None], id="broken-at-most"),
        pytest.param("unreachable", 0.0, [0.25, 0.5, 1.0, None], id="unreachable-at-least"),
    ],
)
def test_waits_double_with_jitter(kind: str, jitter: float, expected: list[float | None]) -> None:
    assert waits(failure(kind), jitter) == expected


def test_what_does_not_help_is_not_asked_again() -> None:
    assert pause(failure("unauthorized", retry=False), 1, lambda: 1.0) is None
    assert pause(failure("unauthorized", retry=False, after=1.0), 1, lambda: 1.0) is None


@pytest.mark.parametrize(("after", "jitter", "expected"), [(7.0, 0.0, 7.0), (7.0, 1.0, 7.1), (0.0, 1.0, 1.0)])
def test_never_sooner_than_the_server_wishes(after: float, jitter: float, expected: float) -> None:
    assert pause(failure("rate_limited", after=after), 1, lambda: jitter) == pytest.approx(expected)
