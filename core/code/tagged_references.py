"""The names that a source refers to, from what a language's query tags.

`base` and `decorates` are what their names say, a `type` stands in an annotation, a `word` is any name. What stands
next to it tells the rest: a bracket a call, a dot before it a member. A bare word that is neither counts where the file
defines or imports it, or where it begins with a capital, as constants and classes do; the rest is mostly local. Queries
must not ask for members or calls themselves: in a chain of a thousand calls each would wait for the end of all others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from .spans import Spans
from .symbols import Reference, ReferenceKind
from .tagged_definitions import Match, Tagged

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS: Mapping[str, ReferenceKind] = {"base": "base", "decorates": "decorator", "type": "annotation", "word": "name"}
"""By tag; what several tags name is what the first says."""
_MAX_NAME = 1000
_WINDOW = 100
_BEFORE = re.compile(
    rb"(?:(?<![\w$.>:)\]\x80-\xff])([A-Za-z_$\x80-\xff][\w$\x80-\xff]*))?[ \t\r\n]*(?:\?\.|\.|->|::)[ \t\r\n]*$"
)
_CALL = re.compile(rb"(?:::)?!?(?:<[\w\s,.&*]{0,60}>)?[ \t]{0,20}\(|![\[{]")


def references(
    matches: Sequence[Match], source: bytes, known: Tagged, imported: Collection[str], owners: Spans
) -> dict[int, Reference]:
    """The references of a source, by where their names end in its bytes.

    Args:
        matches: the query's matches.
        source: the bytes that were parsed.
        known: what the source defines.
        imported: the names that it imports, as they are called here.
        owners: for each place the position of the innermost definition, below -1 in an import.
    """
    own = {definition.name for definition in known.definitions}.union(imported)
    found: dict[str, list[Node]] = {tag: [] for tag in _KINDS}
    for match in matches:
        for tag, nodes in match.items():
            if tag in found:
                found[tag] += nodes
    result: dict[int, Reference] = {}
    for tag, kind in _KINDS.items():
        for node in found[tag]:
            start, end = node.start_byte, node.end_byte
            owner = owners.at(start)
            if end in result or end in known.names or owner < -1 or not 0 < end - start <= _MAX_NAME:
                continue
            name = source[start:end].decode("utf-8", "replace")
            receiver = _receiver(source, start)
            is_call = tag in ("word", "type") and _CALL.match(source, end) is not None
            if is_call or receiver is not None or tag in ("base", "decorates") or _may_be_elsewhere(name, own):
                line = node.start_point[0] + 1
                result[end] = Reference(name, line, "call" if is_call else kind, owner, receiver or "")
    return result


def _may_be_elsewhere(name: str, own: Collection[str]) -> bool:
    return name in own or (len(name) > 1 and name[0].isupper())


def _receiver(source: bytes, start: int) -> str | None:
    """The plain name that a member stands behind, empty where that is no plain name; None of what is no member."""
    if source[start - 1 : start] not in (b".", b">", b":", b" ", b"\n", b"\t"):
        return None
    window = max(0, start - _WINDOW)
    found = _BEFORE.search(source, window, start)
    if found is None:
        return None
    return found[1].decode("utf-8", "replace") if found[1] and (found.start() > window or not window) else ""
