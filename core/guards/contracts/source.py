"""A Python source as the sequence of its logical lines: what all comparisons read.

An item is a simple statement, or the head of a compound one up to its colon. Together with its depth that is
what Python itself sees of the layout: heads and depths give back the whole nesting. What lies between items
(white space, semicolons, comments) is a gap. Nothing is skipped: each byte of the file belongs to an item or
to a gap. Nothing recurses, and expressions aren't looked into, so that a large file is read quickly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...code import trees

if TYPE_CHECKING:
    from tree_sitter import Node

ItemKind = Literal["statement", "head", "docstring", "filler", "import"]
IMPORTS = frozenset(["import_statement", "import_from_statement", "future_import_statement"])
TRIVIA = frozenset(["comment", "line_continuation", ";"])
_DEFINITIONS = frozenset(["function_definition", "class_definition"])
_COMPOUND = _DEFINITIONS | {
    "if_statement",
    "for_statement",
    "while_statement",
    "try_statement",
    "with_statement",
    "match_statement",
    "decorated_definition",
    "elif_clause",
    "else_clause",
    "except_clause",
    "except_group_clause",
    "finally_clause",
    "case_clause",
}
_HOLDERS = _COMPOUND | {"block"}
MODULE = -1
"""The suite of a module's own statements."""


@dataclass(frozen=True, slots=True, eq=False)
class Owner:
    """A class or function that items lie in.

    Attributes:
        name: dotted, from the module on.
        decorators: the source of each, with `@`.
        start: the first byte of the definition, which tells two of one name apart.
    """

    kind: Literal["class", "function"]
    name: str
    node: Node
    decorators: tuple[bytes, ...]
    parent: Owner | None
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One logical line.

    Attributes:
        kind: `filler` is a `pass` or `...` that is all the code of a class or function.
        form: the type of the statement in the grammar.
        nodes: the statement itself, or the parts of the head.
        depth: how many blocks it lies in.
        line: from 1.
        owner: what it lies in; a definition's head lies in the definition.
        suite: the place among all items of the head whose block it stands in, or `MODULE`.
        is_broken: whether the grammar couldn't read it.
    """

    kind: ItemKind
    form: str
    nodes: tuple[Node, ...]
    start: int
    end: int
    depth: int
    line: int
    owner: Owner | None
    suite: int
    is_broken: bool


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    r"""A file's text (UTF-8, `\n` ends, no byte order mark) and its items in order."""

    text: bytes
    items: tuple[Item, ...]
    is_broken: bool

    def raw(self, item: Item) -> bytes:
        """The item as it stands in the text."""
        return self.text[item.start : item.end]


@dataclass(slots=True)
class _Work:
    """What is still to be read: a node, or the parts of a head."""

    nodes: tuple[Node, ...]
    form: str
    depth: int
    owner: Owner | None
    suite: int = MODULE
    kind: ItemKind = "statement"
    decorators: tuple[bytes, ...] = ()


def read(data: bytes, path: str) -> Source:
    """Read a file, in whatever state; what can't be decoded is read as Latin-1."""
    root = trees.parse(data, path).root_node
    text = trees.plain(data, path)
    items: list[Item] = []
    pending = _suite(root, 0, None, MODULE, has_docstring=root.type == "module")
    while pending:
        work = pending.pop()
        node = work.nodes[0]
        if work.kind == "head" or work.form not in _HOLDERS:
            items.append(_item(work))
        elif work.form == "block":
            is_body = work.owner is not None and bool(items) and items[-1].form in _DEFINITIONS
            pending += _suite(node, work.depth, work.owner, len(items) - 1, has_docstring=is_body)
        else:
            pending += _parts(node, work, text)
    return Source(text, tuple(items), root.has_error)


def _item(work: _Work) -> Item:
    first, last = work.nodes[0], work.nodes[-1]
    return Item(
        work.kind,
        work.form,
        work.nodes,
        first.start_byte,
        last.end_byte,
        work.depth,
        first.start_point.row + 1,
        work.owner,
        work.suite,
        any(node.has_error for node in work.nodes),
    )


def _suite(block: Node, depth: int, owner: Owner | None, suite: int, *, has_docstring: bool) -> list[_Work]:
    """The statements of a block, the last one first."""
    nodes = [node for node in block.children if node.type not in TRIVIA]
    works = [_Work((node,), node.type, depth, owner, suite) for node in nodes]
    for work in works:
        if work.form in IMPORTS:
            work.kind = "import"
    code = works
    if has_docstring and works and is_docstring(nodes[0]):
        works[0].kind = "docstring"
        code = works[1:]
    if has_docstring and owner is not None and len(code) == 1 and _is_filler(code[0].nodes[0]):
        code[0].kind = "filler"
    return works[::-1]


def _parts(node: Node, work: _Work, text: bytes) -> list[_Work]:
    """The head, blocks and clauses of a compound statement, the last one first."""
    owner = _owner(node, work, text) if node.type in _DEFINITIONS else work.owner
    children = [child for child in node.children if child.type not in TRIVIA]
    decorators = tuple(text[child.start_byte : child.end_byte] for child in children if child.type == "decorator")
    works: list[_Work] = []
    head: list[Node] = []
    for child in children:
        if child.type in _HOLDERS or child.type == "decorator":
            works += _head(head, node.type, work, owner)
            head = []
            inner = work.depth + (child.type == "block")
            works.append(_Work((child,), child.type, inner, owner, work.suite, decorators=decorators))
        else:
            head.append(child)
    return (works + _head(head, node.type, work, owner))[::-1]


def _head(parts: list[Node], form: str, work: _Work, owner: Owner | None) -> list[_Work]:
    return [_Work(tuple(parts), form, work.depth, owner, work.suite, "head")] if parts else []


def _owner(node: Node, work: _Work, text: bytes) -> Owner:
    name = node.child_by_field_name("name")
    called = text[name.start_byte : name.end_byte].decode("utf-8", "replace") if name else ""
    dotted = f"{work.owner.name}.{called}" if work.owner else called
    kind: Literal["class", "function"] = "class" if node.type == "class_definition" else "function"
    return Owner(kind, dotted, node, work.decorators, work.owner, node.start_byte)


def is_docstring(statement: Node) -> bool:
    """Whether a statement is nothing but a text: no bytes, nothing that is formatted, in any parentheses."""
    node = statement
    while node.type in ("expression_statement", "parenthesized_expression") and not node.has_error:
        inner = [child for child in node.children if child.is_named and child.type not in TRIVIA]
        commas = any(child.type == "," for child in node.children)
        if len(inner) != 1 or commas:
            return False
        node = inner[0]
    parts = node.children if node.type == "concatenated_string" else [node]
    texts = [part for part in parts if part.type not in TRIVIA]
    return node is not statement and all(part.type == "string" and _is_plain_text(part) for part in texts)


def _is_plain_text(string: Node) -> bool:
    prefix = (string.children[0].text or b"") if string.children else b"b"
    return not string.has_error and set(prefix.lower()).isdisjoint(b"bft")


def _is_filler(statement: Node) -> bool:
    if statement.type == "pass_statement":
        return True
    return statement.type == "expression_statement" and [child.type for child in statement.children] == ["ellipsis"]
