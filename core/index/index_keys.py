"""The names under which an index finds a file: what its definitions answer to, and what it mentions.

Every index must agree on them, so they stand here and nowhere else.
"""

from __future__ import annotations

import re

from ..code.symbols import Definition, FileSymbols
from ..code.words import fold

_PATH = re.compile(r"[/\\]|::")


def answers_to(definition: Definition) -> list[str]:
    """The folded names that a definition answers to, each once; never an empty one."""
    name, qualified_name = fold(definition.name), fold(definition.qualified_name)
    return [each for each in ([name] if name == qualified_name else [name, qualified_name]) if each]


def mentioned(symbols: FileSymbols) -> list[str]:
    """The names that a file refers to or imports, and the last segments of the modules that it imports, sorted.

    A module that is written as a path (`./shapes.js`, `geo/shapes.h`, `geo::shapes`) goes by the last part of it, with
    and without what follows its first and its last dot.
    """
    found = {reference.name for reference in symbols.references}
    for imported in symbols.imports:
        if imported.name is not None:
            found.add(imported.name)
        last = _PATH.split(imported.module)[-1]
        found |= {last, last.rpartition(".")[2]}
        if symbols.language != "python":
            found |= {last.partition(".")[0], last.rpartition(".")[0]}
    return sorted(found - {"", "*"})
