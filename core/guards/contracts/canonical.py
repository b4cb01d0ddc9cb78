"""A logical line as a list of tokens that tells what it means and not how it is laid out.

White space, line breaks, comments, needless parentheses and last commas are gone; the nesting of the syntax tree
stands there in their place, so that `(a + b) * c` and `a + b * c` stay two things. Text that the grammar gives to
no token is kept as one, so that nothing gets lost. A line that the grammar can't read has no such form: it is
compared as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import literals
from .source import TRIVIA, Item, Source
from .token_rules import TUPLES, UNTYPED, Group, Role, Types, is_left_out, naming

if TYPE_CHECKING:
    from tree_sitter import Node


_TRANSPARENT = frozenset(["parenthesized_expression", "expression_statement", "case_pattern"])
_NUMBERS = frozenset(["integer", "float"])


@dataclass(frozen=True, slots=True)
class Token:
    """One token, or a mark where a node of the tree begins or ends.

    Attributes:
        role: which kind of name it is, or that it is a text; empty for everything else.
        of: for an attribute the source of what it belongs to, for a keyword the name of what is called.
        start: its first byte in the text; 0 for a mark.
    """

    text: bytes
    role: Role = ""
    of: bytes = b""
    start: int = 0

    @property
    def is_name(self) -> bool:
        """Whether it can be renamed."""
        return self.role not in ("", "text")


@dataclass(frozen=True, slots=True)
class _Part:
    """A node, with what its surroundings say of the name that it is or begins with."""

    node: Node
    parent: str
    role: Role = "name"
    of: bytes = b""


_END = Token(b">")


def texts(tokens: Sequence[Token]) -> list[bytes]:
    """The texts of tokens, for a plain comparison."""
    return [token.text for token in tokens]


def canonical(source: Source, item: Item, types: Types = "kept") -> list[Token]:
    """The tokens of an item that the grammar can read.

    Args:
        source: the file.
        item: one of its items.
        types: what becomes of annotations.
    """
    form = item.form if item.kind == "head" else ""
    pending = _children(source, Group(form, item.nodes, item.start, item.end), types)[::-1]
    tokens: list[Token] = []
    while pending:
        part = pending.pop()
        if isinstance(part, Token):
            tokens.append(part)
        elif not part.node.child_count:
            tokens.append(_leaf(source, part))
        else:
            mark, inner = _opened(source, part, types)
            if mark:
                tokens.append(Token(mark))
                pending.append(_END)
            pending += inner[::-1]
    return tokens


def unread(source: Source, item: Item) -> list[Token]:
    """An item that the grammar can't read: its names, and everything between them as it stands."""
    tokens: list[Token] = []
    at = item.start
    pending = list(reversed(item.nodes))
    while pending:
        node = pending.pop()
        if node.type == "identifier" and node.start_byte < node.end_byte:
            tokens.append(Token(source.text[at : node.start_byte]))
            tokens.append(Token(source.text[node.start_byte : node.end_byte], "name", start=node.start_byte))
            at = node.end_byte
        else:
            pending += reversed(node.children)
    return [*tokens, Token(source.text[at : item.end])]


def _leaf(source: Source, part: _Part) -> Token:
    node = part.node
    text = source.text[node.start_byte : node.end_byte]
    if node.type == "identifier":
        return Token(text, part.role, part.of, node.start_byte)
    text = literals.number(text) if node.type in _NUMBERS else b" ".join(text.split())
    return Token(text, start=node.start_byte)


def _opened(source: Source, part: _Part, types: Types) -> tuple[bytes, list[_Part | Token]]:
    """The mark of a node, empty where it means nothing, and what it holds."""
    node = part.node
    if node.type == "string":
        return _string(source, node)
    mark = b"<" + node.type.encode()
    # Python 2 takes `raise a, b` for something else than `raise (a, b)`.
    if node.type in TUPLES and part.parent != "raise_statement":
        mark = b"<tuple" if _is_tuple(node) else b""
    elif node.type in _TRANSPARENT:
        mark = b""
    elif types != "kept":
        mark = UNTYPED.get(node.type, mark)
    group = Group(node.type, node.children, node.start_byte, node.end_byte, part.role, part.of)
    return mark, _children(source, group, types)


def _is_tuple(node: Node) -> bool:
    """Whether it isn't a single thing in parentheses, which the grammar calls a tuple in patterns."""
    named = sum(child.is_named and child.type not in TRIVIA for child in node.children)
    return named != 1 or any(child.type == "," for child in node.children)


def _string(source: Source, node: Node) -> tuple[bytes, list[_Part | Token]]:
    """A text by its content; what is put into it is code."""
    prefix = literals.prefix_of(node, source.text)
    start, stop = node.children[0].end_byte, node.children[-1].start_byte
    found: list[_Part | Token] = []
    for child in node.children:
        if child.type == "interpolation":
            found += [_text(source, start, child.start_byte, prefix), _Part(child, "string")]
            start = child.end_byte
            if any(part.type == "=" for part in child.children):
                # `{a = }` shows its own source.
                found.append(_text(source, child.start_byte, start, b"r"))
    found.append(_text(source, start, stop, prefix))
    return b"<string " + prefix, found


def _text(source: Source, start: int, stop: int, prefix: bytes) -> Token:
    return Token(literals.unquoted(source.text[start:stop], prefix), "text", start=start)


def _children(source: Source, group: Group, types: Types) -> list[_Part | Token]:
    """The parts of a group that mean something."""
    found: list[_Part | Token] = []
    at = group.start
    for place, node in enumerate(group.nodes):
        if at < node.start_byte:
            found += _hidden(source, at, node.start_byte, group.form)
        at = node.end_byte
        if node.type == ":" and group.form == "assignment":
            found += _annotated(group, types)
        if not is_left_out(group, place, types):
            found.append(_Part(node, group.form, *naming(source, group, place)))
    return found + _hidden(source, at, group.end, group.form)


def _hidden(source: Source, start: int, end: int, form: str) -> list[Token]:
    """Text that belongs to no node, as within a format specifier; there its white space counts."""
    text = source.text[start:end]
    if form != "format_specifier":
        text = text.replace(b"\\\n", b"").strip()
    return [Token(text)] if text else []


def _annotated(group: Group, types: Types) -> list[Token]:
    """What stays of a variable's annotation; `(a): int` declares nothing, as `a: int` does."""
    is_wrapped = group.nodes[0].type in ("tuple_pattern", "parenthesized_expression")
    return [Token(b"()")] * is_wrapped + [Token(b":")] * (types == "marked")
