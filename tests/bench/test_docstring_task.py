"""What the docstring task counts of a conversation."""

from __future__ import annotations

import pytest
from contestants import ours
from docstring_task import OTHER_TASK, Played, cached, read_by_model, tokens, with_other_task

LONG = "x" * 1000


@pytest.mark.parametrize(
    ("before", "now", "hit"),
    [
        pytest.param([], LONG, 0, id="empty cache"),
        pytest.param([LONG], LONG + "y", 192, id="whole blocks only"),
        pytest.param(["y" + LONG], LONG, 0, id="another beginning"),
        pytest.param(["xy", LONG[:600]], LONG, 128, id="the longest one"),
    ],
)
def test_cache(before: list[str], now: str, hit: int) -> None:
    assert cached(before, now) == hit


def test_cost() -> None:
    played = Played(0.1, 0.2, (LONG, LONG + LONG), ("a" * 40, "b"), True)
    assert played.tokens == 750
    # USD a million off the peak: 0.66 of the prompt, 0.022 of it where cached, 1.98 of the reply.
    cold = (250 * 0.66 + 10 * 1.98 + (500 - 192) * 0.66 + 192 * 0.022 + 1.98) / 1e6
    assert played.cost() == pytest.approx(cold)
    assert played.cost([LONG]) == pytest.approx(cold - 192 * (0.66 - 0.022) / 1e6)


def test_reading() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "é"}], "tools": [1], "stream": True}
    assert read_by_model(body) == '[[1], null, [{"role": "user", "content": "é"}]]'
    assert tokens("abcde") == 2


def test_other_task() -> None:
    assert OTHER_TASK in with_other_task(ours()).command
    assert with_other_task(ours()).replies == ours().replies
