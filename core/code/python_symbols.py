"""The symbols of a Python source, from one query over its tree and the bytes that the found nodes span.

Python objects are what costs: a tree of a large project has millions of nodes, and walking it in Python takes many
times as long as parsing. So one compiled query picks the nodes; what it can't say cheaply (whether a name is called,
which one stands before its dot, which function it lies in) is read from the bytes next to it or from sorted spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from . import trees
from .languages import PYTHON
from .mentions import mentions
from .python_definitions import defined
from .python_headers import docstring
from .python_imports import imports_of
from .python_references import references
from .python_runs import calmed
from .symbols import FileSymbols, Import
from .unreadable import count_lines, unreadable

if TYPE_CHECKING:
    from tree_sitter import Node


def extract_python(data: bytes, path: str) -> FileSymbols:
    """The symbols of a Python source in whatever state.

    Args:
        data: the whole file.
        path: tells with the content what encoding it has.
    """
    source = trees.plain(data, path)
    calm = calmed(source)
    tree = trees.bounded_tree_of(calm.source, PYTHON)
    if tree is None:
        return unreadable(PYTHON.name, source)
    root = tree.root_node
    found = trees.captures(PYTHON, root)
    known = defined(found, source)
    imports = tuple(_imports(trees.in_order(found.get("import", ())), source))
    used = references(found, source, known, imports)
    used.update(mentions(source, root, PYTHON, known.pieces, calm.comments))
    return FileSymbols(
        language=PYTHON.name,
        docstring=docstring(root, source),
        definitions=tuple(known.definitions),
        references=tuple(map(used.__getitem__, sorted(used))),
        imports=imports,
        lines=count_lines(source),
        broken=root.has_error,
    )


def _imports(nodes: Sequence[Node], source: bytes) -> Iterator[Import]:
    for node in nodes:
        text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        yield from imports_of(text, node.start_point[0] + 1)
