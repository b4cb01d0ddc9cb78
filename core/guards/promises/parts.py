"""A Python source taken apart: its definitions, and its statements with what they stand under.

Only statements are taken apart; expressions stay whole, since no definition and no statement lies in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...code import trees
from .forms import Canonical, Form, form, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BLOCKS = frozenset(["module", "block", "ERROR", "match_statement", "finally_clause"])
_DEFINITIONS = ("function_definition", "class_definition")
_COMPOUND = frozenset(
    [
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "with_statement",
        "case_clause",
    ]
)
_HANDLERS = ("except_clause", "except_group_clause")
_CATCHING = re.compile(rb"raises|Raises|suppress|ignore|catch|warns|Warns")
"""In a `with`: what may keep a failure from being seen."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a statement stands under: a condition, a loop, a `try` with handlers."""

    word: str
    nodes: tuple[Node, ...]

    def form(self, canonical: Canonical) -> Form:
        """What two heads must share to be the same one."""
        return (self.word, *(piece for node in self.nodes for piece in form(node, canonical)))

    def __str__(self) -> str:
        return " ".join([self.word, *map(text_of, self.nodes)])


Heads = tuple[Head, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One class or function.

    Attributes:
        qualified_name: with the names of what it lies in, separated by dots.
        owner: the innermost definition that it lies in.
        outer: the outermost function that it lies in.
        heads: what it stands under, within its owner.
        decorators: the expressions behind `@`.
        line: of `def` or `class`; lines count from 1.
    """

    kind: Literal["class", "function"]
    name: str
    qualified_name: str
    owner: Definition | None
    outer: Definition | None
    node: Node
    heads: Heads
    decorators: tuple[Node, ...]
    line: int

    @property
    def all_heads(self) -> Heads:
        """What it stands under, its owners included."""
        return (*(self.owner.all_heads if self.owner else ()), *self.heads)

    @property
    def unit(self) -> Definition | None:
        """The outermost function that its statements belong to; None in a class outside of functions."""
        return self.outer or (self if self.kind == "function" else None)


@dataclass(frozen=True, slots=True)
class Part:
    """A simple statement, or an expression in the head of a compound one or of a definition.

    Attributes:
        decorates: for a decorator, what it stands above.
    """

    node: Node
    owner: Definition | None
    heads: Heads
    decorates: Literal["", "class", "function"] = ""

    @property
    def line(self) -> int:
        """Where it begins, counted from 1."""
        return self.node.start_point.row + 1


@dataclass(frozen=True, slots=True)
class Parts:
    """A whole source, both in file order."""

    definitions: tuple[Definition, ...]
    parts: tuple[Part, ...]


def take_apart(data: bytes, path: str) -> Parts:
    """Take a source apart, in whatever state it is.

    Args:
        data: the whole file.
        path: its path, which tells with the content what encoding it has.
    """
    definitions: list[Definition] = []
    parts: list[Part] = []
    decorators: tuple[Node, ...] = ()
    pending = [Part(trees.parse(data, path).root_node, None, ())]
    while pending:
        part = pending.pop()
        kind = part.node.type
        if kind == "decorated_definition":
            pending += reversed(_decorated(part))
        elif kind in _DEFINITIONS:
            definition, decorators = _definition(part, decorators), ()
            definitions.append(definition)
            pending += reversed(_inside(definition))
        elif kind in _BLOCKS:
            pending += reversed([Part(child, part.owner, part.heads) for child in _named(part.node)])
        elif kind in _COMPOUND:
            pending += reversed(_under_heads(part))
        else:
            # Decorators come right before what they decorate.
            decorators = (*decorators, *part.node.named_children[:1]) if part.decorates else ()
            parts.append(part)
    return Parts(tuple(definitions), tuple(parts))


def _named(node: Node) -> Iterable[Node]:
    return (child for child in node.named_children if child.type != "comment")


def _decorated(part: Part) -> list[Part]:
    inner = part.node.child_by_field_name("definition")
    kind: Literal["class", "function"] = "class" if inner and inner.type == "class_definition" else "function"
    return [Part(c, part.owner, part.heads, kind if c.type == "decorator" else "") for c in _named(part.node)]


def _definition(part: Part, decorators: tuple[Node, ...]) -> Definition:
    node, owner = part.node, part.owner
    name = text_of(node.child_by_field_name("name"))
    return Definition(
        "class" if node.type == "class_definition" else "function",
        name,
        f"{owner.qualified_name}.{name}" if owner else name,
        owner,
        owner.unit if owner else None,
        node,
        part.heads,
        decorators,
        node.start_point.row + 1,
    )


def _inside(definition: Definition) -> list[Part]:
    named = [child for child in _named(definition.node) if child.type not in ("identifier", "type_parameter")]
    return [Part(child, definition, ()) for child in named]


def _under_heads(part: Part) -> list[Part]:
    node = part.node
    expressions = tuple(child for child in _named(node) if child.type not in ("block", *_COMPOUND, *_BLOCKS))
    head = _head(node, expressions)
    inner = (*part.heads, head) if head else part.heads
    found: list[Part] = []
    for child in _named(node):
        heads = part.heads
        if child.type == "block":
            heads = inner
        elif child.type == "else_clause" and node.type == "if_statement":
            heads = (*part.heads, Head("not", expressions))
        found.append(Part(child, part.owner, heads))
    return found


def _head(node: Node, expressions: tuple[Node, ...]) -> Head | None:
    match node.type:
        case "else_clause":
            return None
        case "try_statement":
            caught = [child for clause in node.children if clause.type in _HANDLERS for child in _caught(clause)]
            return Head("try … except", tuple(caught)) if any(c.type in _HANDLERS for c in node.children) else None
        case "with_statement":
            return Head("with", expressions) if _CATCHING.search(_start(expressions)) else None
        case kind:
            return Head(kind.split("_")[0], expressions)


def _caught(clause: Node) -> Iterable[Node]:
    return (child for child in _named(clause) if child.type != "block")


def _start(expressions: tuple[Node, ...]) -> bytes:
    return b" ".join(node.text or b"" for node in expressions)
