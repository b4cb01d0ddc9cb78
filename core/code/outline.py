"""The classes and functions of a Python source, with their signatures and lines, from tree-sitter.

It reads every version of Python, and broken files as far as they can be read. Nothing recurses: a file may
nest as deeply as it likes. Only statements are looked into, since no definition lies within an expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import trees

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_SHOWN = 240
"""Characters of a signature or a docstring in a rendered line."""
_DEFINITIONS = frozenset(["class_definition", "function_definition"])
_HOLDERS = frozenset(
    [
        "module",
        "block",
        "decorated_definition",
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
        "for_statement",
        "while_statement",
        "match_statement",
        "case_clause",
        "ERROR",
    ]
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One class or function.

    Attributes:
        kind: `method` for a function directly in a class.
        name: as written after `def` or `class`.
        qualified_name: with the names of what it lies in, separated by dots.
        signature: from `async`, `def` or `class` to before the colon, in one line, without comments.
        decorators: without `@`, each in one line.
        docstring: its first line, or None.
        start_line: first line, decorators included; lines count from 1.
        end_line: last line.
    """

    kind: Literal["class", "function", "method"]
    name: str
    qualified_name: str
    signature: str
    decorators: tuple[str, ...]
    docstring: str | None
    start_line: int
    end_line: int


def outline(data: bytes, path: str) -> tuple[Symbol, ...]:
    """The symbols of a Python source in file order, nested ones included.

    Args:
        data: the whole file, in whatever state.
        path: the file's path, which tells with the content what encoding it has.
    """
    found: list[Symbol] = []
    pending: list[tuple[Node, Symbol | None]] = [(trees.parse(data, path).root_node, None)]
    while pending:
        node, owner = pending.pop()
        inner: Iterable[Node] = ()
        if node.type in _DEFINITIONS:
            owner = _symbol(node, owner)
            found.append(owner)
            body = node.child_by_field_name("body")
            inner = [body] if body else []
        elif node.type in _HOLDERS:
            inner = node.children
        pending += [(child, owner) for child in reversed(list(inner))]
    return tuple(found)


def render(symbols: Sequence[Symbol], path: str) -> str:
    """The outline as text for a model: one line a symbol, indented by nesting."""
    if not symbols:
        return f"{path}: no classes or functions"
    return "\n".join([path, *map(_line, symbols)])


def enclosing(symbols: Sequence[Symbol], line: int) -> str | None:
    """The dotted name of the innermost symbol that a line (from 1) lies in."""
    inside = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line]
    return inside[-1].qualified_name if inside else None


def _line(symbol: Symbol) -> str:
    indent = "  " * symbol.qualified_name.count(".")
    decorators = "".join(f"@{decorator} " for decorator in symbol.decorators)
    docstring = f'  "{_cut(symbol.docstring)}"' if symbol.docstring else ""
    lines = f"L{symbol.start_line}-{symbol.end_line}"
    return f"{indent}{lines} {_cut(decorators + symbol.signature)}{docstring}"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}\u2026"


def _symbol(node: Node, owner: Symbol | None) -> Symbol:
    name = _text(node.child_by_field_name("name"))
    outer = node.parent if node.parent and node.parent.type == "decorated_definition" else node
    is_class = node.type == "class_definition"
    in_class = owner is not None and owner.kind == "class"
    return Symbol(
        kind="class" if is_class else "method" if in_class else "function",
        name=name,
        qualified_name=f"{owner.qualified_name}.{name}" if owner else name,
        signature=_signature(node),
        decorators=tuple(
            _one_line(child).removeprefix("@").strip() for child in outer.children if child.type == "decorator"
        ),
        docstring=_docstring(node.child_by_field_name("body")),
        start_line=outer.start_point.row + 1,
        end_line=_last_line(outer),
    )


def _last_line(node: Node) -> int:
    """A body whose last line is no statement ends at the start of the line after it."""
    row, column = node.end_point
    return row + 1 if column or row == node.start_point.row else row


def _signature(node: Node) -> str:
    """The parts of a definition up to its colon; a broken one may have no colon."""
    header: list[Node] = []
    for child in node.children:
        if child.type in (":", "block"):
            break
        header.append(child)
    text = ""
    for part in header:
        glued = part.type in ("parameters", "argument_list", "type_parameter")
        text += ("" if glued or not text else " ") + _one_line(part)
    return text


def _one_line(node: Node) -> str:
    """The node's source with its lines joined, comments left out."""
    joined = ""
    for piece in "".join(_without_comments(node)).split("\n"):
        piece = piece.strip().removesuffix("\\").rstrip()
        if joined.endswith(("(", "[", "{")) or not joined:
            joined += piece
        elif piece.startswith((")", "]", "}")):
            joined = joined.removesuffix(",") + piece
        elif piece:
            joined += f" {piece}"
    return joined


def _without_comments(node: Node) -> Iterable[str]:
    source, start, at = node.text or b"", node.start_byte, node.start_byte
    pending = [node]
    while pending:
        part = pending.pop()
        if part.type == "comment":
            yield source[at - start : part.start_byte - start].decode("utf-8", "replace")
            at = part.end_byte
        elif b"#" in (part.text or b""):
            pending.extend(reversed(part.children))
    yield source[at - start :].decode("utf-8", "replace")


def _docstring(body: Node | None) -> str | None:
    first = next((child for child in body.children if child.type != "comment"), None) if body else None
    if first is None or first.type != "expression_statement" or first.child_count != 1:
        return None
    literal = first.children[0]
    if literal.type == "concatenated_string":
        literal = literal.children[0]
    if literal.type != "string" or literal.child_count < 2:
        return None
    opening, closing = _text(literal.children[0]), _text(literal.children[-1])
    if set(opening.casefold()) & {"b", "f", "t"}:
        return None
    content = _text(literal)[len(opening) :].removesuffix(closing)
    return next((line.strip() for line in content.split("\n") if line.strip()), None)


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node else ""
