"""Packs what was chosen into a budget of tokens: the same input gives the same bytes anywhere.

Best first, each item takes the richest of its forms that fits; where none does, it is left out and a smaller one may
still come in. A target that is small stands there as `read_file` would show it, so that the model can edit at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from ..index.symbol_index import SymbolIndex
from .conventions import Section
from .counter import count_tokens
from .forms import Form, Offer, offers, sizes
from .rendering import conventions_line, heading
from .seeds import TARGET
from .selection import Item, Link, Selection

__all__ = ["ContextPack", "Form", "PackedItem", "pack"]

_MOST_RULES = 12
"""Of a budget, the part that the line of conventions may take is one in so many."""
_NAMED = 0.5
"""What something that the task names may take, of what all targets may."""
_ID = 16
"""Hexadecimal digits of a pack's id."""


@dataclass(frozen=True, slots=True)
class PackedItem:
    """One item as it stands in the text.

    Attributes:
        symbol: its qualified name or anchor; empty for a whole file.
        lines: first and last line, from 1.
        why: each reason in words, the strongest first.
        score: 1 is the most.
        form: `full` text, an `outline`, a `signature` alone, or a document's `section`.
        tokens: what its part of the text costs by our counter.
    """

    node_id: str
    path: str
    symbol: str
    lines: tuple[int, int]
    why: tuple[str, ...]
    score: float
    form: Form
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextPack:
    """What the model is shown first.

    Attributes:
        pack_id: a digest of the text and of the items.
        budget: in tokens.
        tokens: of the whole text by our counter; never above the budget.
        items: highest score first.
        left_out: how many chosen items did not fit.
        links: those among the items.
        text: sorted by path and line; empty where nothing fits.
        full: the paths whose whole text stands in it, exactly as `read_file` shows it.
        conventions: the sections that `skill_section` gives, whose ids and titles stand in the text.
    """

    pack_id: str
    budget: int
    tokens: int
    items: tuple[PackedItem, ...]
    left_out: int
    links: tuple[Link, ...]
    text: str
    full: tuple[str, ...]
    conventions: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    item: Item
    form: Form
    text: str
    tokens: int


def pack(selection: Selection, index: SymbolIndex, budget: int, sections: Sequence[Section] = ()) -> ContextPack:
    """Write what was chosen into at most so many tokens.

    Args:
        selection: what was chosen, best first.
        index: of the tree that it was chosen from.
        budget: in tokens of `count_tokens`, for the whole text.
        sections: the project's conventions, which are told of by id and title.
    """
    rules = _fitting(sections, budget // _MOST_RULES)
    room = budget - (count_tokens(conventions_line(rules)) if rules else 0)
    filling = _Filling(room)
    targets = sum(item.score for item in selection.items if item.why[0] == TARGET)
    files = index.symbols({item.path for item in selection.items})
    for item in selection.items:
        part = item.score / targets if item.why[0] == TARGET else _NAMED
        filling.take(item, offers(item, files.get(item.path), index, sizes(budget, part)))
    # Each piece was rounded up, so the whole is no larger than their sum.
    text = filling.text() + (conventions_line(rules) if rules else "")
    items = tuple(filling.items())
    return ContextPack(
        pack_id=_pack_id(text, items),
        budget=budget,
        tokens=count_tokens(text),
        items=items,
        left_out=filling.left_out,
        links=_links(selection.links, {item.node_id for item in items}),
        text=text,
        full=tuple(sorted(filling.full)),
        conventions=tuple(rules),
    )


class _Filling:
    """What was taken so far."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._placed: list[_Placed] = []
        # Paths with their headings, and by path the lines that are shown wholly.
        self._headings: dict[str, str] = {}
        self._shown: dict[str, list[tuple[int, int]]] = {}
        self.full: set[str] = set()
        self.left_out = 0

    def take(self, item: Item, offered: Iterable[Offer]) -> None:
        """Take an item in the first of its forms that fits, or count it as left out."""
        if self._is_shown(item):
            self._placed.append(_Placed(item, "full", "", 0))
            return
        for offer in offered:
            head = self._headings.get(item.path) or heading(item.path, *_subtitle(item, offer))
            cost = count_tokens(offer.text) + (0 if item.path in self._headings else count_tokens(head))
            if cost <= self._room:
                self._room -= cost
                self._headings[item.path] = head
                self._add(item, offer, cost)
                return
        self.left_out += 1

    def _add(self, item: Item, offer: Offer, cost: int) -> None:
        self._placed.append(_Placed(item, offer.form, offer.text, cost))
        if offer.form == "full":
            self._shown.setdefault(item.path, []).append((item.start_line, item.end_line))
            if not item.symbol:
                self.full.add(item.path)

    def _is_shown(self, item: Item) -> bool:
        return any(first <= item.start_line and item.end_line <= last for first, last in self._shown.get(item.path, ()))

    def items(self) -> Iterable[PackedItem]:
        for placed in self._placed:
            item = placed.item
            lines = (item.start_line, item.end_line)
            yield PackedItem(
                item.node_id, item.path, item.symbol, lines, item.why, item.score, placed.form, placed.tokens
            )

    def text(self) -> str:
        pieces: list[str] = []
        last = ""
        for placed in sorted(self._placed, key=lambda each: _place(each.item)):
            if not placed.tokens:
                continue
            if placed.item.path != last:
                last = placed.item.path
                pieces.append(self._headings[last])
            pieces.append(placed.text)
        return "".join(pieces)


def _subtitle(item: Item, offer: Offer) -> tuple[Sequence[str], str]:
    """What stands behind a path: why a whole file is in, and how it is shown; a symbol says it in its own line."""
    if item.symbol:
        return (), ""
    return item.why, {"full": "whole file", "outline": "outline"}.get(offer.form, "")


def _place(item: Item) -> tuple[str, int, bool, int, str]:
    return (item.path, item.start_line, bool(item.symbol), -item.end_line, item.node_id)


def _fitting(sections: Sequence[Section], room: int) -> list[Section]:
    """As many of the sections as fit into a line of so many tokens."""
    rules = list(sections)
    while rules and count_tokens(conventions_line(rules)) > room:
        rules = rules[: len(rules) * 3 // 4]
    return rules


def _links(links: Iterable[Link], known: set[str]) -> tuple[Link, ...]:
    return tuple(link for link in links if link.source in known and link.target in known)


def _pack_id(text: str, items: Sequence[PackedItem]) -> str:
    told = json.dumps([text, [asdict(item) for item in items]], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()[:_ID]
