"""Ratios and the table."""

from __future__ import annotations

import pytest
from figures import Figure, alternate, amount, cells, figure, markdown, middle_ratio, plain, seconds


@pytest.mark.parametrize(
    ("ours", "peer", "ratio"),
    [
        pytest.param(
            [1.0, 2.0, 30.0], [2.0, 4.0, 10.0], 0.5, id="middle one of the pairs, not the ratio of the middles"
        ),
        pytest.param([1.0], [], None, id="no peer"),
        pytest.param([1.0, 3.0], [0.0, 2.0], 1.5, id="a peer's nothing is left out"),
        pytest.param([1.0], [0.0], None, id="nothing but nothing"),
    ],
)
def test_ratio(ours: list[float], peer: list[float], ratio: float | None) -> None:
    assert middle_ratio(ours, peer) == ratio


def test_samples_of_different_number_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        middle_ratio([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("most", "most_ratio", "either", "met", "aim"),
    [
        pytest.param(None, None, False, None, "", id="no aim"),
        pytest.param(2.0, None, False, True, "at most 2 s", id="value"),
        pytest.param(1.0, None, False, False, "at most 1 s", id="value missed"),
        pytest.param(None, 0.5, False, True, "at most 0.5 times peer", id="ratio"),
        pytest.param(1.0, 0.5, True, True, "at most 1 s or at most 0.5 times peer", id="one of two"),
        pytest.param(1.0, 0.5, False, False, "at most 1 s and at most 0.5 times peer", id="both"),
    ],
)
def test_aim(most: float | None, most_ratio: float | None, either: bool, met: bool | None, aim: str) -> None:
    row = figure("start", [2.0], [4.0], peer_name="peer", most=most, most_ratio=most_ratio, either=either)
    assert (row.met, row.aim, row.ratio) == (met, aim, 0.5)


def test_without_its_peer_a_ratio_is_no_aim_that_was_met() -> None:
    row = figure("start", [2.0], peer_name="peer", most_ratio=1.0)
    assert (row.met, row.peer, row.peer_name) == (None, None, "")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.01234, "s", "0.0123 s"),
        (12345.6, "MB", "12,346 MB"),
        (89, "", "89"),
        (1.0, "", "1"),
        (0.000444, "USD", "0.000444 USD"),
    ],
)
def test_amount(value: float, unit: str, text: str) -> None:
    assert amount(value, unit) == text


def test_alternating() -> None:
    order: list[str] = []

    def measured(name: str, value: float) -> float:
        order.append(name)
        return value

    assert alternate(2, lambda: measured("a", 1.0), lambda: measured("b", 2.0)) == [[1.0, 1.0], [2.0, 2.0]]
    assert order == ["a", "b", "a", "b"]
    assert seconds(lambda: None) >= 0


def test_tables() -> None:
    rows = [
        figure("start", [2.0], [4.0], peer_name="a|b", most_ratio=0.25, note="warm"),
        Figure("landed", 89, aim="all 89", met=True),
        Figure("one", 1.5, "s"),
    ]
    assert cells(rows[0]) == ("start (warm)", "2 s", "4 s a|b", "0.5", "at most 0.25 times a|b", "no")
    assert markdown(rows).splitlines() == [
        "| figure | ours | peer | ratio | aim | met |",
        "| --- | --- | --- | --- | --- | --- |",
        "| start (warm) | 2 s | 4 s a/b | 0.5 | at most 0.25 times a/b | no |",
        "| landed | 89 |  |  | all 89 | yes |",
        "| one | 1.5 s |  |  |  |  |",
    ]
    assert plain(rows) == (
        "start (warm)\n    2 s, against 4 s a|b, ratio 0.5\n    NOT MET: at most 0.25 times a|b\n"
        "landed\n    89\n    met: all 89\none\n    1.5 s\n"
    )
