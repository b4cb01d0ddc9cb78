"""Finds where a missing docstring goes, and what has to move for it. Pure layout; no words.

A place is a range of bytes that is replaced: an empty one in front of a body, the blank lines there, or the
gap between a colon and a body on the same line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tree_sitter import Node

from .python_source import statements

_TYPE_COMMENT = re.compile(rb"[ \t]*#[ \t]*type:[ \t]*\(")
_FIRST_LINES = re.compile(r"#!|#.*?coding[:=]")
_INDENTATION = re.compile(rb"^([ \t]+)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a docstring goes.

    Attributes:
        start: first byte that is replaced.
        end: the byte behind it.
        indent: white space in front of each of the docstring's lines.
        before: text to put in front of the docstring.
        after: text to put behind its last line.
    """

    start: int
    end: int
    indent: str
    before: str
    after: str


def indentation_unit(source: bytes) -> str:
    """One step of the file's indentation: that of its first indented line, or four spaces."""
    found = _INDENTATION.search(source)
    return found[1].decode() if found and (found[1] == b"\t" or found[1] in (b"  ", b"   ")) else "    "


def module_place(source: bytes, root: Node) -> Place:
    """The place of a module's docstring: behind the comments at the top, in front of all code."""
    code = next(iter(statements(root)), None)
    lines = source[: code.start_byte if code is not None else len(source)].decode("utf-8", "surrogatepass").split("\n")
    kept = _leading_comments(lines, code is not None)
    head = "\n".join(lines[:kept]) + "\n" if kept else ""
    start = len("\n".join(lines[:kept]).encode("utf-8", "surrogatepass"))
    end = _after_blanks(source, start)
    before = "\n" * bool(kept) + ("" if not kept or _FIRST_LINES.match(lines[kept - 1]) else "\n")
    return Place(start, end, "", before if head else "", "\n\n" if end < len(source) else "\n")


def body_place(source: bytes, definition: Node, unit: str) -> Place | None:
    """The place of a function's or class's docstring, or None for a body that can't be understood."""
    body = definition.child_by_field_name("body")
    colon = next((child for child in definition.children if child.type == ":"), None)
    found = statements(body) if body is not None else []
    if colon is None or not found:
        return None
    outer = _line_indent(source, definition.start_byte)
    header = _line_end(source, colon.end_byte)
    rest = source[colon.end_byte : header].strip()
    if outer is None:
        return None
    if rest and not rest.startswith(b"#"):
        return _split_line(colon.end_byte, found[0], definition, outer + unit)
    inner = _line_indent(source, found[0].start_byte)
    if inner is None or not inner.startswith(outer) or inner == outer:
        return None
    return _own_lines(source, header + 1, definition, inner)


def without_pass(source: bytes, place: Place, body: Node) -> Place:
    """The place widened over a `pass` that is all of the body, since the docstring makes it needless."""
    found = statements(body)
    if len(found) != 1 or found[0].type != "pass_statement":
        return place
    statement = found[0]
    beside = (
        source[place.end : statement.start_byte] + source[statement.end_byte : _line_end(source, statement.end_byte)]
    )
    # A comment beside it says something that must stay.
    return place if beside.strip() else replace(place, end=statement.end_byte, after="")


def _leading_comments(lines: list[str], has_code: bool) -> int:
    """How many lines belong to the comments at the top.

    The last block stays with the code that it touches, unless it is the only one.
    """
    comments = [place for place, line in enumerate(lines) if line.lstrip().startswith("#")]
    if not comments:
        return 0
    kept = comments[-1] + 1
    touches_code = has_code and kept == len(lines) - 1
    blanks = [place for place in range(comments[0], kept) if not lines[place].strip()]
    if touches_code and blanks:
        return max(place for place in comments if place < blanks[-1]) + 1
    return kept


def _split_line(colon: int, first: Node, definition: Node, indent: str) -> Place:
    after = "\n\n" if definition.type == "class_definition" else "\n"
    return Place(colon, first.start_byte, indent, "\n", after + indent)


def _own_lines(source: bytes, start: int, definition: Node, indent: str) -> Place:
    if _TYPE_COMMENT.match(source, start):
        start = _line_end(source, start) + 1
    end = _after_blanks(source, start)
    nested = re.compile(rb"[ \t]*(?:@|(?:async[ \t]+)?def\b|class\b)").match(source, end)
    apart = definition.type == "class_definition" or nested
    return Place(start, end, indent, "", "\n\n" if apart else "\n")


def _line_end(source: bytes, start: int) -> int:
    found = source.find(b"\n", start)
    return found if found >= 0 else len(source)


def _after_blanks(source: bytes, start: int) -> int:
    """The start of the first line from `start` on that isn't blank, or the end of the text."""
    while start < len(source):
        end = _line_end(source, start)
        if source[start:end].strip():
            return start
        start = end + 1
    return len(source)


def _line_indent(source: bytes, place: int) -> str | None:
    """The white space in front of a place, or None where something else stands there."""
    before = source[source.rfind(b"\n", 0, place) + 1 : place]
    return before.decode() if not before.strip(b" \t") else None
