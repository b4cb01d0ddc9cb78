"""Where a run's time went, as bars over time: waits for the model, tool calls, checks.

The trace tells how long each thing took, not when it began, so the bars stand in the order in which things happened.
Calls that ran side by side are drawn one after the other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...trace_model import CallPart, RetryPart, Trace
from ..graph_text import markup
from .calls import anchors, call_words
from .text import LONGEST_WORDS, seconds

Kind = Literal["model", "wait", "tool", "failed", "check"]
_LANES: dict[Kind, int] = {"model": 0, "wait": 0, "tool": 1, "failed": 1, "check": 2}
_NAMES = ("model", "tools", "checks")
_TOP, _LANE, _BAR, _LEFT = 20, 34, 22, 56
"""Pixels: above the lanes, a lane's and a bar's height, left of the lanes."""
MOST_BARS = 1_500
_STEPS = (1, 2, 5)
_TICKS = {1100: 10, 400: 4}
"""Widths of the drawing with how many ticks each may have."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that took time, in milliseconds from the first. `anchor`: the element that tells of it."""

    kind: Kind
    start: float
    length: float
    words: str
    anchor: str


def bars(trace: Trace) -> list[Bar]:
    """All bars in order."""
    found: list[Bar] = []
    at = 0.0
    for kind, length, words, anchor in _happened(trace):
        found.append(Bar(kind, at, length, words, anchor))
        at += length
    return found


def _happened(trace: Trace) -> Iterator[tuple[Kind, float, str, str]]:
    calls: defaultdict[int, list[CallPart]] = defaultdict(list)
    for call in trace.tool_calls:
        calls[call.round].append(call)
    waits: defaultdict[int, list[RetryPart]] = defaultdict(list)
    for retry in trace.retries:
        waits[retry.round].append(retry)
    known = anchors(trace)
    for entry in trace.rounds:
        anchor = known.get(entry.round, "rounds")
        asking = float(entry.duration_ms)
        for retry in waits.pop(entry.round, ()):
            length = retry.seconds * 1000
            if 0 < length < math.inf:
                yield "wait", length, f"round {entry.round}: waited {seconds(length)} after: {retry.message}", anchor
                # A round's time counts from its first request.
                asking -= length
        took = f"round {entry.round}: {seconds(entry.duration_ms)}, {entry.usage.completion_tokens:,} tokens out"
        yield "model", max(asking, 0.0), took, anchor
        # A stranger's trace may repeat a number.
        for call in calls.pop(entry.round, ()):
            failed = "" if call.status == "executed" else f" ({call.status})"
            kind: Kind = "failed" if failed else "tool"
            yield kind, call.duration_ms, f"{call_words(call)}{failed}: {seconds(call.duration_ms)}", anchor
    for check in trace.checks:
        words = f"check {check.name}, {check.outcome.replace('_', ' ')}: {seconds(check.duration_ms)}"
        yield "check", check.duration_ms, words, "checks"


def timeline_markup(trace: Trace) -> str:
    """The section."""
    found = bars(trace)
    head = '<section id="timeline"><h2>Timeline</h2>'
    total = max(sum(bar.length for bar in found), 1.0)
    if not found:
        return f"{head}<p>Nothing took time.</p></section>\n"
    drawings = "".join(
        f'<div class="{name}">{_drawing(found[:MOST_BARS], total, width, name)}</div>'
        for name, width in (("wide", 1100), ("narrow", 400))
    )
    cut = f"; the first {MOST_BARS:,} of {len(found):,} bars are drawn" if len(found) > MOST_BARS else ""
    words = (
        f"In the order in which things happened; what ran side by side is drawn one after the other{cut}. "
        f"The whole run took {seconds(trace.duration_ms)}."
    )
    return f"{head}<figure>{drawings}<figcaption>{_legend()} {words}</figcaption></figure></section>\n"


def _legend() -> str:
    kinds = (("model", "model"), ("wait", "wait before asking again"), ("tool", "tool call"), ("failed", "failed call"))
    entries = [*kinds, ("check", "check")]
    return " ".join(f'<span class="key {kind}">{words}</span>' for kind, words in entries) + "<br/>"


def _drawing(found: Sequence[Bar], total: float, width: int, name: str) -> str:
    height = _TOP + _LANE * len(_NAMES) + 24
    scale = (width - _LEFT - 10) / total
    lanes = "".join(
        f'<text class="lane" x="0" y="{_TOP + _LANE * number + 16}">{words}</text>'
        f'<path class="rule" d="M{_LEFT} {_TOP + _LANE * (number + 1) - 6}H{width}"/>'
        for number, words in enumerate(_NAMES)
    )
    drawn = "".join(_bar(bar, scale) for bar in found)
    return (
        f'<svg class="chart" role="group" aria-labelledby="time-{name}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><title id="time-{name}">Time of model, tools and checks</title>'
        f"{_ticks(total, scale, width, height)}{lanes}{drawn}</svg>"
    )


def _ticks(total: float, scale: float, width: int, height: int) -> str:
    step = _step(total / _TICKS[width])
    ticks = [number * step for number in range(int(total / step) + 1)]
    return "".join(
        f'<path class="grid" d="M{_LEFT + at * scale:.1f} {_TOP - 6}V{height - 22}"/>'
        f'<text class="tick" x="{_LEFT + at * scale:.1f}" y="{height - 6}">{_label(at, step)}</text>'
        for at in ticks
    )


def _step(least: float) -> float:
    """The first round number of milliseconds that is not less."""
    power = 10.0 ** math.floor(math.log10(max(least, 1.0)))
    return next((power * digit for digit in _STEPS if power * digit >= least), power * 10)


def _label(at: float, step: float) -> str:
    if step < 100:
        return f"{at:.0f} ms"
    return f"{at / 1000:.1f} s" if step < 1000 else f"{at / 1000:,.0f} s"


def _bar(bar: Bar, scale: float) -> str:
    x, width = _LEFT + bar.start * scale, max(bar.length * scale - 0.5, 1.5)
    y = _TOP + _LANE * _LANES[bar.kind]
    # Only the rounds are stops of the tab key: the calls stand in them.
    skipped = "" if bar.kind == "model" else ' tabindex="-1"'
    words = markup(bar.words, LONGEST_WORDS)
    return (
        f'<a href="#{bar.anchor}"{skipped} aria-label="{words}"><rect class="{bar.kind}" x="{x:.1f}" y="{y}" '
        f'width="{width:.1f}" height="{_BAR}"><title>{words}</title></rect></a>'
    )
