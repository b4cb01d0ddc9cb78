"""Which parts of a node mean something, and what kind of name each one is: the rules behind `canonical.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .source import TRIVIA, Source

if TYPE_CHECKING:
    from tree_sitter import Node

Role = Literal["", "text", "name", "attribute", "keyword", "parameter"]
Types = Literal["kept", "marked", "dropped"]
"""What becomes of annotations: they stay, only their presence stays, or nothing does."""

TUPLES = frozenset(["tuple", "expression_list", "pattern_list", "tuple_pattern"])
UNTYPED = {"typed_parameter": b"", "typed_default_parameter": b"<default_parameter"}
"""What stays of a parameter without its annotation."""
_BARE = TUPLES | {"parenthesized_expression", "with_clause", "import_from_statement", "future_import_statement"}
_CLOSING = frozenset([")", "]", "}"])
_SUBSCRIPTS = frozenset(["subscript", "type_parameter"])
_PARAMETERS = frozenset(["default_parameter", "typed_parameter", "typed_default_parameter"])
_SPLATS = frozenset(["list_splat_pattern", "dictionary_splat_pattern"])
_MAX_RECEIVER = 200
"""Bytes of what an attribute belongs to; a chain of attributes would take quadratic time otherwise."""


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes side by side: what another node holds, or the parts of a head."""

    form: str
    nodes: Sequence[Node]
    start: int
    end: int
    role: Role = "name"
    of: bytes = b""


def is_left_out(group: Group, place: int, types: Types) -> bool:
    """Whether the part of a group at a place says nothing, or is an annotation that is dropped."""
    kind, form = group.nodes[place].type, group.form
    if kind in TRIVIA:
        return True
    if kind == ",":
        return form in TUPLES or (form not in _SUBSCRIPTS and _is_last(group.nodes, place))
    if kind in ("(", ")"):
        return form in _BARE
    if types == "kept":
        return False
    if form == "function_definition":
        return kind in ("->", "type")
    return form in ("assignment", *UNTYPED) and kind in (":", "type")


def _is_last(nodes: Sequence[Node], comma: int) -> bool:
    following = comma + 1
    while following < len(nodes) and nodes[following].type in TRIVIA:
        following += 1
    return following < len(nodes) and nodes[following].type in _CLOSING


def naming(source: Source, group: Group, place: int) -> tuple[Role, bytes]:
    """What kind of name a part is, or hands on to its first name."""
    node, form = group.nodes[place], group.form
    if form in ("attribute", "dotted_name") and place and node.type == "identifier":
        stop = min(node.start_byte, group.start + _MAX_RECEIVER)
        return "attribute", source.text[group.start : stop].rstrip(b". \t\n\\")
    if form == "call" and node.type == "argument_list":
        return "name", _last_name(source, group.nodes[0])
    if form == "argument_list" and node.type == "keyword_argument":
        return "name", group.of
    if form in ("keyword_argument", "keyword_pattern") and not place:
        return "keyword", group.of
    inherits = form in _SPLATS or (form in _PARAMETERS and not place)
    if form == "parameters" or (inherits and group.role == "parameter"):
        return "parameter", b""
    return "name", b""


def _last_name(source: Source, called: Node) -> bytes:
    name = called.children[-1] if called.type == "attribute" else called
    return source.text[name.start_byte : name.end_byte] if name.type == "identifier" else b""
