"""The forms in which one item can be shown, the richest first: what it is decides which it has.

A target or something that the task names is worth its text; of everything else a model needs to know that it is there,
what it promises, and where to read on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..code.symbols import Definition, FileSymbols
from ..index.symbol_index import SymbolIndex
from ..relations.neighbours import is_test_path
from ..result_limits import RESULT_LIMIT
from .counter import count_tokens
from .rendering import Level, fenced, lines_of, named_line, one_line, outline, shown_text, signature
from .seeds import NAMED, TARGET
from .selection import Item

Form = Literal["full", "outline", "signature", "section"]

_FILE, _SYMBOL, _SECTION = 2, 3, 8
"""A whole file, symbol or section may take one in so many parts of the budget."""
_TARGETS = 0.75
"""The part of the budget that several targets share, and what one may exceed its share by to stand there whole."""
_WHOLE = 2
_LEAST = 100
_OUTLINES = (
    Level(3, constants=True, most=120),
    Level(1, constants=True, most=120),
    Level(1, constants=False, most=80),
    Level(0, constants=False, most=120),
    Level(0, constants=False, most=30),
    Level(0, constants=False, most=16),
    Level(0, constants=False, most=8),
    Level(0, constants=True, most=16),
)
_AMBIGUOUS = "one of "
_MOST_SAID = 2
"""Reasons that stand in the text."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to show an item; the heading of its file comes on top."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most tokens that one item may take, by what is shown of it."""

    file: int
    outline: int
    symbol: int
    section: int


def sizes(budget: int, part: float) -> Sizes:
    """The sizes for one item.

    Args:
        budget: of the whole pack.
        part: of what all targets may take, from 0 to 1.
    """
    share = max(_LEAST, int(budget * _TARGETS * part))
    return Sizes(min(budget // _FILE, share * _WHOLE), share, budget // _SYMBOL, budget // _SECTION)


def offers(item: Item, file: FileSymbols | None, index: SymbolIndex, most: Sizes) -> Iterator[Offer]:
    """The ways to show an item, the richest first; each is made only when it is asked for.

    Args:
        item: what is shown.
        file: the symbols of its file.
        index: that has the file's content.
        most: tokens.
    """
    if not item.symbol:
        yield from _file_offers(item, file, index, most)
        return
    definition = _definition(item, file)
    if definition is None or definition.kind == "heading":
        yield from _section_offers(item, definition, index, most)
    else:
        yield from _symbol_offers(item, definition, file, index, most)


def _file_offers(item: Item, file: FileSymbols | None, index: SymbolIndex, most: Sizes) -> Iterator[Offer]:
    if _is_subject(item):
        text = _text_within(index, item.path, RESULT_LIMIT)
        if text and count_tokens(whole := fenced(text, item.path)) <= most.file // _unsure(item):
            yield Offer("full", whole)
        if file and file.definitions:
            yield from _outlines(file, "", most.outline)
    yield Offer("signature", "")


def _outlines(file: FileSymbols, within: str, most: int) -> Iterator[Offer]:
    """The outline with as many levels, then lines, as it may have."""
    shown = (outline(file, within, level) for level in _OUTLINES)
    return (Offer("outline", text) for text in shown if text and count_tokens(text) <= most)


def _symbol_offers(
    item: Item, definition: Definition, file: FileSymbols | None, index: SymbolIndex, most: Sizes
) -> Iterator[Offer]:
    line = signature(definition, item.why[:_MOST_SAID])
    if _is_subject(item):
        text = shown_text(index, item.path)
        body = lines_of(text, (item.start_line, item.end_line)) if text else ""
        if body and count_tokens(shown := line + fenced(body, item.path)) <= most.symbol // _unsure(item):
            yield Offer("full", shown)
        if file and definition.kind == "class":
            members = _outlines(file, definition.qualified_name, most.outline // _unsure(item))
            yield from (Offer("outline", line + each.text) for each in members)
    elif is_test_path(item.path):
        line = named_line(definition, item.why[:_MOST_SAID])
    yield Offer("signature", line)


def _section_offers(item: Item, definition: Definition | None, index: SymbolIndex, most: Sizes) -> Iterator[Offer]:
    text = shown_text(index, item.path)
    line = signature(definition, item.why[:_MOST_SAID]) if definition else _untyped(item)
    body = lines_of(text, (item.start_line, item.end_line)) if text else ""
    if body and count_tokens(shown := line + fenced(body, item.path)) <= most.section:
        yield Offer("section", shown)
    yield Offer("signature", line)


def _untyped(item: Item) -> str:
    """The line of a section that no grammar knows, such as a table of settings."""
    return f"L{item.start_line}-{item.end_line} # {one_line(item.symbol)}  \u2014 {one_line(item.why[0])}\n"


def _definition(item: Item, file: FileSymbols | None) -> Definition | None:
    """The definition that an item names: of several of one name that of its lines."""
    found = [each for each in file.definitions if each.qualified_name == item.symbol] if file else []
    return next((each for each in found if each.start_line == item.start_line), found[0] if found else None)


def _is_subject(item: Item) -> bool:
    return item.why[0] in (TARGET, NAMED) or item.why[0].startswith(_AMBIGUOUS)


def _unsure(item: Item) -> int:
    """By how much less is shown of what may not be meant."""
    return 2 if item.why[0].startswith(_AMBIGUOUS) else 1


def _text_within(index: SymbolIndex, path: str, most: int) -> str:
    """A file's text where it is no longer than so many bytes, as `read_file` gives it in one answer."""
    data = index.source(path)
    text = shown_text(index, path) if data is not None and len(data) <= 2 * most else None
    return text if text and len(text.encode("utf-8", "surrogatepass")) <= most else ""
