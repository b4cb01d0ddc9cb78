"""Where everything of a drawn context stands: boxes in columns, rows in boxes, curves between rows; numbers only.

From left to right: who uses the targets, the targets, what they use; below tests and documents. It is the first half of
the layered drawing of Sugiyama, Tagawa and Toda (1981): layers come from the roles, the order within one from the mean
place of the neighbours. The narrow form puts the same layers into one column. The same input gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..context.pack import PackedItem
from ..context.selection import Link, LinkKind
from .graph_roles import Role, roles_of

BOX, ROW, HEAD = 320, 22, 27
"""Pixels: a box's width, a row's height, the height of a box's head."""
_GAP, _LEFT, _RIGHT, _BETWEEN, _HEADING, _BAND = 76, 16, 52, 14, 30, 20
_TALL = 480
"""Pixels; from here on a layer may take more than one column."""
_ASIDE = 100
"""Pixels that the targets may be moved down to stand beside the middle of what is longer."""
_FAR = 1200
"""Pixels; curves within a column lie the further beside it the longer they are, up to this length."""
MOST_ITEMS, MOST_LINKS = 200, 800
_MAIN: tuple[Role, ...] = ("users", "centre", "used")
_BELOW: tuple[Role, ...] = ("tests", "documents")
_STACKED: tuple[Role, ...] = ("centre", "users", "used", "tests", "documents")


