r"""Texts and numbers by what they mean, so that the way they are quoted or spelled doesn't count.

Only what every version of Python agrees upon is seen through: the quotes, the case of a prefix, a needless `\'`,
the `u` of a text, and the case of a number. Other escapes stay as they are written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_QUOTES = (b"'", b'"')


def number(source: bytes) -> bytes:
    """A number without the case of its letters."""
    return source.lower()


def prefix_of(string: Node, text: bytes) -> bytes:
    """The letters before the quotes, in lower case and in order; `u` says nothing in Python 3."""
    first = string.children[0]
    letters = text[first.start_byte : first.end_byte].rstrip(b"'\"").lower()
    return bytes(sorted(letters.replace(b"u", b"")))


def unquoted(body: bytes, prefix: bytes) -> bytes:
    r"""What stands between the quotes, with `\'` and `\"` as the quotes that they mean."""
    if b"r" in prefix or b"\\" not in body:
        return body
    return _ESCAPE.sub(lambda match: match[1] if match[1] in _QUOTES else match[0], body)


def wording(docstring: bytes) -> bytes:
    """A docstring's lines as PEP 257 reads them: formatters change how they are indented, and nothing else."""
    lines = [b" ".join(line.split(b"\t")).strip() for line in docstring.strip().split(b"\n")]
    return b"\n".join(lines)
