"""Two checks of "make method X of class C a top-level function": the benchmark's own counts, and a strict comparison.

The benchmark counts nodes: a function of about the method's size is there, and the class has shrunk by about as much.
Strictly, the file is the same but for this: the method is gone, a function of its name stands at the top, its body is
the method's, and what was called through `self` is called by its name. The function may have lost the parameter `self`,
or have kept it and be given `self` in each call. Indentation of docstrings is layout; every other string is content.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .method_move import Move
from .python_trees import FUNCTIONS, Function, docstring, same

_BINDING = ("staticmethod", "classmethod")
_TOLERANCE = 10
"""Percent that counts of nodes may differ."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the benchmark's own test says of a task: nodes of the method and of its class before."""

    method: int
    owner: int


def counted_fault(after: ast.Module, move: Move, counts: Counts) -> str:
    """What the benchmark's own test would object to; empty where it passes.

    As `verify_refactor` in aider's `benchmark/refactor_tools.py`, which the tests in the archive call.
    """
    function = _first(after, (ast.FunctionDef,), move.method)
    if function is None or function not in after.body:
        return f"{move.method} is no top-level function"
    if _differs(size := _size(function), counts.method):
        return f"the method had {counts.method} nodes, the function has {size}"
    owner = _first(after, (ast.ClassDef,), move.owner)
    if owner is None:
        return f"the class {move.owner} is gone"
    if _differs(size := _size(owner), counts.owner - counts.method):
        return f"the class had {counts.owner} nodes, and has {size} without the method"
    return ""


def strict_fault(before: ast.Module, after: ast.Module, move: Move) -> str:
    """How the result differs from the move that was asked for; empty where it is that move.

    Raises:
        ValueError: the file before has no such method.
    """
    task = _Task.of(before, move)
    places = [place for place, node in enumerate(after.body) if _is_namesake(node, move)]
    if len(places) == 1:
        # A function of that name that stood at the top already may give way: two of one name can't be meant.
        before = ast.Module([node for node in before.body if not _is_namesake(node, move)], before.type_ignores)
    if len(places) <= sum(_is_namesake(node, move) for node in before.body):
        return f"there is no new top-level function {move.method}"
    faults = [_fault(task, before, after, place) for place in places]
    return "" if "" in faults else faults[0]


def _is_namesake(node: ast.stmt, move: Move) -> bool:
    return isinstance(node, FUNCTIONS) and node.name == move.method


def needed_lines(before: ast.Module, move: Move) -> int:
    """Lines that the move adds and removes: the method's twice, its calls' twice, and the empty lines around it.

    Raises:
        ValueError: the file before has no such method.
    """
    task = _Task.of(before, move)
    method = task.method
    first = min([method.lineno, *(each.lineno for each in method.decorator_list)])
    lines = {line for call in task.own for line in range(call.lineno, (call.end_lineno or call.lineno) + 1)}
    return 2 * ((method.end_lineno or first) - first + 1) + 2 * len(lines) + 3


@dataclass(frozen=True, slots=True)
class _Task:
    """The method in the tree before.

    Attributes:
        own: attributes that name it through `self` or `cls` in its class and in those that inherit it: they have to
            change.
        foreign: such attributes where another definition counts: they have to stay. All others may do either.
    """

    owner: ast.ClassDef
    method: Function
    own: frozenset[ast.Attribute] = field(default_factory=frozenset[ast.Attribute])
    foreign: frozenset[ast.Attribute] = field(default_factory=frozenset[ast.Attribute])

    @staticmethod
    def of(tree: ast.Module, move: Move) -> _Task:
        for owner in ast.walk(tree):
            method = _method(owner, move.method) if isinstance(owner, ast.ClassDef) else None
            if isinstance(owner, ast.ClassDef) and owner.name == move.owner and method is not None:
                own, foreign = _uses(tree, owner, move.method)
                return _Task(owner, method, own, foreign)
        raise ValueError(f"there is no method {move.method} of a class {move.owner}")

    @property
    def binding(self) -> str:
        """`staticmethod` or `classmethod`, where it is decorated so."""
        names = [each.id for each in self.method.decorator_list if isinstance(each, ast.Name)]
        return next((name for name in names if name in _BINDING), "")


def _method(owner: ast.ClassDef, name: str) -> Function | None:
    return next((node for node in owner.body if isinstance(node, FUNCTIONS) and node.name == name), None)


def _uses(
    tree: ast.Module, owner: ast.ClassDef, name: str
) -> tuple[frozenset[ast.Attribute], frozenset[ast.Attribute]]:
    inheriting = {owner.name}
    own: set[ast.Attribute] = set()
    foreign: set[ast.Attribute] = set()
    # In the order of the source, so that a class comes after those that it inherits from.
    classes = sorted((each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)), key=lambda each: each.lineno)
    for each in classes:
        if each is owner or (_method(each, name) is None and inheriting & _bases(each)):
            inheriting.add(each.name)
            own.update(_through_self(each, name))
        elif _method(each, name) is not None and each.name != owner.name:
            inheriting.discard(each.name)
            foreign.update(_through_self(each, name))
    return frozenset(own - foreign), frozenset(foreign - own)


