"""Python's grammar, loaded when first needed: tree-sitter reads every version of Python, and broken files."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from orefactor.sandbox.errors import Refused

from .text import decode, shown

if TYPE_CHECKING:
    from tree_sitter import Language, Tree


def parse(data: bytes, path: str) -> Tree:
    r"""The syntax tree of a Python source, as UTF-8 with `\n` ends, so that rows are the lines a model sees.

    Never fails: what is refused as text is read as Latin-1, which has a character for every byte.
    """
    from tree_sitter import Parser

    # A parser must not be shared by threads; the language may be.
    return Parser(_language()).parse(plain(data, path))


def plain(data: bytes, path: str) -> bytes:
    """The bytes that `parse` reads, to which its offsets point."""
    try:
        text = decode(data, path).text
    except Refused:
        text = data.decode("latin-1")
    return shown(text).encode()


@functools.cache
def _language() -> Language:
    import tree_sitter_python
    from tree_sitter import Language

    return Language(tree_sitter_python.language())
