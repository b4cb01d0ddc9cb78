"""Which definitions of a tree, sections of documents among them, the names of a text name.

A definition has as many names as its full dotted name has ends: `area`, `Square.area`, `shapes.Square.area`,
`shapes.py::Square.area`. The index knows the last and the qualified one; what stands before is compared with the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..code.symbols import Definition
from ..code.words import fold
from .linked_files import dotted
from .spoken_names import SpokenName

if TYPE_CHECKING:
    from ..index.symbol_index import SymbolIndex

_MOST_NAMED = 1_000
"""Definitions of one name that are looked at; a name of so many things hardly tells one from another."""
_MOST_FILES = 2_000
"""Files whose definitions are looked at for one text."""


def definitions_named(
    names: Sequence[SpokenName], index: SymbolIndex
) -> Mapping[str, Sequence[tuple[str, Definition]]]:
    """What each name may mean, by its key, with its path; definitions of the same node id are all in.

    Args:
        names: the first of them are looked for even where all together would name too much.
        index: is asked once for all names.
    """
    asked = {form: None for name in names for form in _forms(name)}
    known = index.folded(list(asked))
    places: dict[str, list[tuple[str, int]]] = {}
    paths: dict[str, None] = {}
    for name in names:
        rows = dict.fromkeys(row for form in _forms(name) for row in _nearest(name, known.get(form, ())))
        for row in rows:
            if row[0] in paths or len(paths) < _MOST_FILES:
                paths[row[0]] = None
                places.setdefault(name.key, []).append(row)
    symbols = index.symbols(list(paths))
    return {
        name.key: [
            (path, definition)
            for path, position in places.get(name.key, ())
            # Rows that are kept on a disk may be anybody's.
            for definition in (symbols[path].definitions[position : position + 1] if path in symbols else ())
            if _is_named(name, path, definition)
        ]
        for name in names
    }


def _forms(name: SpokenName) -> Iterator[str]:
    """What the index is asked for: the longest first, since the last part alone may be everybody's name."""
    if name.is_phrase:
        yield from (name.key, re.sub(r"[\s.:]", "", name.key))
        return
    parts = name.key.split(".")
    yield from (".".join(parts[start:]) for start in range(max(len(parts) - 6, 0), len(parts)) if parts[-1])


def _nearest(name: SpokenName, rows: Sequence[tuple[str, int]]) -> Sequence[tuple[str, int]]:
    """As many places of a name as are looked at; those first whose path the name may begin with."""
    if len(rows) > _MOST_NAMED and "." in name.key:
        parts = frozenset(name.key.split("."))
        rows = sorted(rows, key=lambda row: parts.isdisjoint(fold(row[0]).replace(".", "/").split("/")))
    return rows[:_MOST_NAMED]


def _is_named(name: SpokenName, path: str, definition: Definition) -> bool:
    own = fold(definition.qualified_name)
    if definition.kind == "heading":
        return not {own, fold(definition.name)}.isdisjoint(_forms(name) if name.is_phrase else [name.key])
    if name.is_phrase:
        return False
    return any(f".{place}.{own}".endswith(f".{name.key}") for place in (dotted(path), fold(path).replace("/", ".")))
