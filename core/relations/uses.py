"""Who uses a definition: every place that refers to it, under whatever name imports give it there.

A use is certain where names and imports alone tell what it means. One that is only possible is an attribute of
something whose class nobody knows: it has the name, and nothing speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..code.symbols import Import, Reference
from .neighbours import MOST_FILES, is_test_path, owner_class, relatives
from .resolution import OWN_RECEIVERS, Elsewhere, Meaning, Module, Resolver, Symbol

UseKind = Literal["call", "base", "decorator", "annotation", "name", "id", "import"]
_LONGEST = 2000
"""Characters of a line that is looked into."""
_MOST_NAMES = 16
"""Other names under which a definition is handed on by imports."""


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """One place that refers to something.

    Attributes:
        line: from 1.
        target: the node id of what it refers to; where only possible, of the first that it may be.
        owner: the position in the file's definitions of what it stands in; -1 at the top.
        is_certain: whether names and imports alone tell so.
    """

    path: str
    line: int
    target: str
    kind: UseKind
    owner: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Uses:
    """Every use that was found, by path and line.

    Attributes:
        unseen: how many files that hold the name were not looked through.
    """

    found: tuple[Use, ...]
    unseen: int = 0


def uses_of(resolver: Resolver, targets: Collection[Symbol]) -> Uses:
    """Every place that refers to one of these definitions."""
    aim = _Aim(resolver, targets)
    names, asked, paths = set(aim.names), set[str](), set(aim.paths)
    while names - asked:
        fresh, asked = sorted(names - asked), set(names)
        paths.update(path for at in resolver.index.referring(fresh).values() for path in at)
        taken = sorted(paths)[:MOST_FILES]
        resolver.load(taken)
        given = {alias for path in taken for alias in aim.aliases_in(path, names)}
        names.update(sorted(given)[: max(0, _MOST_NAMES - len(names) + len(aim.names))])
    found = {use for path in sorted(paths)[:MOST_FILES] for use in aim.uses_in(path, names)}
    return Uses(tuple(sorted(found)), max(0, len(paths) - MOST_FILES))


def using_tests(resolver: Resolver, uses: Sequence[Use]) -> Mapping[str, Use]:
    """The tests among the certain uses, by `path::name` (or the path), each with its first use."""
    found: dict[str, Use] = {}
    for use in uses:
        if use.is_certain and use.kind != "import" and is_test_path(use.path):
            owner = resolver.symbol(use.path, use.owner)
            found.setdefault(owner.node_id if owner else use.path, use)
    return found


class _Aim:
    """What is looked for."""

    def __init__(self, resolver: Resolver, targets: Collection[Symbol]) -> None:
        self._resolver = resolver
        self.names = {target.definition.name for target in targets}
        self.paths = {target.path for target in targets}
        self._ids = {target.node_id for target in targets}
        # By name, since targets may have several: what a possible use of the name may be.
        self._members: dict[str, str] = {}
        self._open: dict[str, str] = {}
        for target in sorted(targets, key=lambda each: each.node_id):
            if owner_class(resolver, target) is not None:
                self._members.setdefault(target.definition.name, target.node_id)
            if resolver.is_open(target.path):
                self._open.setdefault(target.definition.name, target.node_id)
        self._valued: dict[tuple[str, str, str], bool] = {}
        self._family = {kin.node_id for target in targets for kin in relatives(resolver, target)}

    def uses_in(self, path: str, names: Collection[str]) -> Iterator[Use]:
        file = self._resolver.file(path)
        for reference in file.references if file else ():
            if reference.name in names:
                meaning = self._resolver.meaning(path, reference)
                certain = self._aimed(meaning)
                target = certain or self._possible(path, reference, meaning)
                if target:
                    yield Use(path, reference.line, target, reference.kind, reference.owner, bool(certain))
        for given in file.imports if file else ():
            target = self._aimed(self._given(path, given)) if given.name in names else ""
            if target:
                yield Use(path, given.line, target, "import", -1, is_certain=True)

    def aliases_in(self, path: str, names: Collection[str]) -> Iterator[str]:
        """The other names that a file's imports give to what is looked for."""
        file = self._resolver.file(path)
        for given in file.imports if file else ():
            is_other = given.name in names and given.alias and given.alias not in names
            if is_other and self._aimed(self._given(path, given)):
                yield given.alias

    def _given(self, path: str, given: Import) -> Meaning:
        return self._resolver.exported(path, given.alias or given.name or "")

    def _aimed(self, meaning: Meaning) -> str:
        return meaning.node_id if isinstance(meaning, Symbol) and meaning.node_id in self._ids else ""

    def _possible(self, path: str, reference: Reference, meaning: Meaning) -> str:
        """What a reference may mean that has the name but no certain meaning."""
        member = self._members.get(reference.name, "")
        if isinstance(meaning, Module | Elsewhere):
            return ""
        if isinstance(meaning, Symbol):
            # A call through a base or on `self` reaches what overrides it.
            return member if meaning.node_id in self._family else ""
        if member and self._is_of_object(path, reference) and not self._is_own_value(path, reference):
            return member
        unknown = self._open.get(reference.name, "")
        return unknown if not reference.receiver and self._resolver.is_open(path) else ""

    def _is_of_object(self, path: str, reference: Reference) -> bool:
        """Whether it is an attribute of something that may be an object."""
        if reference.receiver:
            return not isinstance(self._resolver.holder(path, reference), Module)
        return self._resolver.lines.before(path, reference.line, reference.name) is not None

    def _is_own_value(self, path: str, reference: Reference) -> bool:
        """Whether the class around gives the name a value of its own, as in `self.area = 3`."""
        klass = self._resolver.own_class(path, reference.owner) if reference.receiver in OWN_RECEIVERS else None
        if klass is None:
            return False
        place = (klass.node_id, reference.receiver, reference.name)
        if place not in self._valued:
            spelled = rf"\b{re.escape(reference.receiver)}\.{re.escape(reference.name)}\s*(?::[^=]*)?=(?!=)"
            lines = self._resolver.lines.of(path)[klass.definition.start_line - 1 : klass.definition.end_line]
            self._valued[place] = any(re.search(spelled, line[:_LONGEST]) for line in lines)
        return self._valued[place]
