"""What a Python import statement imports, read from its text: a statement's grammar is small, and files have many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .symbols import Import

_FROM = re.compile(r"from\b([\s\\.\w]*?)\bimport\b")
_NAME = re.compile(r"#[^\n]*|\n|\*|([\w.]+)(?:[\s\\]+as[\s\\]+(\w+))?")


def imports_of(statement: str, line: int) -> Iterator[Import]:
    """The names that one statement imports.

    Args:
        statement: its text, comments included.
        line: where it begins.
    """
    head = _FROM.match(statement)
    if head is None:
        for name, alias, at in _names(statement.removeprefix("import"), line):
            yield Import(name, None, alias or name, at)
        return
    module = re.sub(r"[\s\\]+", "", head[1])
    start = line + statement.count("\n", 0, head.end())
    for name, alias, at in _names(statement[head.end() :], start):
        yield Import(module, name, "" if name == "*" else alias or name, at)


def _names(text: str, line: int) -> Iterator[tuple[str, str, int]]:
    for found in _NAME.finditer(text):
        if found[1] or found[0] == "*":
            yield found[1] or "*", found[2] or "", line
        line += found[0].count("\n")