def _bases(owner: ast.ClassDef) -> set[str]:
    return {base.id for base in owner.bases if isinstance(base, ast.Name)}


def _through_self(owner: ast.ClassDef, name: str) -> Iterator[ast.Attribute]:
    for node in ast.walk(owner):
        if isinstance(node, ast.Attribute) and node.attr == name and _is_self(node.value):
            yield node


def _is_self(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def _fault(task: _Task, before: ast.Module, after: ast.Module, place: int) -> str:
    function = after.body[place]
    assert isinstance(function, FUNCTIONS)
    keeps = _keeps_first(task, function)
    if keeps is None:
        return f"{function.name} has other parameters, decorators or annotations than the method had"
    calls = _Calls(task, keeps=keeps)
    if not same(_without_docstring(task.method), _without_docstring(function), calls.allow):
        return f"the body of {function.name} isn't the method's"
    if _cleaned(task.method) != _cleaned(function):
        return f"the docstring of {function.name} isn't the method's"
    rest = [*after.body[:place], *after.body[place + 1 :]]
    if not same(before.body, rest, calls.allow):
        return "something else than the method and its callers is different"
    return ""


def _keeps_first(task: _Task, function: Function) -> bool | None:
    """Whether the function has the method's first parameter; None where its head differs otherwise."""
    method = task.method
    decorators = [each for each in method.decorator_list if not (isinstance(each, ast.Name) and each.id in _BINDING)]
    old = (type(method), decorators, method.returns, _parameters(method.args))
    new = (type(function), function.decorator_list, function.returns, _parameters(function.args))
    if old[0] is not new[0] or not same(list(old[1:3]), list(new[1:3])):
        return None
    bare = _parameters(method.args)
    positional = bare[0] or bare[1]
    if positional and task.binding != "staticmethod":
        del positional[0]
        if same(bare, new[3]):
            return False
    return task.binding != "staticmethod" if same(old[3], new[3]) else None


def _parameters(arguments: ast.arguments) -> list[list[Any]]:
    """The parameters by kind, in lists that may be changed."""
    return [
        list(arguments.posonlyargs),
        list(arguments.args),
        [arguments.vararg],
        list(arguments.kwonlyargs),
        list(arguments.kw_defaults),
        [arguments.kwarg],
        list(arguments.defaults),
    ]


def _without_docstring(function: Function) -> list[ast.stmt]:
    return function.body[1:] if docstring(function) else function.body


def _cleaned(function: Function) -> str | None:
    found = docstring(function)
    return inspect.cleandoc(str(getattr(found.value, "value", ""))) if found else None


@dataclass(frozen=True, slots=True)
class _Calls:
    """What may differ in the rest of the file.

    Attributes:
        keeps: whether the function kept its first parameter, so that each call has to give it.
    """

    task: _Task
    keeps: bool

    def allow(self, old: Any, new: Any) -> list[tuple[Any, Any]] | bool | None:  # noqa: ANN401 - nodes and values
        if old is self.task.owner.body:
            return [(self._rest(), new)]
        if isinstance(old, ast.Call) and isinstance(old.func, ast.Attribute) and old.func.attr == self.task.method.name:
            return self._call(old, old.func, new)
        if isinstance(old, ast.Attribute) and old.attr == self.task.method.name and isinstance(new, ast.Name):
            return old not in self.task.foreign and not self.keeps and new.id == old.attr
        return self._must_change(old)

    def _rest(self) -> list[ast.stmt]:
        """The class's body without the method; a class can't be empty."""
        return [node for node in self.task.owner.body if node is not self.task.method] or [ast.Pass()]

    def _must_change(self, node: Any) -> bool | None:  # noqa: ANN401
        return False if isinstance(node, ast.Attribute) and node in self.task.own else None

    def _call(self, old: ast.Call, named: ast.Attribute, new: Any) -> list[tuple[Any, Any]] | bool | None:  # noqa: ANN401
        """A call through an object is one by name, with the object in front where the function wants it."""
        if not isinstance(new, ast.Call) or not isinstance(new.func, ast.Name) or new.func.id != named.attr:
            return self._must_change(named)
        given = [named.value, *old.args] if self.keeps else old.args
        return [(given, new.args), (old.keywords, new.keywords)] if named not in self.task.foreign else False


def _first(tree: ast.Module, kinds: tuple[type[ast.stmt], ...], name: str) -> Any:  # noqa: ANN401 - a node
    return next(
        (node for node in ast.walk(tree) if isinstance(node, kinds) and getattr(node, "name", "") == name), None
    )


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _differs(size: int, expected: int) -> bool:
    return abs(size - expected) * 100 >= _TOLERANCE * abs(expected)
