"""Which names a logical line binds, as far as renaming has to know: assignments, targets, parameters, definitions.

Names within lambdas and comprehensions are taken for names of the function around them. That asks for more
agreement than Python does, never for less.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .canonical import canonical
from .imports import atoms
from .source import Item, Source

if TYPE_CHECKING:
    from tree_sitter import Node

_LEFT = frozenset(["assignment", "augmented_assignment", "for_in_clause"])
_TARGETS = frozenset(["as_pattern_target", "lambda_parameters", "splat_pattern"])
_DEFAULTS = frozenset(["default_parameter", "typed_default_parameter"])
_OUTER = frozenset(["global_statement", "nonlocal_statement"])


def bound_names(source: Source, item: Item) -> Iterator[bytes]:
    """The names that an item binds where it stands; it is no head of a definition."""
    if item.kind == "import":
        yield from (atom.bound.encode() for atom in atoms(source, item))
    for target in _targets(item):
        yield from (_text(source, name) for name in _names(target))


def outer_names(source: Source, item: Item) -> Iterator[bytes]:
    """The names that an item says to belong to something further out (`global`, `nonlocal`)."""
    if item.form in _OUTER:
        yield from (_text(source, name) for name in _names(item.nodes[0]))


def parameters(source: Source, item: Item) -> Iterator[bytes]:
    """The parameters in a function's head."""
    if not item.is_broken:
        yield from (token.text for token in canonical(source, item) if token.role == "parameter")


def own_attributes(source: Source, item: Item) -> Iterator[bytes]:
    """The attributes of `self` or `cls` that an item assigns."""
    for target in _targets(item):
        pending = [target]
        while pending:
            node = pending.pop()
            if node.type == "attribute" and _text(source, node.children[0]) in (b"self", b"cls"):
                yield _text(source, node.children[-1])
            elif node.type in ("pattern_list", "tuple_pattern", "list_pattern"):
                pending += node.children


def _targets(item: Item) -> Iterator[Node]:
    """The nodes that are assigned to, anywhere in an item."""
    if item.form == "for_statement" and item.kind == "head":
        yield from (node for before, node in itertools.pairwise(item.nodes) if before.type == "for")
    pending = list(item.nodes)
    while pending:
        node = pending.pop()
        field = "left" if node.type in _LEFT else "name" if node.type == "named_expression" else ""
        if field and (target := node.child_by_field_name(field)):
            yield target
        elif node.type in _TARGETS:
            yield node
        elif node.type in ("case_pattern", "keyword_pattern"):
            yield from _captured(node.children[-1])
        pending += node.children


def _captured(inner: Node) -> Iterator[Node]:
    """The name that a pattern of a `case` binds: a bare one, or the one behind `as`."""
    if inner.type == "dotted_name" and inner.child_count == 1:
        yield inner.children[0]
    elif inner.type == "as_pattern":
        yield inner.children[-1]


def _names(target: Node) -> Iterator[Node]:
    """The names in a target; those within attributes and subscripts are only read."""
    pending = [target]
    while pending:
        node = pending.pop()
        if node.type == "identifier":
            yield node
        elif node.type in _DEFAULTS:
            pending.append(node.children[0])
        elif node.type not in ("attribute", "subscript"):
            pending += node.children


def _text(source: Source, node: Node) -> bytes:
    return source.text[node.start_byte : node.end_byte]
