"""Ids of requirements and specifications in the comments and strings of a source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from . import trees
from .identifiers import find_ids
from .languages import LanguageRow
from .spans import spans
from .symbols import Reference

if TYPE_CHECKING:
    from tree_sitter import Node


def mentions(
    source: bytes,
    root: Node,
    row: LanguageRow,
    pieces: Sequence[tuple[int, int, int]],
    comments: Iterable[tuple[int, int]] = (),
) -> dict[int, Reference]:
    """The ids that a source mentions, by where they end; an expression such as `SEC-1` is none.

    Args:
        source: the bytes that were parsed.
        root: of its tree.
        row: its language.
        pieces: `(start, end, position)` of each definition that something can lie in, as `spans` takes them.
        comments: where further comments are, which the tree doesn't show.
    """
    matches = find_ids(source)
    if not matches:
        return {}
    texts = [(node.start_byte, node.end_byte, 1) for node in trees.texts(row, root)]
    texts += [(start, end, 1) for start, end in comments]
    owners = spans(pieces)
    inside = spans(sorted(texts, key=lambda piece: (piece[0], -piece[1])))
    result: dict[int, Reference] = {}
    line, at = 1, 0
    for match in matches:
        line, at = line + source.count(b"\n", at, match.start()), match.start()
        if inside.at(at) == 1:
            result[match.end()] = Reference(match[0].decode(), line, "id", owners.at(at))
    return result
