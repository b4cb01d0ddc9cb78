"""How the symbols of one file are kept: as compressed JSON of columns, with the names under which the file is found.

JSON, because what is read back must never be able to run anything; columns, because a list of all lines compresses and
is read several times faster than a list of records.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..code.symbols import Definition, FileSymbols, Import, Reference, ReferenceKind
from .index_keys import answers_to, mentioned

Family = Literal["defined", "folded", "mentioned"]
FAMILIES: tuple[Family, ...] = ("defined", "folded", "mentioned")
"""Names exactly as defined, folded ones, and those of references and imports."""

_KINDS: tuple[ReferenceKind, ...] = ("call", "base", "decorator", "annotation", "name", "id")
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_FAST = 1
"""zlib's level; better ones cost more than the disk that they save."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is kept of one file.

    Attributes:
        symbols: what `decoded` reads; nothing where the file has no symbols.
        names: for each family the names, once for each definition that has them; mentioned ones once.
        positions: for each family but the mentioned ones, the position of the definition that each name stands for.
    """

    symbols: bytes
    names: Mapping[Family, Sequence[str]]
    positions: Mapping[Family, Sequence[int]]


EMPTY = Row(b"", {}, {})
"""Of a file without symbols."""


def row_of(symbols: FileSymbols | None) -> Row:
    """The row of a file's symbols."""
    if symbols is None:
        return EMPTY
    folded: list[str] = []
    positions: list[int] = []
    for position, definition in enumerate(symbols.definitions):
        answers = answers_to(definition)
        folded += answers
        positions += [position] * len(answers)
    return Row(
        _encoded(symbols),
        {"defined": [each.name for each in symbols.definitions], "folded": folded, "mentioned": mentioned(symbols)},
        {"defined": range(len(symbols.definitions)), "folded": positions},
    )


def _encoded(symbols: FileSymbols) -> bytes:
    names, at, kinds, owners, receivers = zip(*symbols.references, strict=True) if symbols.references else ((),) * 5
    columns = [
        symbols.language,
        symbols.docstring,
        symbols.lines,
        symbols.broken,
        [
            [each.kind, each.name, each.qualified_name, each.signature, each.decorators, each.docstring]
            for each in symbols.definitions
        ],
        [each.start_line for each in symbols.definitions],
        [each.end_line for each in symbols.definitions],
        names,
        at,
        [_NUMBERS[kind] for kind in kinds],
        owners,
        receivers,
        [[each.module, each.name, each.alias, each.line] for each in symbols.imports],
    ]
    # Not as UTF-8 itself: a name may hold half of a surrogate pair.
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode("ascii"), _FAST)


def decoded(data: bytes) -> FileSymbols | None:
    """The symbols of a row that this program has written itself; None where the file has none."""
    if not data:
        return None
    columns: list[Any] = json.loads(zlib.decompress(data))
    language, docstring, lines, broken, definitions, starts, ends = columns[:7]
    names, at, numbers, owners, receivers, imports = columns[7:]
    # The largest part by far, so it is made by `map`, which is the fastest way.
    kinds: list[ReferenceKind] = [_KINDS[number] for number in numbers]
    return FileSymbols(
        language=language,
        docstring=docstring,
        definitions=tuple(
            Definition(kind, name, qualified, signature, tuple(decorators), first, start, end)
            for (kind, name, qualified, signature, decorators, first), start, end in zip(
                definitions, starts, ends, strict=True
            )
        ),
        references=tuple(map(Reference._make, zip(names, at, kinds, owners, receivers, strict=True))),
        imports=tuple(Import(*each) for each in imports),
        lines=lines,
        broken=broken,
    )
