"""Grammars, loaded when first needed: tree-sitter reads every version of a language, and broken files.

Grammars that aren't installed are None, never an error: only Python's is a dependency. They are imported by their
module's own name, so that nothing ever fetches one.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orefactor.sandbox.errors import Refused

from .languages import PYTHON, LanguageRow
from .text import decode, shown

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

_BOM = b"\xef\xbb\xbf"
_QUERIES = Path(__file__).with_name("queries")
_BY_START = attrgetter("start_byte")
_MAX_UNNAMED = 1000
"""Brackets and words of the grammar in a row, under one node."""
_FREE_STEPS = 2000
_STEPS_PER_BYTE = 0.15
"""A step is a hundred operations of the parser. Dense sources take 0.05 for each byte, usual ones 0.005."""
_NEVER_LONG = 10_000
"""Bytes, whose square takes no time either; counting steps costs a twentieth of it."""
_CHUNK = 1 << 16
_HEAD = 400
"""Bytes within which a declared encoding is looked for; whoever writes a longer first line is read the slow way."""


def parse(data: bytes, path: str, row: LanguageRow = PYTHON) -> Tree:
    r"""The syntax tree of a source, as UTF-8 with `\n` ends, so that rows are the lines a model sees.

    Never fails: what is refused as text is read as Latin-1, which has a character for every byte.

    Args:
        data: the whole file.
        path: tells with the content what encoding it has.
        row: its language, whose grammar must be installed.
    """
    return tree_of(plain(data, path), row)


def tree_of(source: bytes, row: LanguageRow) -> Tree:
    """The syntax tree of what `plain` gave."""
    from tree_sitter import Parser

    # A parser must not be shared by threads; the language may be.
    return Parser(_language(row)).parse(source)


def bounded_tree_of(source: bytes, row: LanguageRow) -> Tree | None:
    """The same, or None where parsing takes far more steps than sources of that length do.

    What is no source of the language at all, such as a page of markup, can take quadratic time. Steps are counted, not
    seconds, so that the outcome is the same everywhere.
    """
    from tree_sitter import Parser

    if len(source) <= _NEVER_LONG:
        return tree_of(source, row)
    steps = 0

    def stops(_offset: int, _has_error: bool, /) -> bool:
        nonlocal steps
        steps += 1
        return steps > _FREE_STEPS + len(source) * _STEPS_PER_BYTE

    def read(offset: int, _point: tuple[int, int], /) -> bytes:
        return source[offset : offset + _CHUNK]

    try:
        return Parser(_language(row)).parse(read, progress_callback=stops)
    except ValueError:
        return None


def captures(row: LanguageRow, root: Node) -> dict[str, list[Node]]:
    """What the row's query finds below a node: the nodes of each capture, in any order; `in_order` sorts them."""
    return _captures(_query(row), root)


def in_order(nodes: Sequence[Node]) -> list[Node]:
    """Nodes in the order of the file.

    Since 0.25 the binding hands them out of a set, in another order each time.
    """
    return sorted(nodes, key=_BY_START)


def matches(row: LanguageRow, root: Node) -> list[dict[str, list[Node]]]:
    """The same, as one mapping from captures to nodes for each place that a pattern fits, in the order of the file."""
    from tree_sitter import QueryCursor

    return [found for part in _parts(root) for _, found in QueryCursor(_query(row)).matches(part)]


def texts(row: LanguageRow, root: Node) -> list[Node]:
    """The comments and strings below a node, in the order of the file."""
    return in_order(_captures(_texts_query(row), root).get("text", ()))


def plain(data: bytes, path: str) -> bytes:
    """The bytes that `parse` reads, to which its offsets point."""
    if _is_plain(data):
        return data
    try:
        text = decode(data, path).text
    except Refused:
        text = data.decode("latin-1")
    return shown(text).encode()


@functools.cache
def is_installed(row: LanguageRow) -> bool:
    """Whether the row's grammar can be loaded here; nothing of it is imported."""
    try:
        return importlib.util.find_spec(row.grammar) is not None
    except ImportError:
        return False


def _is_plain(data: bytes) -> bool:
    """Whether the bytes are what they would be made into: nearly all files, and decoding them is slow."""
    head = data[:_HEAD]
    if b"\r" in data or b"\0" in data or b"coding" in head or head.startswith(_BOM) or head.count(b"\n") < 2:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _captures(query: Query, root: Node) -> dict[str, list[Node]]:
    from tree_sitter import QueryCursor

    result: dict[str, list[Node]] = {}
    for part in _parts(root):
        for name, nodes in QueryCursor(query).captures(part).items():
            result.setdefault(name, []).extend(nodes)
    return result


def _parts(root: Node) -> list[Node]:
    """What to query: the whole tree, or of one with a wide error only the nodes without errors.

    A query looks for the next named sibling of each node, which takes quadratic time where thousands of others follow:
    what a parser makes of a megabyte of brackets.
    """
    if not root.has_error or not any(map(_is_wide, _broken(root))):
        return [root]
    return [child for node in _broken(root) for child in node.named_children if not child.has_error]


def _broken(root: Node) -> Iterator[Node]:
    """The nodes with errors in them."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(child for child in node.children if child.has_error)


def _is_wide(node: Node) -> bool:
    if node.child_count <= _MAX_UNNAMED:
        return False
    runs = itertools.groupby(node.children, key=attrgetter("is_named"))
    return any(not is_named and sum(1 for _ in run) > _MAX_UNNAMED for is_named, run in runs)


@functools.cache
def _language(row: LanguageRow) -> Language:
    from tree_sitter import Language

    module: Any = importlib.import_module(row.grammar)
    grammar: object = module.language()
    return Language(grammar)


@functools.cache
def _query(row: LanguageRow) -> Query:
    from tree_sitter import Query

    return Query(_language(row), "".join((_QUERIES / f"{name}.scm").read_text("utf-8") for name in row.queries))


@functools.cache
def _texts_query(row: LanguageRow) -> Query:
    from tree_sitter import Query

    return Query(_language(row), f"[{' '.join(f'({kind})' for kind in row.texts)}] @text")
