"""`annotations`: nothing but annotations differs, and the typing imports that they need.

Parameters, results and variables may be annotated or not; names, order and defaults stay. Three things look like
annotations and do more, so that they count as code: the variables of a class that reads its annotations (see
`classes.py`), a bare `x: int` in a function, which makes `x` local, unless the function assigns `x` anyway, and an
annotation that calls something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .canonical import Token, canonical
from .classes import ClassTypes
from .contract import Fault, quoted
from .imports import atoms
from .remainder import Remainder
from .source import MODULE, Item, Source

if TYPE_CHECKING:
    from tree_sitter import Node

_MODULES = frozenset(["typing", "typing_extensions", "collections.abc", "types"])
_CHECKING = re.compile(rb"if\s*\(?\s*(?:\w+\s*\.\s*)?TYPE_CHECKING\s*\)?\s*:")
_RUNS = frozenset(
    [
        "call",
        "named_expression",
        "await",
        "yield",
        "lambda",
        "interpolation",
        "list_comprehension",
        "set_comprehension",
        "dictionary_comprehension",
        "generator_expression",
    ]
)
_MAY_RUN = re.compile(rb"[({]|\b(?:lambda|await|yield|for)\b|:=")


def taken_out(source: Source) -> Iterator[int]:
    """The places of typing imports, `if TYPE_CHECKING:` blocks of imports, and bare annotations without effect."""
    blocks = type_checking(source)
    idle = _Idle(source)
    for place, item in enumerate(source.items):
        is_import = item.kind == "import" and (item.suite in blocks or _is_typing(source, item))
        if is_import or place in blocks or idle.has(item):
            yield place


def type_checking(source: Source) -> set[int]:
    """The heads of `if TYPE_CHECKING:` at the top of a module that hold nothing but imports."""
    heads: set[int] = set()
    latest = MODULE
    for place, item in enumerate(source.items):
        if item.suite == MODULE and item.form in ("else_clause", "elif_clause"):
            heads.discard(latest)
        elif item.suite == MODULE and item.depth == 0:
            latest = place
            if is_type_checking(source, item):
                heads.add(place)
        elif item.kind != "import":
            heads.discard(item.suite)
    return heads


def is_type_checking(source: Source, head: Item) -> bool:
    """Whether an item is the head of an `if TYPE_CHECKING:`."""
    return head.form == "if_statement" and _CHECKING.fullmatch(source.raw(head)) is not None


def _is_typing(source: Source, item: Item) -> bool:
    """Whether an import brings in nothing but typing's names, at the top of a module."""
    found = atoms(source, item)
    return item.suite == MODULE and all(
        atom.module in _MODULES or (atom.module, atom.name) == ("__future__", "annotations") for atom in found
    )


class TypeComparison:
    """Compares lines of two files with their annotations left out."""

    def __init__(self, before: Source, after: Source) -> None:
        self._sides = ((before, ClassTypes(before)), (after, ClassTypes(after)))

    def tokens(self, old: Item, new: Item) -> tuple[list[Token], list[Token]] | None:
        """What two lines are without annotations; None where a new annotation runs code."""
        known = {text for _, text in _annotations(self._sides[0][0], old)}
        after = self._sides[1][0]
        if any(_runs(node, text) for node, text in _annotations(after, new) if text not in known):
            return None
        then, now = (
            canonical(source, item, classes.types(item.owner, _of_variable(source, item)))
            for (source, classes), item in zip(self._sides, (old, new), strict=True)
        )
        return then, now


def judge(before: Remainder, after: Remainder) -> Fault | None:
    """Find a new bare annotation that runs code."""
    known = {before.source.raw(taken.item) for taken in before.taken}
    for taken in after.taken:
        raw = after.source.raw(taken.item)
        if raw in known or taken.item.kind != "statement":
            continue
        if any(_runs(node, text) for node, text in _annotations(after.source, taken.item)):
            owner = taken.item.owner
            return Fault(taken.item.line, owner.name if owner else "", f"the annotation in {quoted(raw)} runs code")
    return None


class _Idle:
    """Knows which bare annotations of a file change nothing at run time."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._classes = ClassTypes(source)
        self._assigned: dict[int, set[bytes]] = {}
        for item in source.items:
            assignment = _assignment(item)
            if assignment is not None and item.owner is not None and _type(assignment) != assignment.children[-1]:
                names = self._assigned.setdefault(item.owner.start, set())
                names.add(_text(source, assignment.children[0]))

    def has(self, item: Item) -> bool:
        """Whether an item is such an annotation."""
        assignment = _assignment(item)
        if assignment is None or (annotation := _type(assignment)) != assignment.children[-1] or annotation is None:
            return False
        target, owner = assignment.children[0], item.owner
        if target.type == "attribute":
            return target.children[0].type == "identifier"
        if target.type != "identifier":
            return False
        if owner is not None and owner.kind == "function":
            return _text(self._source, target) in self._assigned.get(owner.start, ())
        return self._classes.types(owner, _text(self._source, annotation)) == "dropped"


def _assignment(item: Item) -> Node | None:
    """The assignment or bare annotation that a statement is."""
    if item.form != "expression_statement" or item.is_broken:
        return None
    node = item.nodes[0].children[0]
    return node if node.type == "assignment" else None


def _type(assignment: Node) -> Node | None:
    return next((child for child in assignment.children if child.type == "type"), None)


def _of_variable(source: Source, item: Item) -> bytes:
    assignment = _assignment(item)
    annotation = _type(assignment) if assignment is not None else None
    return _text(source, annotation) if annotation is not None else b""


def _annotations(source: Source, item: Item) -> Iterator[tuple[Node, bytes]]:
    """The annotations of a function's head or of a variable, with their source."""
    assignment = _assignment(item)
    nodes = list(assignment.children if assignment is not None else item.nodes)
    if item.kind == "head" and item.form == "function_definition":
        for node in item.nodes:
            if node.type == "parameters":
                nodes += (part for parameter in node.children for part in parameter.children)
    for node in nodes:
        if node.type == "type":
            yield node, _text(source, node)


def _runs(annotation: Node, text: bytes) -> bool:
    """Whether an annotation does more than to name types."""
    pending = [annotation] if _MAY_RUN.search(text) else []
    while pending:
        node = pending.pop()
        if node.type in _RUNS:
            return True
        pending += node.children
    return False


def _text(source: Source, node: Node) -> bytes:
    return source.text[node.start_byte : node.end_byte]
