"""Reads Python that a stranger wrote as syntax trees, and compares them without recursion.

Our own interpreter's `ast` decides here, not tree-sitter: a check of success asks whether two programs are the same,
and for that layout, comments and quotes have to be gone. Nothing is compiled or run.
"""

from __future__ import annotations

import ast
import io
import threading
import tokenize
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_FILTERS = threading.Lock()

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)

Allowance = Callable[[Any, Any], "list[tuple[Any, Any]] | bool | None"]
"""Judges a pair of nodes or values in place of the comparison: what has to be the same in their stead, a verdict, or
None where it has no opinion."""


def parsed(data: bytes) -> ast.Module:
    """The tree of a file, its byte order mark and declared encoding heeded.

    Raises:
        ValueError: it can't be parsed by our interpreter, or nests deeper than that can hold.
    """
    # A filter that turns warnings into errors would make an odd escape a syntax error.
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(data)
        except SyntaxError as error:
            raise ValueError(f"line {error.lineno or 1} can't be parsed: {error.msg}") from None
        except (RecursionError, MemoryError):
            raise ValueError("it nests too deep to be parsed") from None


def same(before: Any, after: Any, allowance: Allowance | None = None) -> bool:  # noqa: ANN401 - nodes, lists, constants
    """Whether two trees, lists of them or constants are equal; where they stand in their files doesn't count.

    Args:
        allowance: is asked first about each pair.
    """
    pending: list[tuple[Any, Any]] = [(before, after)]
    while pending:
        old, new = pending.pop()
        judged = allowance(old, new) if allowance is not None else None
        if judged is False:
            return False
        if judged is True:
            continue
        parts = judged if judged is not None else _parts(old, new)
        if parts is None:
            return False
        pending += parts
    return True


def _parts(old: Any, new: Any) -> list[tuple[Any, Any]] | None:  # noqa: ANN401
    """The pairs that have to be the same for two values to be; None where they aren't."""
    if type(old) is not type(new):
        return None
    if isinstance(old, ast.AST):
        return [(getattr(old, name, None), getattr(new, name, None)) for name in old._fields]
    if isinstance(old, list):
        return list(zip(old, new, strict=True)) if len(old) == len(new) else None  # pyright: ignore
    # 0.0 and -0.0 are equal and not the same; no NaN can be written.
    return [] if old == new and repr(old) == repr(new) else None


def definitions(tree: ast.Module) -> list[tuple[str, Definition]]:
    """All functions and classes with their dotted names, in the order of the source."""
    found: list[tuple[str, Definition]] = []
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        prefix, node = pending.pop()
        if isinstance(node, DEFINITIONS):
            prefix = f"{prefix}.{node.name}" if prefix else node.name
            found.append((prefix, node))
        pending += [(prefix, child) for child in reversed(list(ast.iter_child_nodes(node)))]
    return found


def docstring(node: ast.AST) -> ast.Expr | None:
    """The statement that is a definition's or a module's docstring."""
    body: list[ast.stmt] = getattr(node, "body", [])
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def comments(data: bytes) -> list[str]:
    """The comments of a file that can be parsed, in order.

    Raises:
        ValueError: it can't be taken apart.
    """
    return [each.string for each in _tokens(data) if each.type == tokenize.COMMENT]


def _tokens(data: bytes) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.tokenize(io.BytesIO(data).readline)
    except (SyntaxError, tokenize.TokenError, RecursionError) as error:
        raise ValueError(f"can't be taken apart: {error}") from None
