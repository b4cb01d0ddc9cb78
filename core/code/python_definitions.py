"""The classes, functions, methods and constants of a Python source, with what each lies in.

Constants are what a module binds at its top, in whatever letters, and what a class binds in capitals; of several
bindings the first. Nothing recurses: what nests deeper than anybody reads is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .python_headers import decorators, docstring, signature
from .shortening import cut
from .symbols import Definition, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NESTING = 64
"""Qualified names grow with the nesting, and all of them together with its square."""
_MAX_NAME = 1000
_TARGETS = frozenset(["identifier", "pattern_list", "tuple_pattern", "list_pattern"])


@dataclass(frozen=True, slots=True)
class Defined:
    """What a source defines.

    Attributes:
        definitions: in file order.
        parents: for each of them the position of the class or function that it lies in; -1 at the top.
        pieces: `(start, end, position)` of each class and function, in bytes, decorators included.
        names: where the name of each ends, in bytes, and those of constants that were bound before.
    """

    definitions: list[Definition] = field(default_factory=list[Definition])
    parents: list[int] = field(default_factory=list[int])
    pieces: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    names: set[int] = field(default_factory=set[int])


def defined(found: Mapping[str, Sequence[Node]], source: bytes) -> Defined:
    """What a source defines, from what the query found in it.

    Args:
        found: the captures `definition`, `decorated` and `binding`.
        source: the bytes that were parsed.
    """
    result = Defined()
    holders: list[tuple[int, int]] = []
    bound: set[tuple[int, str]] = set()
    for start, outer, node in sorted(_nodes(found), key=lambda item: item[0]):
        while holders and holders[-1][0] <= start:
            holders.pop()
        parent = holders[-1][1] if holders else -1
        if outer is None:
            if parent < 0 or result.definitions[parent].kind == "class":
                _add_constants(result, node, parent, bound, source)
        elif len(holders) < _MAX_NESTING and (added := _definition(result, node, outer, parent, source)):
            result.pieces.append((start, outer.end_byte, len(result.definitions)))
            holders.append((outer.end_byte, len(result.definitions)))
            result.definitions.append(added)
            result.parents.append(parent)
    return result


def _nodes(found: Mapping[str, Sequence[Node]]) -> Iterator[tuple[int, Node | None, Node]]:
    """Where each definition begins, the node with its decorators, and its own; of a binding only its own."""
    outers: dict[int, Node] = {}
    for outer in found.get("decorated", ()):
        inner = outer.child_by_field_name("definition")
        if inner is not None:
            outers[inner.start_byte] = outer
    for node in found.get("definition", ()):
        outer = outers.get(node.start_byte, node)
        yield outer.start_byte, outer, node
    for node in found.get("binding", ()):
        yield node.start_byte, None, node


def _definition(result: Defined, node: Node, outer: Node, parent: int, source: bytes) -> Definition | None:
    named = node.child_by_field_name("name")
    name = _text(named, source)
    if named is None or not 0 < len(name) <= _MAX_NAME:
        return None
    result.names.add(named.end_byte)
    body = node.child_by_field_name("body")
    holder = result.definitions[parent] if parent >= 0 else None
    kind: Kind = "method" if holder and holder.kind == "class" else "function"
    return Definition(
        kind="class" if node.type == "class_definition" else kind,
        name=name,
        qualified_name=f"{holder.qualified_name}.{name}" if holder else name,
        signature=signature(node, body, source),
        decorators=decorators(outer, source) if outer is not node else (),
        docstring=docstring(body, source),
        start_line=outer.start_point[0] + 1,
        end_line=_last_line(outer),
    )


def _add_constants(result: Defined, node: Node, parent: int, bound: set[tuple[int, str]], source: bytes) -> None:
    holder = result.definitions[parent] if parent >= 0 else None
    for target in _targets(node):
        name = _text(target, source)
        if holder and not name.isupper():
            continue
        result.names.add(target.end_byte)
        if (parent, name) in bound or not 0 < len(name) <= _MAX_NAME:
            continue
        bound.add((parent, name))
        result.definitions.append(
            Definition(
                kind="constant",
                name=name,
                qualified_name=f"{holder.qualified_name}.{name}" if holder else name,
                signature=_first_line(node, source),
                decorators=(),
                docstring=None,
                start_line=node.start_point[0] + 1,
                end_line=_last_line(node),
            )
        )
        result.parents.append(parent)


def _targets(node: Node) -> Iterator[Node]:
    """The names that an assignment or a type alias binds."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "type":  # `type Name[T] = …`
        left = next(iter(left.named_children), None)
        left = left.named_children[0] if left is not None and left.type == "generic_type" else left
    if left is None or left.type not in _TARGETS:
        return
    pending = [left]
    while pending:
        part = pending.pop()
        if part.type == "identifier":
            yield part
        elif part.type in _TARGETS or part.type == "list_splat_pattern":
            pending.extend(reversed(part.children))


def _first_line(node: Node, source: bytes) -> str:
    end = source.find(b"\n", node.start_byte, node.end_byte)
    return cut(source[node.start_byte : end if end >= 0 else node.end_byte].decode("utf-8", "replace").rstrip("\\ \t"))


def _last_line(node: Node) -> int:
    """A body whose last line is no statement ends at the start of the line after it."""
    row, column = node.end_point
    return row + 1 if column or row == node.start_point[0] else row


def _text(node: Node | None, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node is not None else ""
