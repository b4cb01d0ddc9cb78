"""Draws curves as a picture: time and memory over what grows, both axes logarithmic, in SVG written by hand.

Pure: curves in, text out. On logarithmic axes what grows in proportion is a straight line of the slope that the faint
lines have, and what stays the same is level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from kept import Curve

_WIDTH, _HEIGHT = 250, 190
_LEFT, _TOP, _GAP_X, _GAP_Y = 58, 62, 74, 92
_COLOURS = ("#2563eb", "#d97706", "#059669")
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #374151 } .title { font-weight: 600; font-size: 13px }
.axis { stroke: #9ca3af } .grid { stroke: #e5e7eb } .faint { stroke: #9ca3af; stroke-dasharray: 2 4 }
@media (prefers-color-scheme: dark) { text { fill: #d1d5db } .grid { stroke: #374151 } .paper { fill: #111827 } }
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic axis in whole powers of ten.

    Attributes:
        low: the power where it begins.
        high: the power where it ends.
        length: in pixels.
    """

    low: int
    high: int
    length: int

    def at(self, value: float) -> float:
        """Pixels from the axis's beginning."""
        return (math.log10(value) - self.low) / (self.high - self.low) * self.length

    @property
    def ticks(self) -> Sequence[float]:
        """The powers of ten."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def scale(values: Sequence[float], length: int) -> Scale:
    """The smallest axis that holds all values, which are above zero."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return Scale(low, max(high, low + 1), length)


def draw(curves: Sequence[Curve]) -> str:
    """The whole picture: a column for each thing that grows, time above memory."""
    columns = [list(group) for _, group in groupby(curves, key=lambda curve: curve.along)]
    width = _LEFT + len(columns) * (_WIDTH + _GAP_X) - _GAP_X + 24
    height = _TOP + 2 * (_HEIGHT + _GAP_Y) - 30
    parts = [_panel(column, number, row) for number, column in enumerate(columns) for row in (0, 1)]
    return (
        f'<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="growth-title">\n'
        '<title id="growth-title">How time and memory grow with files, rounds and edits</title>\n'
        f"<style>{_STYLE}</style>\n"
        f'<rect class="paper" width="{width}" height="{height}" fill="#ffffff"/>\n{"".join(parts)}</svg>\n'
    )


def _panel(curves: Sequence[Curve], column: int, row: int) -> str:
    """One pair of axes with its curves; row 0 has seconds, row 1 megabytes."""
    across = scale([point[0] for curve in curves for point in curve.points], _WIDTH)
    up = scale([point[1 + row] for curve in curves for point in curve.points], _HEIGHT)
    left, top = _LEFT + column * (_WIDTH + _GAP_X), _TOP + row * (_HEIGHT + _GAP_Y)
    title = f"{('seconds', 'megabytes')[row]} by {curves[0].along}"
    drawn = [_grid(across, up), _slope(across, up), *(_curve(*each, across, up, row) for each in enumerate(curves))]
    return (
        f'<g transform="translate({left} {top})">\n'
        f'<text class="title" y="-{12 if row else 32}">{escape(title)}</text>\n'
        f"{'' if row else _names(curves)}{''.join(drawn)}</g>\n"
    )


def _grid(across: Scale, up: Scale) -> str:
    lines: list[str] = []
    for tick in up.ticks:
        y = _HEIGHT - up.at(tick)
        lines.append(f'<line class="grid" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{tick:,g}</text>')
    for tick in across.ticks:
        x = across.at(tick)
        lines.append(f'<line class="grid" y2="{_HEIGHT}" x1="{x:.1f}" x2="{x:.1f}"/>')
        lines.append(f'<text x="{x:.1f}" y="{_HEIGHT + 18}" text-anchor="middle">{tick:,.0f}</text>')
    lines.append(f'<path class="axis" fill="none" d="M0 0V{_HEIGHT}H{_WIDTH}"/>')
    return "\n".join(lines) + "\n"


def _slope(across: Scale, up: Scale) -> str:
    """A faint line of what grows in proportion, from the lower left corner on."""
    powers = min(across.high - across.low, up.high - up.low)
    x, y = across.at(10.0 ** (across.low + powers)), _HEIGHT - up.at(10.0 ** (up.low + powers))
    return f'<line class="faint" x1="0" y1="{_HEIGHT}" x2="{x:.1f}" y2="{y:.1f}"/>\n'


def _curve(number: int, curve: Curve, across: Scale, up: Scale, row: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    places = [(across.at(point[0]), _HEIGHT - up.at(point[1 + row])) for point in curve.points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
        f"<title>{point[0]:,}: {point[1 + row]:.3g}</title></circle>"
        for (x, y), point in zip(places, curve.points, strict=True)
    )
    return f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>{dots}\n'


def _names(curves: Sequence[Curve]) -> str:
    spans = "  ".join(
        f'<tspan fill="{_COLOURS[number % len(_COLOURS)]}" dx="{0 if number == 0 else 8}">{escape(curve.name)}</tspan>'
        for number, curve in enumerate(curves)
    )
    return f'<text y="-12">{spans}</text>\n'
