"""What names stand in the lines of a hunk: the symbols that it touches, what it defines, and what it mentions.

Read from tree-sitter's trees of both contents, so that words in comments and strings don't count, whatever version of
Python the source is in, and however broken. Nothing recurses.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..code import trees
from ..code.outline import enclosing, outline
from ..code.symbols import Definition
from ..code.text import PYTHON_SUFFIXES
from ..guards.change import FileChange
from .hunks import Hunk, lines

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = frozenset(["import_statement", "import_from_statement", "future_import_statement"])


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one hunk.

    Attributes:
        symbol: the innermost symbol around it, after the change or, where lines are only removed, before it.
        touched: the qualified names of all symbols that have a line in it, those around it included.
        defined: the plain names that its lines define or import.
        mentioned: all plain names in its lines, old and new.
    """

    symbol: str | None
    touched: frozenset[str]
    defined: frozenset[str]
    mentioned: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Content:
    """One side of a changed file; rows count from 0."""

    symbols: tuple[Definition, ...]
    defined: Mapping[int, frozenset[str]]
    mentioned: Mapping[int, frozenset[str]]
    rows: range


_NOTHING = _Content((), {}, {}, range(0))


def read_names(change: FileChange, hunks: Sequence[Hunk]) -> tuple[Names, ...]:
    """The names of each hunk of a changed file; none where it isn't Python."""
    is_whole = any(hunk.is_whole for hunk in hunks)
    old = _read(change.before, change.old_path or change.path, None if is_whole else [hunk.old for hunk in hunks])
    new = _read(change.after, change.path, None if is_whole else [hunk.new for hunk in hunks])
    return tuple(_names(hunk, old, new) for hunk in hunks)


def _names(hunk: Hunk, old: _Content, new: _Content) -> Names:
    sides = ((old, old.rows if hunk.is_whole else hunk.old), (new, new.rows if hunk.is_whole else hunk.new))
    touched = {name for content, rows in sides for name in _touched(content.symbols, rows)}
    defined = {name for content, rows in sides for row in rows for name in content.defined.get(row, ())}
    mentioned = {name for content, rows in sides for row in rows for name in content.mentioned.get(row, ())}
    symbols = new.symbols if hunk.new else old.symbols
    symbol = None if hunk.is_whole else enclosing(symbols, hunk.line)
    return Names(symbol, frozenset(touched), frozenset(defined), frozenset(mentioned))


def _touched(symbols: Sequence[Definition], rows: range) -> Iterator[str]:
    for symbol in symbols:
        if rows and symbol.start_line - 1 < rows.stop and rows.start < symbol.end_line:
            yield symbol.qualified_name


def _read(data: bytes | None, path: str, wanted: Sequence[range] | None) -> _Content:
    """One side; names only of the wanted rows, since most of a long file has nothing to do with the change."""
    if data is None or b"\0" in data or not path.endswith(PYTHON_SUFFIXES):
        return _NOTHING
    defined: defaultdict[int, set[str]] = defaultdict(set)
    mentioned: defaultdict[int, set[str]] = defaultdict(set)
    for node, in_import in _identifiers(trees.parse(data, path).root_node, wanted):
        name, row = (node.text or b"").decode("utf-8", "replace"), node.start_point.row
        mentioned[row].add(name)
        if in_import or _defines(node):
            defined[row].add(name)
    return _Content(outline(data, path), _frozen(defined), _frozen(mentioned), range(len(lines(data))))


def _frozen(names: Mapping[int, set[str]]) -> dict[int, frozenset[str]]:
    return {row: frozenset(found) for row, found in names.items()}


def _identifiers(root: Node, wanted: Sequence[range] | None) -> Iterator[tuple[Node, bool]]:
    """All identifiers that have a wanted row, with whether they stand in an import."""
    rows = None if wanted is None else sorted({row for each in wanted for row in each})
    pending = [(root, False)]
    while pending:
        node, in_import = pending.pop()
        if rows is not None and not _has_row(node, rows):
            continue
        if node.type == "identifier":
            yield node, in_import
        in_import = in_import or node.type in _IMPORTS
        pending += [(child, in_import) for child in reversed(node.children)]


def _has_row(node: Node, rows: Sequence[int]) -> bool:
    place = bisect.bisect_left(rows, node.start_point.row)
    return place < len(rows) and rows[place] <= node.end_point.row


def _defines(name: Node) -> bool:
    """Whether an identifier is the name of a definition, or assigned to."""
    parent = name.parent
    field = {"function_definition": "name", "class_definition": "name", "assignment": "left"}
    wanted = field.get(parent.type) if parent is not None else None
    return parent is not None and wanted is not None and parent.child_by_field_name(wanted) == name
