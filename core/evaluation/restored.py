"""Judges a restoration: the stripped definitions have docstrings or annotations again, and nothing else has changed."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from .command_check import one_line
from .python_trees import FUNCTIONS, Definition, comments, definitions, docstring, parsed, same
from .stripping import Kind, parameters, without
from .task import Verdict

_TYPING = frozenset(["typing", "typing_extensions", "collections.abc", "types", "__future__"])


@dataclass(frozen=True, slots=True)
class RestoredCheck:
    """Compares one file's trees and comments; layout doesn't count.

    Attributes:
        file: relative to the top.
        original: the file before it was stripped.
        places: of the stripped definitions in the list of all.
    """

    file: str
    original: bytes
    places: tuple[int, ...]
    kind: Kind

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Compare; annotations are scored against the original ones in the detail, whether they count or not."""
        lines = _lines_between(Root(before).read(self.file).data, self.original) if self.kind == "annotations" else None
        try:
            data = Root(after).read(self.file).data
            fault, score = self._judged(data)
        except (ValueError, Refused) as error:
            fault, score = f"{self.file}: {error}", ""
        return Verdict(not fault, one_line(fault or score), lines)

    def _judged(self, data: bytes) -> tuple[str, str]:
        """What is wrong, and the score."""
        old, new = parsed(self.original), parsed(data)
        if self.kind == "annotations":
            lost = _imports_apart(old) - _imports_apart(new)
            if lost:
                return "an import is gone", ""
        before, after = definitions(old), definitions(new)
        if [name for name, _ in before] != [name for name, _ in after]:
            return "the file has other definitions than before", ""
        if not same(without(old, self.places, self.kind), without(new, self.places, self.kind)):
            return f"something else than the {self.kind} that were asked for has changed", ""
        if comments(self.original) != comments(data):
            return "comments have changed", ""
        pairs = [(*before[place], after[place][1]) for place in self.places]
        if self.kind == "docstrings":
            missing = [name for name, _, node in pairs if not _says_something(node)]
            return f"no docstring: {', '.join(missing)}" if missing else "", f"{len(pairs)} restored"
        return _scored(pairs)


def _says_something(node: Definition) -> bool:
    found = docstring(node)
    return found is not None and bool(str(getattr(found.value, "value", "")).strip())


def _scored(pairs: Sequence[tuple[str, Definition, Definition]]) -> tuple[str, str]:
    missing: list[str] = []
    alike = total = 0
    for name, old, new in pairs:
        for (part, expected), (_, found) in zip(_annotations(old), _annotations(new), strict=True):
            if expected is None:
                continue
            total += 1
            alike += found is not None and same(_read(expected), _read(found))
            if found is None:
                missing.append(f"{name} ({part})")
    return f"no annotation: {', '.join(missing)}" if missing else "", f"{alike} of {total} as they were"


def _annotations(node: Definition) -> list[tuple[str, ast.expr | None]]:
    """Each parameter's annotation and the result's, by name."""
    assert isinstance(node, FUNCTIONS)
    return [*((each.arg, each.annotation) for each in parameters(node)), ("return", node.returns)]


def _read(annotation: ast.expr) -> ast.expr:
    """What an annotation says; one in quotes says what stands in them."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            body = parsed(annotation.value.strip().encode()).body
        except ValueError:
            return annotation
        if len(body) == 1 and isinstance(body[0], ast.Expr):
            return body[0].value
    return annotation


def _imports_apart(tree: ast.Module) -> set[tuple[str, str, str]]:
    """Take typing's imports and blocks for type checkers out of a module's top; gives what they bring in.

    Annotations may need more of them; what is there stays there.
    """
    taken = [node for node in tree.body if _is_typing(node)]
    tree.body = [node for node in tree.body if not _is_typing(node)]
    parts = [part for node in taken for part in (node.body if isinstance(node, ast.If) else [node])]
    return {
        (getattr(part, "module", None) or "", each.name, each.asname or "")
        for part in parts
        if isinstance(part, (ast.Import, ast.ImportFrom))
        for each in part.names
    }


def _is_typing(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        test = node.test
        name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
        is_plain = all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in node.body)
        return name == "TYPE_CHECKING" and is_plain and not node.orelse
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and node.module in _TYPING
    return isinstance(node, ast.Import) and all(each.name in _TYPING for each in node.names)


def _lines_between(before: bytes, after: bytes) -> int | None:
    """Lines that the restoration removes and adds, where it doesn't change their number."""
    old, new = before.splitlines(), after.splitlines()
    return 2 * sum(a != b for a, b in zip(old, new, strict=True)) if len(old) == len(new) else None
