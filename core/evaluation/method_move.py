"""The right change for "make method X of class C a top-level function", computed from the syntax tree.

This is what an oracle means to do in aider's refactor benchmark. Everything else of the file stays as it is, and every
string keeps its value: lines inside of a string of several lines are not moved to the left. What the class looks like
at run time (mangled names, subclasses elsewhere that override the method) is no matter of this change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..code.edits import whole_file
from ..code.text import decode, shown
from .fragments import plain_lines, without_first_parameter

_INSTRUCTION = re.compile(r"Refactor the `(?P<method>\w+)` method in the `(?P<owner>\w+)` class")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Move:
    """Which method becomes a function.

    Attributes:
        owner: the class's name.
    """

    owner: str
    method: str


@dataclass(frozen=True, slots=True)
class _Places:
    """The statement at the top that holds the class, the class, and its method."""

    top: ast.stmt
    owner: ast.ClassDef
    method: Function


def read_move(task: str) -> Move | None:
    """The move that a task's text asks for in the benchmark's words; None where it asks for something else."""
    found = _INSTRUCTION.search(" ".join(task.split()))
    return Move(found["owner"], found["method"]) if found else None


def moved_to_top(source: bytes, path: str, move: Move) -> bytes:
    """The file after the move.

    The function stands below the class, with the method's decorators and without its first parameter; what the class
    and its subclasses in this file call through `self` is called by its name. A function that has this name at the top
    already gives way: two of one name can't be meant.

    Args:
        source: a Python file.

    Raises:
        Refused: it is no text, or what comes out can't be written in its encoding.
        ValueError: it can't be parsed, or has no such method.
    """
    text = _without_namesakes(shown(decode(source, path).text), move)
    tree = ast.parse(text)
    places = _find(tree, move)
    lines = _with_calls_renamed(text.split("\n"), tree, places, move)
    first, last = _extent(places.method, lines)
    function = _as_function(lines[first : last + 1], places.method)
    end = _end_of_block(lines, places.top)
    rest = _without(lines, first, last, places)
    end += len(rest) - len(lines)
    return whole_file(source, path, "\n".join([*rest[:end], "", "", *function, *rest[end:]]))


def _find(tree: ast.Module, move: Move) -> _Places:
    for top in tree.body:
        for owner in ast.walk(top):
            if not isinstance(owner, ast.ClassDef) or owner.name != move.owner:
                continue
            for method in owner.body:
                if isinstance(method, Function) and method.name == move.method:
                    return _Places(top, owner, method)
    raise ValueError(f"there is no method {move.method} of a class {move.owner}")


def _without_namesakes(text: str, move: Move) -> str:
    lines = text.split("\n")
    for each in reversed(ast.parse(text).body):
        if isinstance(each, Function) and each.name == move.method:
            first, last = _extent(each, lines)
            while lines[last + 1 : last + 2] == [""]:
                last += 1
            del lines[first : last + 1]
    return "\n".join(lines)


def _with_calls_renamed(lines: list[str], tree: ast.Module, places: _Places, move: Move) -> list[str]:
    """The lines with `self.X` as `X`; the number of lines stays, so that the tree's places hold."""
    changed = list(lines)
    found = {(each.lineno, each.col_offset): each for each in _uses(tree, places.owner, move.method)}
    for _, use in sorted(found.items(), reverse=True):
        first, last = use.lineno - 1, (use.end_lineno or use.lineno) - 1
        head = changed[first].encode()[: use.col_offset].decode()
        tail = changed[last].encode()[use.end_col_offset :].decode()
        # A use that is broken over several lines leaves no empty ones in a bracket; they do no harm there.
        changed[first : last + 1] = [f"{head}{move.method}{tail}", *[""] * (last - first)]
    return changed


def _uses(tree: ast.Module, owner: ast.ClassDef, method: str) -> Iterator[ast.Attribute]:
    """The places that name the method through `self` or `cls`, in the class and in what inherits it from there."""
    inheriting = {owner.name}
    for each in ast.walk(tree):
        if not isinstance(each, ast.ClassDef):
            continue
        overrides = any(isinstance(part, Function) and part.name == method for part in each.body)
        bases = {base.id for base in each.bases if isinstance(base, ast.Name)}
        if each is not owner and (overrides or not bases & inheriting):
            continue
        inheriting.add(each.name)
        for use in ast.walk(each):
            if isinstance(use, ast.Attribute) and use.attr == method and _is_own(use.value):
                yield use


def _is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def _extent(method: Function, lines: list[str]) -> tuple[int, int]:
    """The lines of the method, counted from 0, with its decorators and the comments that stand right above it."""
    first = min([method.lineno, *(decorator.lineno for decorator in method.decorator_list)]) - 1
    margin = lines[first][: method.col_offset]
    while first and lines[first - 1].startswith(f"{margin}#"):
        first -= 1
    return first, (method.end_lineno or method.lineno) - 1


def _as_function(lines: list[str], method: Function) -> list[str]:
    kind = next((each.id for each in method.decorator_list if isinstance(each, ast.Name) and each.id in _BINDING), "")
    margin = method.col_offset
    plain = plain_lines(lines)
    # Never more than what is white: comments and continued lines may stand further to the left.
    shifted = [
        line[min(margin, len(line) - len(line.lstrip())) :] if place in plain else line
        for place, line in enumerate(lines)
    ]
    shifted = [line for line in shifted if line.strip() != f"@{kind}" or not kind]
    return shifted if kind == "staticmethod" else without_first_parameter(shifted)


_BINDING = ("staticmethod", "classmethod")


def _end_of_block(lines: list[str], top: ast.stmt) -> int:
    """How many lines belong to the block, with the comments that stand indented below it."""
    end = top.end_lineno or top.lineno
    for place in range(end, len(lines)):
        line = lines[place]
        if line[:1] in (" ", "\t") and line.strip().startswith("#"):
            end = place + 1
        elif line.strip():
            break
    return end


def _without(lines: list[str], first: int, last: int, places: _Places) -> list[str]:
    """The lines without the method and without the empty ones that set it off."""
    body = places.owner.body
    if body == [places.method]:
        return [*lines[:first], f"{lines[first][: places.method.col_offset]}pass", *lines[last + 1 :]]
    above, below = lines[:first], lines[last + 1 :]
    if body[-1] is places.method:
        while above and not above[-1].strip():
            above.pop()
    else:
        while below and not below[0].strip():
            below.pop(0)
    return above + below
