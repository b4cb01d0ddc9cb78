"""Tokens and cost by round, as a chart; the table of the rounds has the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...trace_model import RoundPart, Trace
from ..graph_text import markup
from .calls import anchors
from .text import count, money

_HEIGHT, _TOP, _BELOW, _LEFT = 120, 14, 22, 56
"""Pixels: of a panel's bars, above them, below them, left of them."""
MOST_ROUNDS = 250
_PARTS = (("cached", "in, from the cache"), ("prompt", "in"), ("completion", "out"))


def costs_markup(trace: Trace) -> str:
    """The section."""
    used, rounds = trace.usage, trace.rounds[:MOST_ROUNDS]
    head = '<section id="cost"><h2>Cost and tokens</h2>'
    told = (
        f"{used.prompt_tokens:,} tokens in ({used.cached_tokens:,} from the cache), {used.completion_tokens:,} out, "
        f"{count(used.requests, 'request')}; cost {money(trace.cost_usd) if trace.rounds else 'none'}"
        f"{_of_reviews(trace)}."
    )
    if not any(map(_tokens, rounds)):
        return f"{head}<p>{told} No round reported tokens.</p></section>\n"
    drawings = "".join(
        f'<div class="{name}">{_drawing(rounds, anchors(trace), width, name)}</div>'
        for name, width in (("wide", 1100), ("narrow", 400))
    )
    legend = " ".join(f'<span class="key {kind}">{words}</span>' for kind, words in _PARTS)
    cut = f"; the first {MOST_ROUNDS} rounds are drawn" if len(trace.rounds) > MOST_ROUNDS else ""
    return f"{head}<figure>{drawings}<figcaption>{legend}<br/> {told}{cut}</figcaption></figure></section>\n"


def _of_reviews(trace: Trace) -> str:
    """What of it went into reviews of the result, which have no rounds here."""
    if not trace.reviews:
        return ""
    number = sum(review.usage.prompt_tokens + review.usage.completion_tokens for review in trace.reviews)
    return f"; of these tokens {number:,} for {count(len(trace.reviews), 'review')} of the result"


def _tokens(entry: RoundPart) -> int:
    return entry.usage.prompt_tokens + entry.usage.completion_tokens


def _cost(entry: RoundPart) -> float:
    cost = entry.cost_usd
    return cost if cost is not None and math.isfinite(cost) and cost > 0 else 0.0


def _drawing(rounds: Sequence[RoundPart], known: dict[int, str], width: int, name: str) -> str:
    with_cost = any(map(_cost, rounds))
    height = (_TOP + _HEIGHT + _BELOW) * (2 if with_cost else 1)
    step = min((width - _LEFT - 8) / len(rounds), 90.0)
    most = max(map(_tokens, rounds))
    panels = [_panel("tokens", f"{most:,}", 0, width)]
    panels += [_tower(entry, known, _LEFT + place * step, step, most) for place, entry in enumerate(rounds)]
    if with_cost:
        dearest, below = max(map(_cost, rounds)), _TOP + _HEIGHT + _BELOW
        panels.append(_panel("cost", money(dearest), below, width))
        panels += [_price(entry, _LEFT + place * step, step, dearest, below) for place, entry in enumerate(rounds)]
    numbers = "".join(_number(entry, place, step, len(rounds)) for place, entry in enumerate(rounds))
    return (
        f'<svg class="chart" role="group" aria-labelledby="cost-{name}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><title id="cost-{name}">Tokens and cost by round</title>'
        f"{''.join(panels)}{numbers}</svg>"
    )


def _panel(words: str, most: str, top: int, width: int) -> str:
    floor = top + _TOP + _HEIGHT
    return (
        f'<text class="lane" x="0" y="{floor}">{words}</text><text class="tick most" x="0" y="{top + _TOP + 8}">'
        f'{most}</text><path class="rule" d="M{_LEFT} {floor + 0.5}H{width}"/>'
        f'<path class="grid" d="M{_LEFT} {top + _TOP + 0.5}H{width}"/>'
    )


def _number(entry: RoundPart, place: int, step: float, rounds: int) -> str:
    every = max(1, math.ceil(24 / step))
    if place % every and place != rounds - 1:
        return ""
    x = _LEFT + place * step + _bar_width(step) / 2
    return f'<text class="tick" x="{x:.1f}" y="{_TOP + _HEIGHT + 14}">{entry.round}</text>'


def _bar_width(step: float) -> float:
    return max(min(step - 3, 40.0), 1.5)


def _tower(entry: RoundPart, known: dict[int, str], x: float, step: float, most: int) -> str:
    used = entry.usage
    cached = min(used.cached_tokens, used.prompt_tokens)
    parts = (("cached", cached), ("prompt", used.prompt_tokens - cached), ("completion", used.completion_tokens))
    bottom = float(_TOP + _HEIGHT)
    rects: list[str] = []
    for kind, tokens in parts:
        tall = tokens / most * _HEIGHT
        bottom -= tall
        if tokens:
            rects.append(_rect(kind, x, bottom, step, max(tall, 0.75)))
    words = markup(
        f"round {entry.round}: {used.prompt_tokens:,} tokens in ({used.cached_tokens:,} cached), "
        f"{used.completion_tokens:,} out, {money(entry.cost_usd)}"
    )
    return f'<a href="#{known[entry.round]}" aria-label="{words}"><title>{words}</title>{"".join(rects)}</a>'


def _price(entry: RoundPart, x: float, step: float, dearest: float, top: int) -> str:
    tall = _cost(entry) / dearest * _HEIGHT
    rect = _rect("cost", x, top + _TOP + _HEIGHT - tall, step, max(tall, 0.75))
    return f"<g><title>round {entry.round}: {money(entry.cost_usd)}</title>{rect}</g>"


def _rect(kind: str, x: float, y: float, step: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{_bar_width(step):.1f}" height="{height:.1f}"/>'