@dataclass(frozen=True, slots=True)
class Row:
    """One item: `number` is its place in the given sequence, `y` its top."""

    number: int
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """One file. `head` is the number of the item that is the file itself, if it was chosen."""

    path: str
    role: Role
    x: float
    y: float
    height: float
    head: int | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """One edge between two items, as the points of a cubic curve. `kinds`: all that it stands for."""

    source: int
    target: int
    kinds: tuple[LinkKind, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole picture. `headings`: role and place of each layer's title."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    headings: tuple[tuple[Role, float, float], ...]


@dataclass(frozen=True, slots=True)
class _File:
    """A file before it has a place. `numbers`: of its items, the file itself apart."""

    path: str
    role: Role
    head: int | None
    numbers: tuple[int, ...]

    @property
    def height(self) -> float:
        return HEAD + ROW * len(self.numbers) + (6 if self.numbers else 0)


def lay_out(items: Sequence[PackedItem], links: Sequence[Link], *, narrow: bool = False) -> Layout:
    """Give everything its place.

    Args:
        items: the best first; no more than `MOST_ITEMS` are drawn.
        links: those between other items than these are left out.
        narrow: one column, for a narrow screen.
    """
    items, links = items[:MOST_ITEMS], links[:MOST_LINKS]
    layers = _layers(items, _ordered(items, links), roles_of(items, links))
    bands = [[layers[role] for role in band if layers[role]] for band in (_MAIN, _BELOW)]
    if narrow:
        bands = [[layers[role]] for role in _STACKED if layers[role]]
    columns = 1 if narrow else max(_wanted(band) for band in bands)
    boxes: list[Box] = []
    headings: list[tuple[Role, float, float]] = []
    y = 0.0
    for band in bands:
        if band:
            placed = _place_band(band, columns, y, headings)
            boxes += placed
            y = max(box.y + box.height for box in placed) + _BAND
    width = _LEFT + columns * BOX + (columns - 1) * _GAP + _RIGHT
    return Layout(width, y, tuple(boxes), _curves(items, links, boxes), tuple(headings))


def _ordered(items: Sequence[PackedItem], links: Sequence[Link]) -> dict[str, float]:
    """For each path the mean place of the items that it is linked with, by which a layer is ordered."""
    place = {item.node_id: float(number) for number, item in enumerate(items)}
    path_of = {item.node_id: item.path for item in items}
    near: dict[str, list[float]] = {}
    for link in links:
        if link.source in place and link.target in place:
            near.setdefault(path_of[link.source], []).append(place[link.target])
            near.setdefault(path_of[link.target], []).append(place[link.source])
    return {path: sum(places) / len(places) for path, places in near.items()}


def _layers(
    items: Sequence[PackedItem], near: Mapping[str, float], roles: Mapping[str, Role]
) -> dict[Role, list[_File]]:
    layers: dict[Role, list[_File]] = {role: [] for role in (*_MAIN, *_BELOW)}
    numbers: dict[str, list[int]] = {path: [] for path in roles}
    for number, item in enumerate(items):
        numbers[item.path].append(number)
    for path, held in numbers.items():
        head = next((number for number in held if not items[number].symbol), None)
        rows = sorted((n for n in held if n != head), key=lambda n: (items[n].lines, n))
        layers[roles[path]].append(_File(path, roles[path], head, tuple(rows)))
    for role, layer in layers.items():
        if role != "centre":  # which stays in the order of importance
            layer.sort(key=lambda file: (near.get(file.path, len(items)), file.path))
    return layers


def _tallness(layer: Sequence[_File]) -> float:
    return sum(file.height + _BETWEEN for file in layer)


def _wanted(band: Sequence[Sequence[_File]]) -> int:
    """How many columns a band takes: three where it is tall, else one a layer."""
    return len(_MAIN) if any(_tallness(layer) > _TALL for layer in band) else max(len(band), 1)


def _shares(band: Sequence[Sequence[_File]], columns: int) -> list[int]:
    """How many columns each layer gets: the spare ones go where a column is tallest."""
    shares = [1] * len(band)
    for _ in range(columns - len(band)):
        tallest = max(range(len(band)), key=lambda n: (_tallness(band[n]) / shares[n], -n))
        if _tallness(band[tallest]) / shares[tallest] > _TALL:
            shares[tallest] += 1
    return shares


def _place_band(
    band: Sequence[Sequence[_File]], columns: int, top: float, headings: list[tuple[Role, float, float]]
) -> list[Box]:
    filled = [_split(layer, share) for layer, share in zip(band, _shares(band, columns), strict=True)]
    tallest = max(_tallness(column) for layer in filled for column in layer)
    boxes: list[Box] = []
    x = float(_LEFT)
    for layer in filled:
        role, height = layer[0][0].role, max(map(_tallness, layer))
        y = top + (min((tallest - height) / 2, _ASIDE) if role == "centre" else 0)
        headings.append((role, x, y + 18))
        for column in layer:
            boxes += _stack(column, x, y + _HEADING)
            x += BOX + _GAP
    return boxes


def _split(layer: Sequence[_File], share: int) -> list[list[_File]]:
    columns: list[list[_File]] = [[] for _ in range(share)]
    for file in layer:
        min(columns, key=_tallness).append(file)
    return [column for column in columns if column]


def _stack(column: Sequence[_File], x: float, y: float) -> list[Box]:
    boxes: list[Box] = []
    for file in column:
        rows = tuple(Row(number, y + HEAD + ROW * place) for place, number in enumerate(file.numbers))
        boxes.append(Box(file.path, file.role, x, y, file.height, file.head, rows))
        y += file.height + _BETWEEN
    return boxes


def _curves(items: Sequence[PackedItem], links: Sequence[Link], boxes: Sequence[Box]) -> tuple[Curve, ...]:
    number_of = {item.node_id: number for number, item in enumerate(items)}
    places = {row.number: (box.x, row.y + ROW / 2) for box in boxes for row in box.rows}
    places |= {box.head: (box.x, box.y + HEAD / 2) for box in boxes if box.head is not None}
    kinds: dict[tuple[int, int], list[LinkKind]] = {}
    for link in links:
        source, target = number_of.get(link.source), number_of.get(link.target)
        if source is None or target is None or source == target:
            continue
        # What lies in a file stands in its box; that needs no line.
        if link.kind != "holds" or items[source].path != items[target].path:
            held = kinds.setdefault((source, target), [])
            held += [link.kind] if link.kind not in held else []
    return tuple(
        Curve(source, target, tuple(held), _bend(places[source], places[target]))
        for (source, target), held in sorted(kinds.items())
    )


def _bend(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, ...]:
    """The four points of a curve that leaves and arrives level, in the gap beside the boxes."""
    (x1, y1), (x2, y2) = start, end
    if x1 == x2:
        aside = x1 + BOX + 14 + (_RIGHT - 6) * min(abs(y2 - y1) / _FAR, 1) ** 0.5
        return (x1 + BOX, y1, aside, y1, aside, y2, x2 + BOX, y2)
    right = x2 > x1
    x1, x2 = (x1 + BOX, x2) if right else (x1, x2 + BOX)
    pull = min(abs(x2 - x1) / 2, _GAP) * (1 if right else -1)
    return (x1, y1, x1 + pull, y1, x2 - pull, y2, x2, y2)
