"""Takes docstrings or annotations out of chosen definitions of a Python source; the rest stays, to the byte.

A definition is stripped only where that is sure: what comes out has to be the same tree without them, and the same
comments. The places come from `ast`, whose columns count bytes of UTF-8; so only such files are stripped.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator
from typing import Any, Literal

from .python_trees import FUNCTIONS, Definition, Function, comments, definitions, docstring, parsed, same

Kind = Literal["docstrings", "annotations"]

_Cut = tuple[int, int, bytes]
"""From which byte to which one, and what comes in place of them."""


def candidates(tree: ast.Module, kind: Kind) -> list[int]:
    """The places, in the list of definitions, of those that have something to strip and a name of their own.

    Args:
        tree: of a whole file.
    """
    found = definitions(tree)
    names = [name for name, _ in found]
    twice = {name for name in names if names.count(name) > 1} if len(names) < 2000 else set(names)
    fits = _has_docstring if kind == "docstrings" else _has_annotations
    return [place for place, (name, node) in enumerate(found) if name not in twice and fits(node)]


def stripped(source: bytes, places: Collection[int], kind: Kind) -> bytes | None:
    """The source without the docstrings or annotations of some definitions; None where that can't be done surely."""
    try:
        tree = parsed(source)
        source.decode()
        starts = _line_starts(source)
        cut = _cuts_docstring if kind == "docstrings" else _cuts_annotations
        chosen = [node for place, (_, node) in enumerate(definitions(tree)) if place in places]
        cuts = [each for node in chosen for each in cut(source, starts, node)]
        result = _applied(source, cuts)
        sure = same(without(tree, places, kind), parsed(result)) and comments(source) == comments(result)
    except ValueError:
        return None
    return result if sure and result != source else None


def without(tree: ast.Module, places: Collection[int], kind: Kind) -> ast.Module:
    """A copy of a tree without the docstrings or annotations of some definitions."""
    # Not `deepcopy` of the whole: only what changes is new.
    chosen = {id(node) for place, (_, node) in enumerate(definitions(tree)) if place in places}
    return _Copy(chosen, kind).of(tree)


class _Copy:
    """Copies nodes, without what is to go."""

    def __init__(self, chosen: Collection[int], kind: Kind) -> None:
        self._chosen = chosen
        self._kind = kind

    def of(self, tree: ast.Module) -> ast.Module:
        """The copy; the tree itself stays as it is."""
        top = copy.copy(tree)
        pending: list[ast.AST] = [top]
        while pending:
            node = pending.pop()
            for name, value in ast.iter_fields(node):
                if isinstance(value, ast.AST):
                    setattr(node, name, made := self._made(value))
                    pending.append(made)
                elif isinstance(value, list):
                    parts = self._all(value)  # pyright: ignore[reportUnknownArgumentType] - of nodes and names
                    setattr(node, name, parts)
                    pending += [part for part in parts if isinstance(part, ast.AST)]
        return top

    def _all(self, nodes: list[Any]) -> list[Any]:
        return [self._made(node) for node in nodes]

    def _made(self, node: Any) -> Any:  # noqa: ANN401 - a node, or a part of one
        made = copy.copy(node)
        if id(node) not in self._chosen:
            return made
        if self._kind == "docstrings" and docstring(made):
            made.body = made.body[1:]
        elif self._kind == "annotations" and isinstance(made, FUNCTIONS):
            made.returns = None
            made.args = _bare(made.args)
        return made


def parameters(function: Function) -> list[ast.arg]:
    """All parameters, in the order of the source."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        positional.append(arguments.vararg)
    positional += arguments.kwonlyargs
    return [*positional, *([arguments.kwarg] if arguments.kwarg else [])]


def _bare(arguments: ast.arguments) -> ast.arguments:
    def bare(argument: ast.arg) -> ast.arg:
        made = copy.copy(argument)
        made.annotation = None
        return made

    made = copy.copy(arguments)
    made.posonlyargs = [bare(each) for each in arguments.posonlyargs]
    made.args = [bare(each) for each in arguments.args]
    made.kwonlyargs = [bare(each) for each in arguments.kwonlyargs]
    made.vararg = bare(arguments.vararg) if arguments.vararg else None
    made.kwarg = bare(arguments.kwarg) if arguments.kwarg else None
    return made


def _has_docstring(node: Definition) -> bool:
    """Whether there is one, and a body without it."""
    found = docstring(node)
    return found is not None and len(node.body) > 1 and len(str(getattr(found.value, "value", "")).split()) > 1


def _has_annotations(node: Definition) -> bool:
    if not isinstance(node, FUNCTIONS):
        return False
    return any(each.annotation is not None for each in parameters(node))


def _line_starts(source: bytes) -> list[int]:
    r"""Where each line begins, as the interpreter counts lines: `\r` alone ends one, too."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _at(source: bytes, starts: list[int], line: int | None, column: int | None) -> int:
    """The byte at a place; a byte order mark stands before the first column."""
    mark = 3 if line == 1 and source.startswith(b"\xef\xbb\xbf") else 0
    return starts[(line or 1) - 1] + (column or 0) + mark


def _span(source: bytes, starts: list[int], node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
    start = _at(source, starts, node.lineno, node.col_offset)
    return start, _at(source, starts, node.end_lineno, node.end_col_offset)


def _cuts_docstring(source: bytes, starts: list[int], node: Definition) -> Iterator[_Cut]:
    """The lines of the docstring."""
    found = docstring(node)
    if found is None:
        return
    start, end = _span(source, starts, found)
    head, tail = starts[found.lineno - 1], starts[found.end_lineno or found.lineno]
    if source[head:start].strip() or source[end:tail].strip():
        raise ValueError("it shares its lines with something else")
    yield head, tail, b""


def _cuts_annotations(source: bytes, starts: list[int], node: Definition) -> Iterator[_Cut]:
    assert isinstance(node, FUNCTIONS)
    defaults = _defaults(node)
    for each in parameters(node):
        if each.annotation is None:
            continue
        start = _at(source, starts, each.lineno, each.col_offset) + len(each.arg.encode())
        end = _span(source, starts, each.annotation)[1]
        default = defaults.get(each)
        if default is None:
            yield start, end, b""
            continue
        value = _span(source, starts, default)[0]
        between = source[end:value]
        # `x: int = 3` becomes `x=3`; a bracket around one of them stays where it is and makes it unsure.
        yield (start, value, b"=") if between.strip() == b"=" else (start, end, b"")
    if node.returns is not None:
        start, end = _span(source, starts, node.returns)
        arrow = source.rfind(b"->", 0, start)
        yield len(source[:arrow].rstrip()) if source[arrow - 1 : arrow].isspace() else arrow, end, b""


def _defaults(function: Function) -> dict[ast.arg, ast.expr]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    given = dict(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return given | {each: default for each, default in named if default is not None}


def _applied(source: bytes, cuts: Collection[_Cut]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end, text in sorted(cuts):
        if start < at:
            raise ValueError("two places overlap")
        parts += [source[at:start], text]
        at = end
    return b"".join([*parts, source[at:]])
