"""Finds the tests of a source by the conventions of pytest and unittest, and tells which files hold any."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..sides import Side
from .forms import Canonical, Form, form, text_of
from .parts import Definition, Part, Parts, take_apart

if TYPE_CHECKING:
    from tree_sitter import Node

_FOLDERS = frozenset(["test", "tests"])
_CLASS_NAMES = ("Test", "Tests", "TestCase")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A test function or a class of tests.

    Attributes:
        path: the file's path, after the change where the file was renamed.
        name: the dotted name, with renamed names made the same.
        parts: its statements in file order; none for a class.
        is_collected: whether pytest collects files of that name by default.
    """

    path: str
    name: str
    definition: Definition
    parts: tuple[Part, ...]
    is_collected: bool

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return self.definition.kind == "class"

    @property
    def line(self) -> int:
        """Where it begins, counted from 1."""
        return self.definition.line

    @property
    def source(self) -> bytes:
        """All of it, as written, without decorators."""
        return self.definition.node.text or b""

    def body(self, canonical: Canonical) -> Form:
        """What two tests of other names must share to be the same one."""
        nodes = [child for child in self.definition.node.named_children if child.type not in ("identifier", "comment")]
        return tuple(piece for node in nodes for piece in form(node, canonical))


@dataclass(frozen=True, slots=True)
class PythonFile:
    """One side of a changed Python file, taken apart.

    Attributes:
        path: its path on this side.
        place: its path after the change.
    """

    path: str
    place: str
    source: Parts

    @property
    def is_test_file(self) -> bool:
        """Whether tests, or what serves them, stand there."""
        return is_test_file(self.path)


def read_python(side: Side, place: str) -> PythonFile:
    """Take one side of a changed file apart."""
    return PythonFile(side.path, place, take_apart(side.data, side.path))


def is_test_file(path: str) -> bool:
    """Whether a file of this path holds tests or serves them, by its name or a folder's."""
    *folders, name = path.split("/")
    return is_collected(path) or name == "conftest.py" or not _FOLDERS.isdisjoint(folders)


def is_collected(path: str) -> bool:
    """Whether pytest collects the file by default."""
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    return suffix == ".py" and (stem.startswith("test_") or stem.endswith("_test"))


def find_cases(files: Iterable[PythonFile], canonical: Canonical) -> list[Case]:
    """The tests of those files that hold any, in file order, classes included."""
    return [case for file in files if file.is_test_file for case in _in_file(file, canonical)]


def helper_parts(files: Iterable[PythonFile]) -> list[tuple[str, Part]]:
    """The statements of test files that belong to no test, with their files' paths."""
    return [
        (file.path, part)
        for file in files
        if file.is_test_file
        for part in file.source.parts
        if not _is_test(part.owner.unit if part.owner else None)
    ]


def bases(definition: Definition) -> list[Node]:
    """The base classes of a class; `object` says nothing."""
    arguments = definition.node.child_by_field_name("superclasses")
    return [base for base in arguments.named_children if text_of(base) != "object"] if arguments else []


def _in_file(file: PythonFile, canonical: Canonical) -> Iterable[Case]:
    parts: defaultdict[Definition, list[Part]] = defaultdict(list)
    for part in file.source.parts:
        if part.owner and (unit := part.owner.unit):
            parts[unit].append(part)
    for definition in file.source.definitions:
        if _is_test(definition) or _is_test_class(definition):
            name = ".".join(map(canonical, definition.qualified_name.split(".")))
            yield Case(file.place, name, definition, tuple(parts[definition]), is_collected(file.path))


def _is_test(definition: Definition | None) -> bool:
    return (
        definition is not None
        and definition.kind == "function"
        and definition.outer is None
        and definition.name.startswith("test")
    )


def _is_test_class(definition: Definition) -> bool:
    if definition.kind != "class" or definition.outer is not None:
        return False
    named = definition.name.startswith("Test") or definition.name.endswith(_CLASS_NAMES)
    return named or any("TestCase" in text_of(base) for base in bases(definition))
