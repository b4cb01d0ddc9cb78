"""`docstrings`: nothing but docstrings differs, and the `pass` or `...` that a docstring makes needless.

A docstring is the first statement of a module, class or function, and a plain text. A text anywhere else is code
here, though it may do nothing. Blank lines around a docstring may change with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .contract import Fault, became
from .remainder import Remainder
from .source import Item, Source


@dataclass(slots=True)
class _Body:
    docstring: Item | None = None
    filler: Item | None = None


def taken_out(source: Source) -> Iterator[int]:
    """The places of docstrings, and of what may go with them."""
    for place, item in enumerate(source.items):
        if item.kind in ("docstring", "filler"):
            yield place


def judge(before: Remainder, after: Remainder, same: int) -> Fault | None:
    """Find a `pass` or `...` that came, went or changed although no docstring did.

    Args:
        before: the file before.
        after: the file after.
        same: how many items at the start are alike; behind them suites have no counterpart.
    """
    then, now = _bodies(before), _bodies(after)
    for suite in sorted(then.keys() & now.keys()):
        old, new = then[suite], now[suite]
        if suite >= same:
            break
        if _raw(before, old.filler) == _raw(after, new.filler):
            continue
        is_one_gone = old.filler is None or new.filler is None
        if not is_one_gone or _raw(before, old.docstring) == _raw(after, new.docstring):
            place = new.filler or after.items[suite]
            detail = became(_raw(before, old.filler), _raw(after, new.filler))
            old_place = old.filler or before.items[suite]
            return Fault(place.line, place.owner.name if place.owner else "", detail, old_place.line)
    return None


def _bodies(side: Remainder) -> dict[int, _Body]:
    """The taken parts of each body, also of those that hold none but stand in the other file."""
    bodies = {place: _Body() for place, item in enumerate(side.items) if item.kind == "head"}
    for taken in side.taken:
        body = bodies.get(taken.suite, _Body())
        if taken.item.kind == "docstring":
            body.docstring = taken.item
        elif taken.item.kind == "filler":
            body.filler = taken.item
    return bodies


def _raw(side: Remainder, item: Item | None) -> bytes:
    return side.source.raw(item) if item is not None else b""
