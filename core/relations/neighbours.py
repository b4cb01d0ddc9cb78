"""How definitions and files of one tree hang together: classes and members, what code uses, who imports what.

Everything is found by what names and imports alone tell (`resolution.py`); who uses a definition is in `uses.py`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection

from ..code.symbols import Import
from .resolution import Resolver, Symbol

MOST_FILES = 2000
"""Files that are looked through for one question; a name that more of them hold is everybody's."""
_PACKAGE = ("/__init__.py", "/index.js", "/index.ts", "/mod.rs")
_TEST_NAME = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*(?:_test|_spec|\.test|\.spec|Tests?)|conftest)\.\w+$")
_TEST_FOLDERS = frozenset(["test", "tests", "__tests__", "spec"])


def is_test_path(path: str) -> bool:
    """Whether a file holds tests or serves them, by its name or a folder's, in any language."""
    return bool(_TEST_NAME.search(path)) or not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def owner_class(resolver: Resolver, target: Symbol) -> Symbol | None:
    """The class that a definition directly belongs to, so that it is reached through objects."""
    outer = target.definition.qualified_name.rpartition(".")[0]
    found = resolver.named(target.path, outer) if outer else None
    return found if found and found.definition.kind == "class" else None


def relatives(resolver: Resolver, target: Symbol) -> list[Symbol]:
    """The members of the same name in the classes above and below that of a member, by node id."""
    klass = owner_class(resolver, target)
    if klass is None:
        return []
    named = resolver.index.defining([target.definition.name]).get(target.definition.name, ())[:MOST_FILES]
    resolver.load([path for path, _ in named])
    above = {each.node_id for each in resolver.lineage(klass)}
    kin: dict[str, Symbol] = {}
    for other in filter(None, (resolver.symbol(*place) for place in named)):
        home = owner_class(resolver, other)
        if home is None or other.node_id == target.node_id:
            continue
        if home.node_id in above or any(each.node_id == klass.node_id for each in resolver.lineage(home)):
            kin[other.node_id] = other
    return [kin[node] for node in sorted(kin)]


def callees_of(resolver: Resolver, path: str, lines: tuple[int, int]) -> list[tuple[Symbol, int]]:
    """The definitions of the tree that the code in these lines of a file uses, each with the first line that does."""
    file = resolver.file(path)
    found: dict[str, tuple[Symbol, int]] = {}
    for reference in file.references if file else ():
        if lines[0] <= reference.line <= lines[1]:
            meaning = resolver.meaning(path, reference)
            if isinstance(meaning, Symbol) and not _is_inside(meaning, path, lines):
                found.setdefault(meaning.node_id, (meaning, reference.line))
    return list(found.values())


def _is_inside(symbol: Symbol, path: str, lines: tuple[int, int]) -> bool:
    definition = symbol.definition
    return symbol.path == path and lines[0] <= definition.start_line and definition.end_line <= lines[1]


def importers_of(resolver: Resolver, paths: Collection[str]) -> dict[str, int]:
    """The files that import one of these files, or something of it, each with the first line that does."""
    own = frozenset(paths)
    candidates = sorted(_can_import(resolver, own))[:MOST_FILES]
    resolver.load(candidates)
    found: dict[str, int] = {}
    for path in candidates:
        file = resolver.file(path)
        given = file.imports if file and path not in own else ()
        lines = [each.line for each in given if _reaches(resolver, path, each, own)]
        if lines:
            found[path] = min(lines)
    return found


def imported_by(resolver: Resolver, path: str) -> dict[str, int]:
    """The files of the tree that a file imports, each with the first line that does."""
    file = resolver.file(path)
    found: dict[str, int] = {}
    for given in file.imports if file else ():
        for target in _leads_to(resolver, path, given):
            found.setdefault(target, given.line)
    found.pop(path, None)
    return found


def _can_import(resolver: Resolver, paths: Collection[str]) -> set[str]:
    """The files that may import one of these: those that name its module, and for a package those inside it."""
    names = {posixpath.splitext(posixpath.basename(path))[0] for path in paths}
    folders = {posixpath.dirname(path) for path in paths if path.endswith(_PACKAGE)}
    names |= {posixpath.basename(folder) for folder in folders}
    found = {path for at in resolver.index.referring(sorted(names)).values() for path in at}
    inside = (path for folder in folders for path in resolver.index.paths if path.startswith(f"{folder}/"))
    return found | {path for path in inside if path.endswith(".py")}


def _reaches(resolver: Resolver, path: str, given: Import, own: frozenset[str]) -> bool:
    return not own.isdisjoint(_leads_to(resolver, path, given))


def _leads_to(resolver: Resolver, path: str, given: Import) -> tuple[str, ...]:
    """The file that an import names; of `from package import module` the module."""
    if given.name not in (None, "*"):
        dotted = f"{given.module}{given.name}" if given.module.endswith(".") else f"{given.module}.{given.name}"
        inner = resolver.modules.resolve(dotted, path) if path.endswith((".py", ".pyi")) else ()
        if inner:
            return inner
    return resolver.modules.resolve(given.module, path)
