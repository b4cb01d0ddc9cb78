"""How a Python definition reads: its signature, its decorators, its docstring's first line.

A file has thousands of them, so what stands in one plain line is taken from the bytes; only the rest is asked of the
tree. Both give the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .shortening import cut

if TYPE_CHECKING:
    from tree_sitter import Node

_HEADER = re.compile(rb"((?:async )?(?:def|class) [\w\x80-\xff]+(?:\([^\n#\\]*\))?(?: -> [^\n#\\]*[^\n#\\ ])?):\s*")
"""A whole header that is shown as it is written, up to the body."""
_HASH = re.compile(rb"#")
_BEFORE_DOCSTRING = frozenset(b"\"'rRuU#")
_GLUED = frozenset(["parameters", "argument_list", "type_parameter"])


def signature(node: Node, body: Node | None, source: bytes) -> str:
    """The parts of a definition up to its colon, in one line; a broken one may have no colon."""
    if body is not None:
        plain = _HEADER.fullmatch(source, node.start_byte, body.start_byte)
        if plain and (b"->" not in (header := plain[1]) or header.count(b"->") == header.count(b" -> ")):
            return cut(header.decode("utf-8", "replace"))
    parts: list[str] = []
    for child in node.children:
        if child.type in (":", "block"):
            break
        if parts and child.type not in _GLUED:
            parts.append(" ")
        parts.append(_one_line(child, source))
    return cut("".join(parts))


def decorators(outer: Node, source: bytes) -> tuple[str, ...]:
    """The decorators of a decorated definition, without `@`, each in one line."""
    found = [_one_line(child, source) for child in outer.children if child.type == "decorator"]
    return tuple(cut(text.removeprefix("@").strip()) for text in found)


def docstring(body: Node | None, source: bytes) -> str | None:
    """The first line with text of the docstring that a module or a block begins with."""
    if body is None or body.start_byte == body.end_byte or source[body.start_byte] not in _BEFORE_DOCSTRING:
        return None
    children = map(body.child, range(body.child_count))  # one by one, since a list of all holds the whole body
    first = next((child for child in children if child.type != "comment"), None)
    if first is None or first.type != "expression_statement" or first.child_count != 1:
        return None
    literal = first.child(0)
    if literal.type == "concatenated_string":
        literal = literal.child(0)
    if literal.type != "string" or literal.child_count < 2:
        return None
    opening, *_, closing = literal.children
    if set(source[opening.start_byte : opening.end_byte].lower()) & set(b"bft"):
        return None
    end = closing.start_byte if closing.type == "string_end" else literal.end_byte
    return first_line(source[opening.end_byte : end])


def first_line(text: bytes) -> str | None:
    """The first line that isn't blank, stripped."""
    found = re.search(rb"[^\n]*\S[^\n]*", text)
    line = found[0].decode("utf-8", "replace").strip() if found else ""
    return cut(line) or None


def _one_line(node: Node, source: bytes) -> str:
    """The node's source with its lines joined, comments left out."""
    joined: list[str] = []
    last = ""
    for line in b"".join(_without_comments(node, source)).decode("utf-8", "replace").split("\n"):
        piece = line.strip().removesuffix("\\").rstrip()
        if not piece:
            continue
        if last.endswith(("(", "[", "{")) or not last:
            joined.append(piece)
        elif piece.startswith((")", "]", "}")):
            joined[-1] = joined[-1].removesuffix(",")
            joined.append(piece)
        else:
            joined.append(f" {piece}")
        last = joined[-1]
    return "".join(joined)


def _without_comments(node: Node, source: bytes) -> Iterable[bytes]:
    at = node.start_byte
    hashes = [found.start() for found in _HASH.finditer(source, at, node.end_byte)]
    pending = [node] if hashes else []
    while pending:
        part = pending.pop()
        if part.type == "comment":
            yield source[at : part.start_byte]
            at = part.end_byte
        elif bisect_left(hashes, part.start_byte) < bisect_left(hashes, part.end_byte):
            pending.extend(reversed(part.children))
    yield source[at : node.end_byte]
