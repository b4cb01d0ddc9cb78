"""How the symbols of one file are kept: as compressed columns, with the names under which the file is found.

Texts are JSON, and numbers 4 bytes each behind it, because what is read back must never be able to run anything;
columns, because a list of all lines compresses and is read several times faster than a list of records.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Literal

from ..code.symbols import Definition, FileSymbols, Import, Reference, ReferenceKind
from .index_keys import answers_to, mentioned

Family = Literal["defined", "folded", "mentioned"]
FAMILIES: tuple[Family, ...] = ("defined", "folded", "mentioned")
"""Names exactly as defined, folded ones, and those of references and imports."""

_KINDS: tuple[ReferenceKind, ...] = ("call", "base", "decorator", "annotation", "name", "id")
_DIGITS = {kind: str(number) for number, kind in enumerate(_KINDS)}
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
# As `_make` of both, in half the time.
_made: Callable[[type[tuple[Any, ...]], Iterable[object]], Any] = tuple.__new__  # pyright: ignore
_definition: Callable[[Iterable[object]], Definition] = partial(_made, Definition)
_reference: Callable[[Iterable[object]], Reference] = partial(_made, Reference)
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


def packed(texts: Sequence[str]) -> str | Sequence[str]:
    """Texts as JSON writes and reads them fastest: as one, where none of them holds the end of a line."""
    joined = "\n".join(texts)
    return joined if joined.count("\n") == len(texts) - 1 else texts


def unpacked(value: str | Sequence[str]) -> Sequence[str]:
    """What was packed."""
    return value.split("\n") if isinstance(value, str) else value


def _encoded(symbols: FileSymbols) -> bytes:
    columns = zip(*symbols.definitions, strict=True) if symbols.definitions else ((),) * 8
    kinds, names, qualified, signatures, decorators, docstrings, starts, ends = columns
    used, at, uses, owners, receivers = zip(*symbols.references, strict=True) if symbols.references else ((),) * 5
    head = [
        [symbols.language, symbols.docstring, symbols.lines, symbols.broken, symbols.imports],
        [kinds, packed(names), packed(qualified), packed(signatures), decorators, docstrings],
        [packed(used), "".join(map(_DIGITS.__getitem__, uses)), packed(receivers)],
    ]
    numbers = array("i", chain(starts, ends, at, owners))
    if sys.byteorder == "big":
        numbers.byteswap()
    # Not as UTF-8 itself: a name may hold half of a surrogate pair. No end of a line stands in JSON.
    return zlib.compress(b"%s\n%s" % (_encode(head).encode("ascii"), numbers.tobytes()), _FAST)


def decoded(data: bytes) -> FileSymbols | None:
    """The symbols of a row that this program has written itself; None where the file has none."""
    if not data:
        return None
    head, _, tail = zlib.decompress(data).partition(b"\n")
    (language, docstring, lines, broken, imports), columns, (used, uses, receivers) = json.loads(head)
    kinds, names, qualified, signatures, decorators, docstrings = columns
    numbers = array("i", tail)
    if sys.byteorder == "big":
        numbers.byteswap()
    first, last = len(kinds), 2 * len(kinds)
    middle = last + len(uses)
    texts = map(unpacked, (names, qualified, signatures))
    definitions = zip(
        kinds, *texts, map(tuple, decorators), docstrings, numbers[:first], numbers[first:last], strict=True
    )
    # The largest part by far, so it is made by `map`, which is the fastest way.
    references = zip(
        unpacked(used),
        numbers[last:middle],
        map(_KINDS.__getitem__, map(int, uses)),
        numbers[middle:],
        unpacked(receivers),
        strict=True,
    )
    return FileSymbols(
        language=language,
        docstring=docstring,
        definitions=tuple(map(_definition, definitions)),
        references=tuple(map(_reference, references)),
        imports=tuple([Import(*each) for each in imports]),
        lines=lines,
        broken=broken,
    )
