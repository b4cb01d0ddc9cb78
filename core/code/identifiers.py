"""Ids of requirements, specifications and the like, such as `REQ-106-011`, as they stand in comments and documents.

Only prefixes of a fixed table count: any capital letters before a number would make ids of `UTF-8`, `SHA-256`, `PEP-8`
and `ISO-8601`. What is named so elsewhere is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

IdLabel = Literal["requirement", "specification", "test"]

ID_PREFIXES: Mapping[str, IdLabel] = {
    "REQ": "requirement",
    "REQS": "requirement",
    "FR": "requirement",
    "NFR": "requirement",
    "UC": "requirement",
    "US": "requirement",
    "AC": "requirement",
    "SEC": "requirement",
    "SPEC": "specification",
    "ADR": "specification",
    "SRS": "specification",
    "SDD": "specification",
    "TST": "test",
    "TC": "test",
}
"""What an id's first part says that it names."""

ID_PATTERN: re.Pattern[bytes] = re.compile(
    rb"(?<![\w-])"
    rb"(?:" + b"|".join(sorted((prefix.encode() for prefix in ID_PREFIXES), reverse=True)) + rb")"
    rb"(?:-[A-Z0-9]{1,16}){0,3}?-[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}[a-z]?"
    rb"(?![\w])(?!-[A-Z0-9])"
)
"""A whole id in UTF-8 or any other superset of ASCII: a prefix, parts of capitals and digits, a number at the end."""
_NUMBER = re.compile(rb"-[0-9]")
_BEFORE_NUMBER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_MARKS = [prefix.encode() + b"-" for prefix in ID_PREFIXES]


def find_ids(data: bytes) -> list[re.Match[bytes]]:
    """The ids in a text, in order; fast where there is none, as in nearly every source file."""
    if not any(data[match.start() - 1] in _BEFORE_NUMBER for match in _NUMBER.finditer(data)):
        return []
    if not any(mark in data for mark in _MARKS):
        return []
    return list(ID_PATTERN.finditer(data))


def id_label(identifier: str) -> IdLabel | None:
    """What an id names, by its prefix whatever its case; None where it is none."""
    folded = identifier.upper()
    if not folded.isascii() or not re.fullmatch(ID_PATTERN, folded.encode()):
        return None
    return ID_PREFIXES[folded.partition("-")[0]]
