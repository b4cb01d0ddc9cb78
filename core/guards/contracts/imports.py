"""`imports`: nothing but import statements differs.

At the top of a module imports may be sorted, grouped, split, added and removed. A name that stays bound has to
come from where it came from, and a new one mustn't hide a definition or a built-in name. `import *` keeps its
order, and `__future__` stays. Elsewhere an import may move only within its own suite: a function may lose one, and
other suites (a `try:`, an `if`) keep theirs.

Here imports are read and taken out; the rules are in `import_rules.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .source import Item, Source

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """One name of an import statement.

    Attributes:
        module: with its leading dots.
        name: what is taken from the module; empty where it is the module itself, `*` for everything.
        alias: what it is called here, where that differs.
    """

    module: str
    name: str = ""
    alias: str = ""

    @property
    def bound(self) -> str:
        """The name that the file can use."""
        return self.alias or self.name or self.module.partition(".")[0]

    @property
    def origin(self) -> tuple[str, str]:
        """Where the bound name comes from; `import a.b` binds `a`."""
        return (self.module if self.name or self.alias else self.bound, self.name)

    def __str__(self) -> str:
        alias = f" as {self.alias}" if self.alias else ""
        return f"from {self.module} import {self.name}{alias}" if self.name else f"import {self.module}{alias}"


def taken_out(source: Source) -> Iterator[int]:
    """The places of all imports."""
    return (place for place, item in enumerate(source.items) if item.kind == "import" and not item.is_broken)


def atoms(source: Source, item: Item) -> list[Atom]:
    """The names of an import statement, in its order."""
    node = item.nodes[0]
    module = node.child_by_field_name("module_name")
    found: list[Atom] = []
    for child in node.children:
        if child.type == "wildcard_import":
            found.append(Atom(_text(source, module), "*"))
        elif child.type in ("dotted_name", "aliased_import") and child != module:
            name, alias = _text(source, child), ""
            if child.type == "aliased_import":
                name = _text(source, child.child_by_field_name("name"))
                alias = _text(source, child.child_by_field_name("alias"))
            if node.type == "import_statement":
                found.append(Atom(name, "", alias))
            else:
                origin = "__future__" if node.type == "future_import_statement" else _text(source, module)
                found.append(Atom(origin, name, alias))
    return found


def _text(source: Source, node: Node | None) -> str:
    text = source.text[node.start_byte : node.end_byte] if node else b""
    return b"".join(text.replace(b"\\\n", b"").split()).decode("utf-8", "replace")
