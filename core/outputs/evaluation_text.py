"""An evaluation as text: a table of figures by arm, and the differences of two arms with whether they are noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from ..evaluation.statistics import CONFIDENCE
from ..evaluation.summary import MEANS, SHARES, SIGNIFICANT, ArmSummary, Difference, Figure
from .graph_text import visible, width
from .text_columns import fitting

_NAME, _MOST = 40, 12
"""Columns of an arm's name, and reasons that are named."""


def summary_lines(arms: Sequence[ArmSummary], columns: int) -> Iterator[str]:
    """The table: a row a figure, a column an arm; where that is too wide, one arm below the other."""
    names = [fitting(visible(arm.arm), _NAME) for arm in arms]
    cells = {name: [figure_words(name, arm.figures[name]) for arm in arms] for name in (*SHARES, *MEANS)}
    head = max(map(len, cells))
    wide = [max(width(names[place]), *(width(row[place]) for row in cells.values())) for place in range(len(arms))]
    if head + sum(wide) + 2 * len(wide) <= columns or len(arms) == 1:
        yield "  ".join([" " * head, *(_padded(name, room) for name, room in zip(names, wide, strict=True))]).rstrip()
        for figure, row in cells.items():
            told = (_padded(cell, room) for cell, room in zip(row, wide, strict=True))
            yield "  ".join([figure.ljust(head), *told]).rstrip()
    else:
        for place, name in enumerate(names):
            yield name
            yield from (f"  {figure.ljust(head)}  {row[place]}" for figure, row in cells.items())
            yield ""
    for arm, name in zip(arms, names, strict=True):
        yield from _counted(f"refused edits, {name}", arm.refused)
        yield from _counted(f"endings, {name}", arm.reasons)
    yield f"in brackets: {CONFIDENCE:.0%} intervals (Wilson for shares, bootstrap for means)"


def difference_lines(first: str, second: str, told: Sequence[Difference]) -> Iterator[str]:
    """What differs from the first arm to the second, a line a figure, the clear ones marked."""
    yield f"from {fitting(visible(first), _NAME)} to {fitting(visible(second), _NAME)}"
    if not told:
        yield "no task was tried by both"
        return
    head = max(len(each.figure) for each in told)
    for each in told:
        mark = "*" if each.is_more_than_noise else " "
        is_share = each.figure in SHARES
        a, b = (f"{value:.0%}" if is_share else number(value) for value in (each.first, each.second))
        changed = f"; {each.better} task(s) gained, {each.worse} lost" if is_share else ""
        yield f"{mark} {each.figure.ljust(head)}  {a} -> {b}  (p = {each.p:.3f}, {each.pairs} task(s){changed})"
    clear = [each.figure for each in told if each.is_more_than_noise]
    yield f"* more than noise (p < {SIGNIFICANT:g}): {', '.join(clear) or 'nothing'}"


def figure_words(name: str, figure: Figure) -> str:
    """A figure with its interval."""
    if figure.value is None:
        return "-"
    low, high = figure.interval
    if name in SHARES:
        return f"{figure.hits}/{figure.count} {figure.value:.0%} [{low:.0%}, {high:.0%}]"
    return f"{number(figure.value)} [{number(low)}, {number(high)}]"


def number(value: float) -> str:
    """A number as short as it says what it is."""
    if not math.isfinite(value):
        return "-"
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"


def _counted(name: str, counts: Mapping[str, int]) -> Iterator[str]:
    if counts:
        shown = [f"{visible(word)} {count}" for word, count in list(counts.items())[:_MOST]]
        more = [f"{len(counts) - _MOST} more"] if len(counts) > _MOST else []
        yield f"{name}: {', '.join([*shown, *more])}"


def _padded(text: str, room: int) -> str:
    return text + " " * (room - width(text))
