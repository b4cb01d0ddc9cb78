"""Counts the tokens of a text from above, without any tokenizer: the same count on every machine, for every model.

A tokenizer's vocabulary is megabytes and belongs to one model. What is common to all that are in use: frequent words
are one token, rare ones are cut, digits go by threes, punctuation by ones and twos. So a text is cut into pieces of
such kinds, and each kind has a price in thousandths of a token.

The prices were fitted as a linear program: the least sum over ordinary Python files while next to no text costs less
than in the dearest of four vocabularies (DeepSeek's, `o200k_base`, `cl100k_base`, Llama 3's). The texts, 8.8 million
characters in 1,265 pieces: sources, documents, translations into 90 languages, style sheets and minified scripts of
attrs, click, flask and Django; base64, hexadecimal, random letters, words, digits and marks, Chinese, Japanese, Korean,
emoji, indentation. None of them counts less than it costs. Of 5,300 other files 3,225 are Python with more than 800
characters; these count 1.21 of their cost in the mean and 1.31 in the ninth tenth. Three of all count less, by 2 %,
or by 1 token of 13. A few lines by themselves may be further off; Cyrillic, Chinese, Korean lie at twice and more.

`core/estimates.py` guesses the size of whole requests and learns from what a server reports of them; it would make a
pack depend on earlier requests, so the pack is measured here, and the request that holds it there.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_PIECE = re.compile(
    r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[ \t\r\n]+|[!-/:-@\[-`{-~]+|[^\x00-\x7f]+|[\x00-\x1f\x7f]|[A-Z]"
)
_HUMPS = re.compile(r"[a-z][A-Z]")
_FOLLOWERS = """
abcdgilmnprstu baejlou caehklort daeios eacdeflmnpqrstx failor geirs haeiot ibcdefglmnorst je ke ladefilostu
maeimop nacdeginostv obcdfklmnoprstuw paeloprty qu radegimnorstuy saehiopstu taehiorstuy uaelmnprst vaei wai xt yp
"""
_MARK_FOLLOWERS = r"""
!= ""%'),-./:<>\]_{} #: %} '"#'()*,.:<[\]{ ("'()*?[\_{ )"'(),.:?[]`} *')*,. +')= ,') -->\ ."*,.]_ /"/ :/:]`
</= ="'=[{ >"'<=> ?: ["'(-:[\]^ \.<\ ]')*+,.:[] _"(),._ `,.` {"%} |'\ }"'),}
"""
_COMMON = frozenset(row[0] + other for row in (*_FOLLOWERS.split(), *_MARK_FOLLOWERS.split()) for other in row[1:])
"""The pairs of letters, and of marks, that make up nine tenths of all in code and its documents."""
_MARGIN = 101
"""Hundredths that are counted for one, for what the measured texts did not show."""
_WORD, _LONG, _LONGER, _RARE, _HUMP = 700, 180, 390, 600, 700
"""Of a word, of each letter after its fifth and after its ninth, of each pair that isn't common, of a capital that
follows a small letter."""
_CAPITALS, _MORE_CAPITALS = 1520, 230
"""Of a word in capitals, and of each letter after its fourth."""
_DIGITS = 1880
"""Of three."""
_MARKS, _MARK, _RARE_MARK = 650, 370, 520
"""Of the first mark, of each further one, and of each pair that isn't common."""
_SAME, _SAME_MARK = 1000, 32
"""Of a run of one mark, such as the line under a heading."""
_LINE_END, _EMPTY, _RETURN, _INDENT, _COLUMN, _SPACE, _CONTROL = 1500, 70, 500, 300, 20, 360, 1000
_RUN = 320
"""Of characters beyond ASCII."""
_SIGN = 2750
_RANGES = (
    (0xA0, 2020),
    (0x410, 2000),
    (0x450, 1000),
    (0x800, 2000),
    (0x3000, _SIGN),
    (0x3100, 1600),
    (0x4E00, _SIGN),
    (0xA000, 2550),
    (0x10000, _SIGN),
)
"""Where a range of characters ends and what each costs: controls, two bytes (Cyrillic for less), signs, kana, Chinese,
others."""
_ASTRAL = 4050


def count_tokens(text: str) -> int:
    """How many tokens a text has at most, in the models that people use; linear in its length.

    Args:
        text: any; lone surrogates count as the characters that stand around them in Unicode.

    Returns:
        A count that errs upward, the same on every machine; 0 for no text.
    """
    pieces = Counter(_PIECE.findall(text))
    price = sum(_price(piece) * count for piece, count in pieces.items()) + _HUMP * len(_HUMPS.findall(text))
    return -(-price * _MARGIN // 100_000)


def _price(piece: str) -> int:
    first = piece[0]
    if not first.isascii():
        return _RUN + sum(map(_character, piece))
    if first.isalpha():
        return _word(piece)
    if first.isdigit():
        return _DIGITS * -(-len(piece) // 3)
    if first in " \t\r\n":
        return _blank(piece)
    if not first.isprintable():
        return _CONTROL
    if len(piece) > 4 and piece == first * len(piece):
        return _SAME + _SAME_MARK * len(piece)
    return _MARKS + _MARK * (len(piece) - 1) + _RARE_MARK * _rare_pairs(piece)


def _word(piece: str) -> int:
    size = len(piece)
    rare = _RARE * _rare_pairs(piece.lower())
    if size > 1 and piece.isupper():
        return _CAPITALS + _MORE_CAPITALS * max(0, size - 4) + rare
    return _WORD + _LONG * max(0, min(size, 9) - 5) + _LONGER * max(0, size - 9) + rare


def _rare_pairs(piece: str) -> int:
    return sum(first + second not in _COMMON for first, second in pairwise(piece))


def _blank(piece: str) -> int:
    ends, newline, indent = piece.rpartition("\n")
    price = _RETURN * piece.count("\r") + (_LINE_END + _EMPTY * len(ends) if newline else 0)
    if len(indent) > 1:
        return price + _INDENT + _COLUMN * len(indent)
    return price + {"": 0, " ": _SPACE}.get(indent, _CONTROL)


def _character(character: str) -> int:
    code = ord(character)
    return next((price for end, price in _RANGES if code < end), _ASTRAL)
