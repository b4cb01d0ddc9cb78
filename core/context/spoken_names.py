"""The names that a text may say: its words, and every few of them that follow each other, since headings have those."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..code.words import MAX_TEXT, Place, Token, fold, tokens

_MOST_PLACES = 20
"""Places that a text can tell for one name; what it says of more, it says of all."""
_MOST_WORDS = 500
_LONGEST_HEADING = 8
"""Words of a heading that is found in a text."""
_WORD = re.compile(r"[^\W_](?:[\w.:-]*\w)?")


@dataclass(frozen=True, slots=True)
class SpokenName:
    """One name that a text may say.

    Attributes:
        token: as written where it first stands.
        key: folded, parts between dots.
        start: where it first stands.
        places: where the text says that it lies; none where it once doesn't say.
        is_phrase: several words, which only a heading can have for a name.
    """

    token: str
    key: str
    start: int
    places: tuple[Place, ...] = ()
    is_phrase: bool = False


def spoken_names(text: str) -> list[SpokenName]:
    """The names of a text's beginning in its order, once for each key."""
    return sorted([*_words(text), *_phrases(text)], key=lambda name: (name.start, len(name.token)))


def _words(text: str) -> list[SpokenName]:
    found: dict[str, list[Token]] = {}
    for token in tokens(text):
        found.setdefault(_key(token.text), []).append(token)
    return [SpokenName(same[0].text, key, same[0].start, _places(same)) for key, same in found.items()]


def _places(same: Sequence[Token]) -> tuple[Place, ...]:
    places = tuple(dict.fromkeys(token.place for token in same))
    return places if Place("", "") not in places and len(places) <= _MOST_PLACES else ()


def _key(token: str) -> str:
    return re.sub(":+", ".", fold(token))


def _phrases(text: str) -> list[SpokenName]:
    """Every few words that follow each other, as headings of documents have them."""
    words = [(match[0], match.start()) for match in _WORD.finditer(text[:MAX_TEXT])][:_MOST_WORDS]
    found: dict[str, SpokenName] = {}
    for position, (_, start) in enumerate(words):
        for end in range(position + 2, min(position + _LONGEST_HEADING, len(words)) + 1):
            phrase = " ".join(word for word, _ in words[position:end])
            found.setdefault(fold(phrase), SpokenName(phrase, fold(phrase), start, is_phrase=True))
    return list(found.values())
