"""What a name in a file means: which definition or module of the tree, by a language's rules as far as they reach.

Nothing is guessed here: a name that only running the code would tell (an attribute of a variable) has no meaning, and
whoever wants candidates for it finds them by the name alone. Values are not followed; imports, classes and bases are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..code.symbols import Import, Reference
from ..index.symbol_index import SymbolIndex
from .modules import Modules
from .source_lines import SourceLines
from .symbol_files import Symbol as Symbol
from .symbol_files import SymbolFiles

OWN_RECEIVERS = frozenset(["self", "cls", "this", "super", "Self", "@"])
"""What the object or class that a method belongs to is called inside it."""
_DEPTH = 12
"""Imports or bases that are followed one after another; more are a loop or nobody's code."""
_MOST_CLASSES = 100
"""Classes that one inherits from, directly or not."""
_OPEN = frozenset(["go", "java", "c", "cpp", "csharp", "ruby", "php", "rust"])
"""Languages where a name of another file needs no import that names it."""


@dataclass(frozen=True, slots=True)
class Module:
    """A file, as what an import gives."""

    path: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Something outside the tree."""


Meaning = Symbol | Module | Elsewhere | None
"""None: the text alone does not tell."""


class Resolver(SymbolFiles):
    """Reads what names mean in one tree; what was looked up is kept, so one object serves one question."""

    def __init__(self, index: SymbolIndex, read: Callable[[str], bytes | None] | None = None) -> None:
        """Nothing is looked up yet.

        Args:
            read: gives a file's content, where there is a faster way to it than the index has.
        """
        super().__init__(index)
        self.modules = Modules(index.paths)
        self.lines = SourceLines(read or index.source)
        self._exports: dict[tuple[str, str], Meaning] = {}
        self._base_names: dict[str, dict[int, list[Reference]]] = {}
        self._bases: dict[str, tuple[Symbol, ...]] = {}
        self._lineages: dict[str, tuple[Symbol, ...]] = {}

    def meaning(self, path: str, reference: Reference) -> Meaning:
        """What a reference means."""
        if reference.kind in ("base", "decorator"):
            reference = reference._replace(owner=self._around(path, reference.owner))
        if reference.receiver:
            return self.member(self.holder(path, reference), reference.name)
        chain = self.lines.before(path, reference.line, reference.name)
        if chain is None:
            return self.plain(path, reference.name, reference.owner)
        return self._followed(path, chain, reference) if chain else None

    def _around(self, path: str, position: int) -> int:
        """The position of what a definition stands in: its bases and decorators are looked up there."""
        outer = list(itertools.islice(self.scopes(path, position), 2))
        return outer[1].position if len(outer) == 2 else -1

    def _followed(self, path: str, chain: Sequence[str], reference: Reference) -> Meaning:
        """What `a.b.name` means; packages may be named on the way that nothing but an import of `a.b` brings."""
        first, *rest = chain
        own = first in OWN_RECEIVERS
        found = self.own_class(path, reference.owner) if own else self.plain(path, first, reference.owner)
        if found is None and self._is_package(path, chain):
            package = self.modules.resolve(".".join(chain), path)
            found, rest = Module(package[0]) if package else None, []
        for name in (*rest, reference.name):
            found = self.member(found, name)
        return found

    def _is_package(self, path: str, chain: Sequence[str]) -> bool:
        """Whether an import names the beginning of this chain; folders without a file of their own mean nothing."""
        file = self.file(path)
        return file is not None and any(each.name is None and each.module == ".".join(chain) for each in file.imports)

    def holder(self, path: str, reference: Reference) -> Meaning:
        """What stands before the dot of a reference."""
        if reference.receiver in OWN_RECEIVERS:
            return self.own_class(path, reference.owner)
        return self.plain(path, reference.receiver, reference.owner)

    def own_class(self, path: str, owner: int) -> Symbol | None:
        """The innermost class around a place."""
        return next((scope for scope in self.scopes(path, owner) if scope.definition.kind == "class"), None)

    def plain(self, path: str, name: str, owner: int) -> Meaning:
        """What a name without a dot means at a place: what is around it, then the file's own, then its imports."""
        file = self.file(path)
        if file is None:
            return None
        tops = self.positions(path)
        for depth, scope in enumerate(self.scopes(path, owner)):
            # The names of a class can be seen in its own body, but not in that of its methods.
            inner = tops.get(f"{scope.definition.qualified_name}.{name}")
            if inner is not None and (depth == 0 or scope.definition.kind != "class" or file.language != "python"):
                return self.symbol(path, inner)
        return self.exported(path, name)

    def exported(self, path: str, name: str, depth: int = 0) -> Meaning:
        """What a name means at a file's top: what the file defines, or imports, from wherever that comes."""
        key = (path, name)
        if key not in self._exports and depth <= _DEPTH:
            # Files that import each other ask for it again while it is looked up.
            self._exports[key] = None
            self._exports[key] = self.named(path, name) or self._brought(path, name, depth)
        return self._exports.get(key)

    def _brought(self, path: str, name: str, depth: int) -> Meaning:
        """What a name means by an import of the file."""
        imports = self.imports(path)
        if name in imports.named:
            return self._imported(path, imports.named[name], name, depth)
        if name.startswith("_"):
            return None
        targets = (target for module in imports.whole for target in self.modules.resolve(module, path))
        found = (self.exported(target, name, depth + 1) for target in targets if target != path)
        return next((meaning for meaning in found if meaning is not None), None)

    def _imported(self, path: str, given: Import, name: str, depth: int) -> Meaning:
        targets = self.modules.resolve(given.module, path)
        if given.name is None:
            plain = given.module.partition(".")[0]
            if name == plain and "." in given.module and given.alias != name:
                targets = self.modules.resolve(plain, path)
                return Module(targets[0]) if targets else self._without_file(given, path)
            return Module(targets[0]) if targets else Elsewhere()
        return self._from_module(path, given, targets, depth) or (None if targets else Elsewhere())

    def _without_file(self, given: Import, path: str) -> Meaning:
        return None if self.modules.resolve(given.module, path) else Elsewhere()

    def _from_module(self, path: str, given: Import, targets: Collection[str], depth: int) -> Meaning:
        name = given.name or ""
        for target in targets:
            found = self.exported(target, name, depth + 1) if target != path else self.named(path, name)
            if found is not None:
                return found
        dotted = f"{given.module}{name}" if given.module.endswith(".") else f"{given.module}.{name}"
        inner = self.modules.resolve(dotted, path) if path.endswith((".py", ".pyi")) else ()
        return Module(inner[0]) if inner else None

    def member(self, holder: Meaning, name: str) -> Meaning:
        """What an attribute of something means."""
        match holder:
            case Module(path):
                return self.exported(path, name) or self._submodule(path, name)
            case Symbol() if holder.definition.kind == "class":
                return next((found for klass in self.lineage(holder) if (found := self._own(klass, name))), None)
            case Elsewhere():
                return holder
            case _:
                return None

    def _submodule(self, path: str, name: str) -> Module | None:
        inner = self.modules.resolve(f".{name}", path) if path.endswith("__init__.py") else ()
        return Module(inner[0]) if inner else None

    def _own(self, klass: Symbol, name: str) -> Symbol | None:
        return self.named(klass.path, f"{klass.definition.qualified_name}.{name}")

    def lineage(self, klass: Symbol) -> Iterable[Symbol]:
        """A class and those that it inherits from, each once, nearest first."""
        known = self._lineages.get(klass.node_id)
        if known is not None:
            return known
        found, waiting = {klass.node_id: klass}, [klass]
        while waiting and len(found) < _MOST_CLASSES:
            fresh = [base for base in self.bases(waiting.pop(0)) if base.node_id not in found]
            found.update((base.node_id, base) for base in fresh)
            waiting += fresh
        lineage = self._lineages[klass.node_id] = tuple(found.values())
        return lineage

    def bases(self, klass: Symbol) -> Sequence[Symbol]:
        """The classes of the tree that a class names as its bases."""
        known = self._bases.get(klass.node_id)
        if known is None:
            meanings = (
                self.meaning(klass.path, each) for each in self._named_bases(klass.path).get(klass.position, ())
            )
            classes = [base for base in meanings if isinstance(base, Symbol) and base.definition.kind == "class"]
            known = self._bases[klass.node_id] = tuple(classes)
        return known

    def _named_bases(self, path: str) -> Mapping[int, list[Reference]]:
        """The references of a file that name bases, by the position of the class."""
        known = self._base_names.get(path)
        if known is None:
            known = self._base_names[path] = {}
            file = self.file(path)
            for reference in file.references if file else ():
                if reference.kind == "base":
                    known.setdefault(reference.owner, []).append(reference)
        return known

    def is_open(self, path: str) -> bool:
        """Whether a name of this file may come from another one without an import that names it."""
        file = self.file(path)
        return file is not None and file.language in _OPEN
