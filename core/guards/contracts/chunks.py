"""The parts of a module that can be moved: its statements, and the members of its classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .annotations import type_checking
from .source import Item, Source

_CLAUSES = frozenset(["elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"])
_DEFINITIONS = frozenset(["function_definition", "class_definition"])


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """One statement at the top of a module or of a class, with everything below it.

    Attributes:
        path: the file it stands in; for a renamed file the new name, on both sides.
        items: without imports; never empty.
        name: of a definition, dotted; else the source of what is assigned, or nothing.
        holder: the dotted name of the class that it is a member of.
    """

    path: str
    source: Source
    items: tuple[Item, ...]
    name: str
    holder: str = ""

    @property
    def line(self) -> int:
        """The first line, from 1."""
        return self.items[0].line

    @property
    def head(self) -> Item:
        """The item that says what it is, behind the decorators."""
        return next((item for item in self.items if item.form != "decorator"), self.items[0])

    @property
    def is_movable(self) -> bool:
        """Whether it is a function, a class or an assignment: what has an effect by itself stays where it is."""
        return self.head.form in _DEFINITIONS or bool(self.name)

    @property
    def home(self) -> str:
        """The place that it may not leave; empty where it may."""
        return "" if self.is_movable else f"{self.path}:{self.holder}"

    @property
    def raw(self) -> bytes:
        """The source from the first item to the last."""
        return self.source.text[self.items[0].start : self.items[-1].end]


def chunks(path: str, source: Source) -> list[Chunk]:
    """The statements at the top of a module, without imports and `if TYPE_CHECKING:` blocks of them."""
    blocks = type_checking(source)
    items = [item for place, item in enumerate(source.items) if place not in blocks and item.kind != "import"]
    return list(_split(path, source, items, ""))


def members(chunk: Chunk) -> tuple[tuple[Item, ...], list[Chunk]]:
    """A class as its head with the decorators, and its members."""
    stop = next(place for place, item in enumerate(chunk.items, 1) if item is chunk.head)
    return chunk.items[:stop], list(_split(chunk.path, chunk.source, chunk.items[stop:], chunk.name))


def _split(path: str, source: Source, items: Sequence[Item], holder: str) -> Iterator[Chunk]:
    start = 0
    for place, item in enumerate(items):
        follows = place == start or items[place - 1].form == "decorator" or item.form in _CLAUSES
        if item.depth == items[0].depth and not follows:
            yield _chunk(path, source, items[start:place], holder)
            start = place
    if items:
        yield _chunk(path, source, items[start:], holder)


def _chunk(path: str, source: Source, items: Sequence[Item], holder: str) -> Chunk:
    head = next((item for item in items if item.form != "decorator"), items[0])
    name = ""
    if head.form in _DEFINITIONS and head.owner is not None:
        name = head.owner.name
    elif head.form == "expression_statement" and head.nodes[0].children[0].type == "assignment":
        target = head.nodes[0].children[0].children[0]
        name = source.text[target.start_byte : target.end_byte].decode("utf-8", "replace")
    return Chunk(path, source, tuple(items), name, holder)
