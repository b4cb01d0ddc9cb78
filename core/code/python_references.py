"""Which names of a Python source may be defined elsewhere, and how each is used.

Left out is what can only be local: parameters and what a function binds, `self`, and Python's own names unless the file
defines or imports them. A name that nothing in the file defines stays, since a star import or a fragment may bring it.
What stands next to a name tells an attribute and a call: the tree isn't asked, since its nodes cost more than bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from . import trees
from .python_definitions import Defined
from .python_scopes import IMPORT, Scopes, scopes
from .symbols import Import, Reference, ReferenceKind

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAME = 1000
_MAX_BEFORE = 200
"""Bytes that are looked at before a string."""
_DOT, _OPENING, _EQUALS = b".(="
_BEFORE_EQUALS = frozenset(b" \t\\=")
_AFTER = re.compile(rb"(?:[ \t]|\\\n)*(\(|=(?!=))")
_WORDS = re.compile(rb"(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*)\.)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)(?![\w\x80-\xff.])")
_FORWARD = re.compile(rb"[\w\x80-\xff.\[\], |]{1,300}")
_LITERAL = re.compile(rb"\bLiteral\[[^\[\]]*$")


_reference: Callable[[tuple[str, int, ReferenceKind, int, str]], Reference] = partial(
    tuple.__new__,  # pyright: ignore[reportUnknownMemberType]
    Reference,
)
"""As `Reference._make`, in half the time."""


class _Texts(dict[bytes, str]):
    """Names as text, decoded once each: a file uses few names many times."""

    def __missing__(self, name: bytes) -> str:
        self[name] = text = name.decode("utf-8", "replace")
        return text


def references(
    found: Mapping[str, Sequence[Node]], source: bytes, defined: Defined, imports: Sequence[Import]
) -> dict[int, Reference]:
    """The references of a source, by where their names end in its bytes.

    Args:
        found: what the query found.
        source: the bytes that were parsed.
        defined: what the source defines.
        imports: what it imports.
    """
    known = scopes(found, source, defined, imports)
    result: dict[int, Reference] = {}
    _add_names(result, found, source + b"\n", known)
    _add_forward(result, found.get("forward", ()), source, known)
    return result


def _add_names(result: dict[int, Reference], found: Mapping[str, Sequence[Node]], source: bytes, known: Scopes) -> None:
    """One loop over every name of the file: besides parsing, what it does for each is most of what a source costs."""
    ignored, names, contested, texts = known.ignored, known.binding, known.contested, _Texts()
    kinds, annotations = _kinds(found), known.annotations
    stretches = known.owners.stretches()
    owner, until = next(stretches)
    before, last = 0, b""  # where the name before this one ends; it, unless an attribute
    line, at = 1, 0  # of the last reference
    for node in trees.in_order(found.get("name", ())):
        start, end = node.start_byte, node.end_byte
        name = source[start:end]
        if source[start - 1] == _DOT:
            receiver = last if before == start - 1 or source[before : start - 1].isspace() else b""
            before, last = end, b""
        else:
            before, last, receiver = end, name, b""
            if name in ignored or end in names or (name in contested and known.is_local(name, start)):
                continue
        while start >= until:
            owner, until = next(stretches)
        after = source[end]
        if after in _BEFORE_EQUALS:
            after = _after(source, end)
        # Of a plain name, `=` makes an assignment's target or the name of a keyword argument.
        if owner == IMPORT or (after == _EQUALS and last) or end - start > _MAX_NAME:
            continue
        if end in kinds:
            kind = kinds[end]
        elif after == _OPENING:
            kind = "call"
        else:
            kind = "annotation" if annotations is not None and annotations.at(start) == 1 else "name"
        line += source.count(b"\n", at, start)
        at = start
        result[end] = _reference((texts[name], line, kind, owner, texts[receiver]))


def _after(source: bytes, end: int) -> int:
    """The bracket or the lone equals sign after a name, perhaps apart from it; 0 where there is none."""
    found = _AFTER.match(source, end)
    return found[1][0] if found else 0


def _kinds(found: Mapping[str, Sequence[Node]]) -> dict[int, ReferenceKind]:
    """What bases and decorators are, by where their names end."""
    kinds: dict[int, ReferenceKind] = {}
    for node in found.get("bases", ()):
        for child in node.children:
            if (end := _name_end(child)) is not None:
                kinds[end] = "base"
    for node in found.get("decorator", ()):
        if (end := _name_end(node)) is not None:
            kinds[end] = "decorator"
    return kinds


def _name_end(node: Node) -> int | None:
    """Where the name ends that a base or a decorator stands for: `Base`, `module.Base`, `Base[T]`, `Base(…)`."""
    part: Node | None = node
    while part is not None and part.type in ("call", "subscript", "generic_type"):
        part = next(iter(part.named_children), None)
    return part.end_byte if part is not None and part.type in ("identifier", "attribute") else None


def _add_forward(result: dict[int, Reference], nodes: Sequence[Node], source: bytes, known: Scopes) -> None:
    """Names in annotations that are written as strings."""
    for node in nodes:
        start = node.start_byte
        text = source[start : node.end_byte]
        if not _FORWARD.fullmatch(text) or _LITERAL.search(source, max(0, start - _MAX_BEFORE), start):
            continue
        owner, line = known.owners.at(start), node.start_point[0] + 1
        for word in _WORDS.finditer(text):
            if word[1] or word[2] not in known.ignored:
                receiver = (word[1] or b"").decode("utf-8", "replace")
                name = word[2].decode("utf-8", "replace")
                result[start + word.end()] = Reference(name, line, "annotation", owner, receiver)
