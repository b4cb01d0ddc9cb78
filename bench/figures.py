"""The rows of the table: a figure, ours and the peer's, their ratio, and whether the aim is met.

Pure. What is measured and how stands in the modules that `rows` names. Ratios are taken pair by pair and then the
middle one, so that a machine whose speed drifts is fair to both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

TITLES = ("figure", "ours", "peer", "ratio", "aim", "met")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row.

    Attributes:
        name: what was measured.
        ours: our value, in `unit`.
        unit: `s`, `ms`, `MB`, `USD`, or empty for a count.
        peer: the peer's value in the same unit; None where there is nothing to compare with.
        peer_name: who that is.
        ratio: ours by the peer's; of pairs the middle one.
        aim: what ours must be, in words.
        met: whether it is; None where there is no aim.
        note: what one must know to read it.
    """

    name: str
    ours: float
    unit: str = ""
    peer: float | None = None
    peer_name: str = ""
    ratio: float | None = None
    aim: str = ""
    met: bool | None = None
    note: str = ""


def figure(
    name: str,
    ours: Sequence[float],
    peer: Sequence[float] = (),
    *,
    peer_name: str = "",
    unit: str = "s",
    most: float | None = None,
    most_ratio: float | None = None,
    either: bool = False,
    note: str = "",
) -> Figure:
    """A row from samples; pairs where there is a peer.

    Args:
        name: what was measured.
        ours: our samples, in `unit`.
        peer: the peer's, one for each of ours; empty where there is none.
        peer_name: who that is.
        unit: of both.
        most: the largest value that is good enough.
        most_ratio: the largest ratio that is good enough; it needs a peer.
        either: one of the two is enough.
        note: what one must know to read it.
    """
    middle, ratio = statistics.median(ours), middle_ratio(ours, peer)
    tests = ([] if most is None else [middle <= most]) + (
        [] if most_ratio is None or ratio is None else [ratio <= most_ratio]
    )
    return Figure(
        name,
        middle,
        unit,
        statistics.median(peer) if peer else None,
        peer_name if peer else "",
        ratio,
        _aim(most, most_ratio, unit, peer_name, either=either),
        (any if either else all)(tests) if tests else None,
        note,
    )


def middle_ratio(ours: Sequence[float], peer: Sequence[float]) -> float | None:
    """The middle one of the pairs' ratios; None without a peer, or where the peer's values are nothing."""
    ratios = [own / other for own, other in zip(ours, peer, strict=True) if other] if peer else []
    return statistics.median(ratios) if ratios else None


def _aim(most: float | None, most_ratio: float | None, unit: str, peer_name: str, *, either: bool) -> str:
    parts = [] if most is None else [f"at most {amount(most, unit)}"]
    if most_ratio is not None:
        parts.append(f"at most {most_ratio:g} times {peer_name}" if peer_name else f"at most {most_ratio:g} times")
    return (" or " if either else " and ").join(parts)


def amount(value: float, unit: str) -> str:
    """A value with three digits that count and its unit."""
    if unit == "USD":
        return f"{value:.6f} USD"
    text = f"{value:,.0f}" if abs(value) >= 100 or (value == int(value) and not unit) else f"{value:.3g}"
    return f"{text} {unit}".strip()


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def alternate(pairs: int, *actions: Callable[[], float]) -> list[list[float]]:
    """Let each measure in turn, so many times.

    Returns:
        For each action its values, in order.
    """
    taken = [[action() for action in actions] for _ in range(pairs)]
    return [list(column) for column in zip(*taken, strict=True)]


def cells(row: Figure) -> tuple[str, ...]:
    """A row as the words of the table."""
    peer = "" if row.peer is None else f"{amount(row.peer, row.unit)} {row.peer_name}".strip()
    met = {True: "yes", False: "no", None: ""}[row.met]
    return (
        f"{row.name} ({row.note})" if row.note else row.name,
        amount(row.ours, row.unit),
        peer,
        "" if row.ratio is None else f"{row.ratio:.3g}",
        row.aim,
        met,
    )


def markdown(rows: Sequence[Figure]) -> str:
    """The table as Markdown."""
    lines = [TITLES, ("---",) * len(TITLES), *(cells(row) for row in rows)]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def plain(rows: Sequence[Figure]) -> str:
    """The table for a terminal: a line of numbers under each name, so that it fits a narrow one."""
    blocks: list[str] = []
    for row in rows:
        name, ours, peer, ratio, aim, met = cells(row)
        told = [ours, *([f"against {peer}"] if peer else []), *([f"ratio {ratio}"] if ratio else [])]
        verdict = {"yes": "met: ", "no": "NOT MET: ", "": ""}[met]
        blocks.append(f"{name}\n    {', '.join(told)}\n" + (f"    {verdict}{aim}\n" if aim else ""))
    return "".join(blocks)
