"""Tells a literal that looks drawn at random from one that people write: words, placeholders, paths, ids.

Names and texts that aren't secrets are far more common than those that are, so doubt counts for the text.
"""

from __future__ import annotations

import re

_NOT_SECRET_NAME = re.compile(
    r"hash|digest|checksum|sha\d|md5|fingerprint|(?:pattern|regex|ur[il]|path|file|name)$"
    r"|(?:^|_)(?:test|fake|dummy|mock|example)_",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"change.?me|change.?this|example|x{4}|\*{3}|\.{3}|\u2026|placeholder|dummy|fake|mock|test|sample|insecure|redacted"
    r"|your|s3cr|p[a4]ss|insert|replace|todo|none|null|foobar|hunter2|abcdef|qwerty|012345|123456|[<>{}]|\$\(|^\$\w+$|%[(s]",
    re.IGNORECASE,
)
_CHARACTERS = re.compile(r"[A-Za-z0-9+/=_.~!@#$%^&*?-]+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_PLACE = re.compile(r"^(?:[a-z][a-z0-9+.-]{0,20}:)?/|^\.{0,2}/|::")
# Words as people join them: lower, Capitalised, UPPER, and runs of digits.
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MIN_PIECE = 3.0
"""Characters that the pieces of a written text have on average; drawn letters and digits give about 1.5."""
_MIN_DIFFERENT = 8


def looks_random(name: str, value: str) -> bool:
    """Whether a literal given to a secret's name is one.

    Args:
        name: what it is given to; `password_hash` and the like name no secret.
        value: the literal, 16 characters or more without quotes.
    """
    if _NOT_SECRET_NAME.search(name) or _PLACEHOLDER.search(value) or _UUID.fullmatch(value) or _PLACE.search(value):
        return False
    pieces = _PIECE.findall(value)
    if not pieces or not _CHARACTERS.fullmatch(value) or len(set(value)) < _MIN_DIFFERENT:
        return False
    return sum(map(len, pieces)) / len(pieces) < _MIN_PIECE
