"""Collects the names that differ between two lists of tokens which are otherwise the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .canonical import Token

WORD = re.compile(rb"[\w\x80-\xff]+")
_PIECE = re.compile(rb"[\w\x80-\xff]+|[^\w\x80-\xff]")

Pair = tuple[bytes, bytes]
"""An old name and the one in its place."""


class Renamed:
    """The names of one file that differ, and the words of its texts and comments that do.

    Attributes:
        names: pairs of names in the code.
        words: pairs of words in texts and comments.
    """

    def __init__(self) -> None:
        self.names: set[Pair] = set()
        self.words: set[Pair] = set()

    def matches(self, then: Sequence[Token], now: Sequence[Token]) -> bool:
        """Whether two lines are the same but for names, which are remembered then."""
        names: set[Pair] = set()
        words: set[Pair] = set()
        if len(then) != len(now):
            return False
        for old, new in zip(then, now, strict=True):
            if old.text == new.text:
                continue
            if old.is_name and old.role == new.role:
                names.add((old.text, new.text))
            elif old.role != "text" or new.role != "text" or (found := differing_words(old.text, new.text)) is None:
                return False
            else:
                words |= found
        self.names |= names
        self.words |= words
        return True

    def matches_texts(self, then: Sequence[bytes], now: Sequence[bytes]) -> bool:
        """The same for comments."""
        if len(then) != len(now):
            return False
        found = [differing_words(old, new) for old, new in zip(then, now, strict=True)]
        self.words.update(*(words for words in found if words is not None))
        return None not in found


def differing_words(old: bytes, new: bytes) -> set[Pair] | None:
    """The words that differ in two texts, in pairs; None where anything else does."""
    then, now = _PIECE.findall(old), _PIECE.findall(new)
    pairs = {(a, b) for a, b in zip(then, now, strict=False) if a != b}
    is_same_shape = len(then) == len(now) and all(WORD.fullmatch(a) and WORD.fullmatch(b) for a, b in pairs)
    return pairs if is_same_shape else None
