"""Says whether a Python source can be parsed, for a project whose Python may be newer or older than ours.

Two judges are heard. Our interpreter knows every rule, but of one version only; tree-sitter knows all
versions, but is lenient. So:

    our interpreter compiles it             no problem, whatever tree-sitter says
    both object                             problems of both
    only our interpreter, on a sure rule    a problem: indentation, or a rule that no version ever relaxed
    only our interpreter, otherwise         none: it is probably syntax of a newer Python

The checks that run at the end use the project's own interpreter; this one catches a broken edit early.
"""

from __future__ import annotations

import threading
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import trees
from .text import PYTHON_SUFFIXES

if TYPE_CHECKING:
    import ast

    from tree_sitter import Tree

_MAX_PROBLEMS = 20
_MAX_QUOTE = 40
"""Characters of the source in a message."""
# Beginnings of CPython's messages (3.11 to 3.14) for what no version of Python 3 allows.
_SURE = (
    "Missing parentheses in call to",
    "cannot assign to",
    "cannot delete",
    "expected 'except' or 'finally' block",
    "expected an indented block",
    "expression cannot contain assignment",
    "keyword argument repeated",
    "leading zeros in decimal integer",
    "non-default argument follows default",
    "parameter without a default follows",
    "positional argument follows keyword",
)
# `warnings` has one list of filters for all threads.
_FILTERS = threading.Lock()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that keeps a source from being parsed; lines count from 1."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What both judges say. `ours` is None when our interpreter compiles the source, or gave up."""

    ours: Problem | None
    is_sure: bool
    tree: tuple[Problem, ...]

    def problems(self) -> tuple[Problem, ...]:
        if self.ours is None or not (self.is_sure or self.tree):
            return ()
        return (self.ours, *(problem for problem in self.tree if problem.line != self.ours.line))


_CLEAN = _Verdict(None, is_sure=False, tree=())


def problems(data: bytes, path: str) -> tuple[Problem, ...]:
    """What keeps a Python source from being parsed; nothing for other files.

    Args:
        data: the whole file.
        path: its name's end tells the language.
    """
    return _judge(data, path).problems()


def breaks(before: bytes | None, after: bytes, path: str) -> Problem | None:
    """A problem that a change brings in.

    In a file that was broken already, only more errors than before count: our interpreter stops at the first
    one, so that mending it may show the next.

    Args:
        before: the file before the change; None for a new file.
        after: the file after it.
        path: its name's end tells the language.
    """
    now = _judge(after, path)
    found = now.problems()
    if not found:
        return None
    then = _CLEAN if before is None else _judge(before, path)
    if then.problems():
        return _added(then.tree, now.tree)
    if then.ours and now.ours and then.ours.message == now.ours.message and now.tree:
        return now.tree[0]  # what our interpreter doesn't know was there before
    return found[0]


def _added(then: tuple[Problem, ...], now: tuple[Problem, ...]) -> Problem | None:
    if len(now) <= len(then):
        return None
    fresh = Counter(problem.message for problem in now) - Counter(problem.message for problem in then)
    return next(problem for problem in now if problem.message in fresh)


def _judge(data: bytes, path: str) -> _Verdict:
    if not path.endswith(PYTHON_SUFFIXES):
        return _CLEAN
    error = _compile_error(data)
    if error is None:
        return _CLEAN
    ours = Problem(error.lineno or 1, error.msg)
    is_sure = isinstance(error, IndentationError) or error.msg.startswith(_SURE) or _is_late(data)
    return _Verdict(ours, is_sure, tuple(_tree_problems(trees.parse(data, path))))


def _is_late(data: bytes) -> bool:
    """Whether the grammar accepts it, and only a later pass objects, as to `return` outside a function."""
    return _compile_error(data, only_parse=True) is None


def _compile_error(data: bytes, *, only_parse: bool = False) -> SyntaxError | None:
    import ast

    flags = ast.PyCF_ONLY_AST if only_parse else 0
    # A filter that turns warnings into errors would make an odd escape a syntax error.
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(data, "<source>", "exec", flags, dont_inherit=True)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError):
            return None  # NUL bytes, or nested beyond what the interpreter can hold: no judgement
    return None


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of our own interpreter, which takes longer than compiling; None where it can't parse the text."""
    import ast

    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _tree_problems(tree: Tree) -> list[Problem]:
    """The errors of a tree, topmost first, without those inside another."""
    found: list[Problem] = []
    pending = [tree.root_node]
    while pending and len(found) < _MAX_PROBLEMS:
        node = pending.pop()
        line = node.start_point.row + 1
        if node.is_missing:
            found.append(Problem(line, f"missing {node.type!r}"))
        elif node.is_error:
            text = (node.text or b"")[: 4 * _MAX_QUOTE].decode("utf-8", "replace").strip().split("\n")[0]
            found.append(Problem(line, f"can't be parsed from `{text[:_MAX_QUOTE]}` on"))
        elif node.has_error:
            pending.extend(reversed(node.children))
    return found
