"""The definitions of a source that a language's query tags, with what each lies in.

Whole definitions are tagged `class`, `function` or `constant`, with their `name` and, where the grammar doesn't call it
so, their `body`. `capitals` is a constant if its name is in capitals, `prototype` a function that isn't within another
one, `typedef` a class if it spells one out. A `scope` gives its name to what lies in it and defines nothing itself; of
a `type_scope` that is a type, and a `holder` is the type that a function names as its own. `outer` begins where the
definition `inner` does for whoever reads it (`export`, `template <…>`). A function directly in a type is a method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .margins import Margins
from .shortening import cut
from .symbols import Definition, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

Match = Mapping[str, Sequence["Node"]]

_MAX_NESTING = 64
_MAX_NAME = 1000
_MAX_SIGNATURE = 4000
"""Bytes of a signature that are read."""
_TAGS = ("class", "function", "constant", "capitals", "prototype", "typedef", "scope", "type_scope")
_KINDS: Mapping[str, Kind] = {"class": "class", "typedef": "class", "function": "function", "prototype": "function"}
_TYPES = ("class", "typedef", "type_scope")
_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_WORD = re.compile(r"[^\W\d][\w$]*")
_SPELLED_OUT = re.compile(rb"typedef\s+(?:struct|union|enum|class)\b[^;{]*\{")
_SIGNATURE_END = re.compile(r"\s*(?:=>|[{=;:,])?\s*$")


@dataclass(frozen=True, slots=True)
class Tagged:
    """What a source defines.

    Attributes:
        definitions: in file order.
        pieces: `(start, end, position)` in bytes of what can own a reference, outer ones first.
        names: where the name of each definition ends.
    """

    definitions: list[Definition] = field(default_factory=list[Definition])
    pieces: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    names: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True)
class _Entry:
    start: int
    node: Node
    tag: str
    name: str
    prefix: str
    name_node: Node
    body: Node | None


@dataclass(frozen=True, slots=True)
class _Holder:
    end: int
    qualified: str
    tag: str


def tagged(matches: Sequence[Match], source: bytes, skipped: set[int]) -> Tagged:
    """What a source defines, from what the query found in it.

    Args:
        matches: the query's matches.
        source: the bytes that were parsed.
        skipped: where the names of imported things begin, which look like constants in some languages.
    """
    margins = Margins.of(matches, source)
    result = Tagged()
    holders: list[_Holder] = []
    type_scopes: list[tuple[int, int, str]] = []
    for entry in sorted(_entries(matches, source, skipped), key=lambda it: (it.start, -it.node.end_byte)):
        while holders and holders[-1].end <= entry.start:
            holders.pop()
        if len(holders) >= _MAX_NESTING or _is_out_of_place(entry, holders):
            continue
        outer = holders[-1].qualified if holders else ""
        qualified = ".".join(filter(None, (outer, entry.prefix, entry.name)))
        if entry.tag not in ("constant", "capitals"):
            holders.append(_Holder(entry.node.end_byte, qualified, entry.tag))
        if entry.tag == "type_scope":
            type_scopes.append((entry.start, entry.node.end_byte, qualified))
        elif entry.tag != "scope":
            is_member = bool(entry.prefix or (len(holders) > 1 and holders[-2].tag in _TYPES))
            _add(result, entry, qualified, is_member, margins, source)
    positions = {item.qualified_name: at for at, item in reversed(list(enumerate(result.definitions)))}
    result.pieces.extend((start, end, positions[name]) for start, end, name in type_scopes if name in positions)
    result.pieces.sort(key=lambda piece: (piece[0], -piece[1]))
    return result


def _is_out_of_place(entry: _Entry, holders: Sequence[_Holder]) -> bool:
    in_function = bool(holders) and holders[-1].tag in ("function", "prototype")
    if entry.tag == "capitals":
        return in_function or not entry.name.isupper()
    return in_function and entry.tag in ("constant", "prototype")


def _entries(matches: Sequence[Match], source: bytes, skipped: set[int]) -> Iterator[_Entry]:
    outers = {match["inner"][0].start_byte: match["outer"][0].start_byte for match in matches if "inner" in match}
    seen: set[int] = set()
    # What is a function or a class by one pattern is a constant by another.
    for tag, match in ((tag, match) for tag in _TAGS for match in matches if tag in match):
        node, named = match[tag][0], match["name"][0]
        if named.start_byte in seen or named.start_byte in skipped:
            continue
        prefix, name = _names(source[named.start_byte : named.end_byte], tag)
        holder = match.get("holder")
        if holder:
            prefix = _names(source[holder[0].start_byte : holder[0].end_byte], "type_scope")[1]
        if tag == "typedef" and not _SPELLED_OUT.match(source, node.start_byte, node.end_byte):
            tag = "constant"
        elif tag == "typedef" and _name_of_type(node, source) == name:
            continue
        seen.add(named.start_byte)
        if 0 < len(name) + len(prefix) <= _MAX_NAME:
            body = match["body"][0] if "body" in match else node.child_by_field_name("body")
            yield _Entry(_outermost(node.start_byte, outers), node, tag, name, prefix, named, body)


def _outermost(start: int, outers: Mapping[int, int]) -> int:
    for _ in range(_MAX_NESTING):
        outer = outers.get(start, start)
        if outer == start:
            break
        start = outer
    return start


def _names(raw: bytes, tag: str) -> tuple[str, str]:
    """What a name stands in by its own word (`Square` of `Square::area`), and its last segment."""
    text = " ".join(raw[: 2 * _MAX_NAME].decode("utf-8", "replace").split())
    if tag == "type_scope" or "::" in text:
        text = _GENERIC.sub("", _GENERIC.sub("", text))
    *parts, last = text.split("::") if "::" in text else text.split("\\")
    if tag == "type_scope":
        words = _WORD.findall(last)
        return "", words[-1] if words else ""
    return ".".join(part for part in parts if part), last.strip("\"'` ")


def _name_of_type(node: Node, source: bytes) -> str:
    inner = node.child_by_field_name("type")
    named = inner.child_by_field_name("name") if inner is not None else None
    return source[named.start_byte : named.end_byte].decode("utf-8", "replace") if named is not None else ""


def _add(result: Tagged, entry: _Entry, qualified: str, is_member: bool, margins: Margins, source: bytes) -> None:
    kind = _KINDS.get(entry.tag, "constant")
    margin = margins.before(entry.start, entry.name_node.start_byte)
    if kind != "constant":
        result.pieces.append((margin.start, entry.node.end_byte, len(result.definitions)))
    result.names.add(entry.name_node.end_byte)
    row, column = entry.node.end_point
    start_line = entry.node.start_point[0] + 1 - source.count(b"\n", margin.start, entry.node.start_byte)
    result.definitions.append(
        Definition(
            kind="method" if kind == "function" and is_member else kind,
            name=entry.name,
            qualified_name=qualified,
            signature=_signature(entry, margin.code_start, source),
            decorators=margin.decorators,
            docstring=margin.docstring,
            start_line=start_line,
            end_line=max(start_line, row + 1 if column else row),
        )
    )


def _signature(entry: _Entry, start: int, source: bytes) -> str:
    """The text up to the body in one line; of what has no body, its first line."""
    if source[start : entry.node.start_byte].rstrip().endswith((b"(", b",")):
        start = entry.node.start_byte  # one of several in brackets
    end = entry.body.start_byte if entry.body is not None else entry.node.end_byte
    text = source[start : min(end, start + _MAX_SIGNATURE)]
    if entry.body is None:
        text = text.partition(b"{")[0] if entry.tag in ("class", "typedef") else text
        text = text.partition(b"\n")[0] if _KINDS.get(entry.tag) is None else text
        return cut(" ".join(text.decode("utf-8", "replace").split()).rstrip("; "))
    return cut(_SIGNATURE_END.sub("", " ".join(text.decode("utf-8", "replace").split())))
