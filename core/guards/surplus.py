"""What one collection has more of than another: multisets, so that what only moved is neither new nor lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")


def surplus(items: Iterable[T], others: Iterable[T], key: Callable[[T], Hashable]) -> list[T]:
    """Those items that the others don't account for, in order; each of the others accounts for one of equal key."""
    there = Counter(key(item) for item in others)
    found: list[T] = []
    for item in items:
        name = key(item)
        if there[name] > 0:
            there[name] -= 1
        else:
            found.append(item)
    return found
