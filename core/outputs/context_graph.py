"""Draws the chosen part of the graph as one SVG image, from plain values; `graph_layout.py` says where things stand.

The drawing needs nothing else: no script, no font, no network. It may be opened alone or stand in a page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..context.pack import PackedItem
from ..context.selection import Link, LinkKind
from .graph_layout import BOX, HEAD, MOST_ITEMS, ROW, Box, Curve, Layout, lay_out
from .graph_roles import is_central
from .graph_style import HEADINGS, LINES, stylesheet
from .graph_text import cut_middle, markup

_CHARACTER = 7.0
"""Pixels that a column of the font takes."""
_PAD, _BAR, _LINES_END = 12, 30, 52
_LEGEND_ENTRY, _LEGEND_ROW = 96, 22
_DECADES = 4
"""Powers of ten of the score that a bar shows."""
_MOST_REASONS, _LONGEST_REASON = 8, 200


def draw(items: Sequence[PackedItem], links: Sequence[Link], *, narrow: bool = False, name: str = "graph") -> str:
    """An SVG document that shows the items in their files, with curves for the links between them.

    Args:
        items: the best first; a row's `data-n` is its item's place in it. Only the first `MOST_ITEMS` are drawn.
        links: those to or from anything that isn't drawn are left out.
        narrow: everything in one column, for a narrow screen.
        name: of the ids in it, for several drawings on one page.
    """
    layout = lay_out(items, links, narrow=narrow)
    shown = set(map(_kind, layout.curves))
    kinds: list[LinkKind] = [kind for kind in LINES if kind in shown]
    legend = _legend(kinds, layout)
    height = max(layout.height, 60) + legend[1]
    size = f'width="{layout.width:g}" height="{height:g}" viewBox="0 0 {layout.width:g} {height:g}"'
    labels = f'aria-labelledby="{name}-title {name}-desc"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="context-graph" role="img" {labels} {size}>',
            f'<title id="{name}-title">What the context pack holds</title>',
            f'<desc id="{name}-desc">{markup(_description(items, layout))}</desc>',
            f"<style>{stylesheet()}</style>",
            f"<defs>{''.join(_tip(kind, name) for kind in kinds)}</defs>",
            '<rect class="ground" width="100%" height="100%"/>',
            *(_curve(curve, items, name) for curve in layout.curves),
            *(_heading(x, y, HEADINGS[role]) for role, x, y in layout.headings),
            *(_box(box, items, name) for box in layout.boxes),
            "" if items else '<text class="heading" x="16" y="34">nothing was chosen</text>',
            legend[0],
            "</svg>\n",
        ]
    )


def _description(items: Sequence[PackedItem], layout: Layout) -> str:
    best = ", ".join(item.node_id for item in items[:5])
    undrawn = f", of which the first {MOST_ITEMS} are drawn" if len(items) > MOST_ITEMS else ""
    told = f"{len(items)} items in {len(layout.boxes)} files{undrawn}, {len(layout.curves)} links"
    return f"{told}. The best: {best}." if items else "Nothing was chosen."


def _tip(kind: LinkKind, name: str) -> str:
    return (
        f'<marker id="{name}-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="tip {kind}" d="M0 .5 8 4 0 7.5z"/></marker>'
    )


def _curve(curve: Curve, items: Sequence[PackedItem], name: str) -> str:
    x1, y1, *bend = curve.points
    path = f"M{x1:g} {y1:g}C{' '.join(f'{value:g}' for value in bend)}"
    kind = _kind(curve)
    said = f"{items[curve.source].node_id} {', '.join(curve.kinds)} {items[curve.target].node_id}"
    return (
        f'<g class="edge" data-a="{curve.source}" data-b="{curve.target}"><title>{markup(said)}</title>'
        f'<path class="reach" d="{path}"/>'
        f'<path class="link {kind}" d="{path}" marker-end="url(#{name}-{kind})"/></g>'
    )


def _kind(curve: Curve) -> LinkKind:
    """Of the kinds that a curve stands for the one that it is drawn as."""
    return next(kind for kind in LINES if kind in curve.kinds)


def _heading(x: float, y: float, words: str) -> str:
    return f'<text class="heading" x="{x:g}" y="{y:g}">{words}</text>'


def _box(box: Box, items: Sequence[PackedItem], name: str) -> str:
    path = cut_middle(box.path, int((BOX - 2 * _PAD - (_BAR + 10 if box.head is not None else 0)) / 7.3))
    frame = f'<rect class="box" x="{box.x:g}" y="{box.y:g}" width="{BOX}" height="{box.height:g}" rx="6"/>'
    head = f'<text class="path" x="{box.x + _PAD:g}" y="{box.y + 18:g}">{markup(path)}</text>'
    if box.head is None:
        head = f"<g><title>{markup(box.path)}</title>{head}</g>"
    else:
        score = _score(items[box.head], box.x, box.y + HEAD / 2)
        head = _row(box.head, items, box.x, box.y, HEAD, head + score, name)
    rows = "".join(
        _row(row.number, items, box.x, row.y, ROW, _symbol(items[row.number], box.x, row.y), name) for row in box.rows
    )
    return f'<g class="{box.role}">{frame}{head}{rows}</g>'


def _row(number: int, items: Sequence[PackedItem], x: float, y: float, height: int, content: str, name: str) -> str:
    return (
        f'<g class="row" id="{name}-{number}" data-n="{number}"><title>{markup(_told(items[number]), 4000)}</title>'
        f'<rect class="hit" x="{x:g}" y="{y:g}" width="{BOX}" height="{height}"/>{content}</g>'
    )


def _told(item: PackedItem) -> str:
    """Everything about an item in one line."""
    first, last = item.lines
    why = "; ".join(reason[:_LONGEST_REASON] for reason in item.why[:_MOST_REASONS])
    return f"{item.node_id}, lines {first}-{last}: {why} (score {item.score:g}, {item.form}, {item.tokens} tokens)"


def _symbol(item: PackedItem, x: float, y: float) -> str:
    lines = "{}–{}".format(*item.lines)
    room = BOX - _PAD - _LINES_END - len(lines) * 6.4 - 10
    central = is_central(item)
    mark = f'<rect class="mark" x="{x + 1:g}" y="{y + 3:g}" width="3" height="{ROW - 6}"/>' if central else ""
    style = ' class="central"' if central else ""
    symbol = markup(cut_middle(item.symbol, int(room / _CHARACTER)))
    return (
        f'{mark}<text{style} x="{x + _PAD:g}" y="{y + 15:g}">{symbol}</text>'
        f'<text class="lines" text-anchor="end" x="{x + BOX - _LINES_END:g}" y="{y + 15:g}">{lines}</text>'
        + _score(item, x, y + ROW / 2)
    )


def _score(item: PackedItem, x: float, y: float) -> str:
    """The score as a bar, which loses a quarter with each tenth: scores reach from 1 far down."""
    share = min(max(1 + math.log10(item.score) / _DECADES, 0.0), 1.0) if item.score > 0 else 0.0
    place = f'x="{x + BOX - _PAD - _BAR:g}" y="{y - 3:g}" height="6" rx="3"'
    return (
        f'<rect class="track" {place} width="{_BAR}"/><rect class="score" {place} width="{max(share * _BAR, 1):.1f}"/>'
    )


def _legend(kinds: Sequence[LinkKind], layout: Layout) -> tuple[str, float]:
    """What the lines and the bars mean, and the height that telling it takes."""
    across = int((layout.width - 32) // _LEGEND_ENTRY)
    bar = '<path class="scale" d="M{} {}h24"/>'
    lines = [(f'<path class="link {kind}" d="M{{}} {{}}h24"/>', str(kind)) for kind in kinds]
    entries: list[str] = []
    for number, (glyph, words) in enumerate([*lines, (bar, "score, log scale")] if layout.boxes else []):
        x = 16 + number % across * _LEGEND_ENTRY
        y = f"{layout.height + 14 + number // across * _LEGEND_ROW:g}"
        entries.append(f'{glyph.format(x, y)}<text class="legend" x="{x + 30}" y="{y}" dy="4">{words}</text>')
    return f'<g aria-hidden="true">{"".join(entries)}</g>', -(-len(entries) // across) * _LEGEND_ROW + 12
