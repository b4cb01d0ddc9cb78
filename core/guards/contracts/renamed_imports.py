"""Pairs the imports of two files whose names were changed; sorting may have put them in another order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .contract import Fault
from .imports import Atom, atoms
from .remainder import Remainder
from .renamed_names import Pair
from .source import Item


@dataclass(frozen=True, slots=True)
class ImportPair:
    """One imported name before and after, with the statements that it stands in."""

    old: Atom
    new: Atom
    item: Item
    new_item: Item

    @property
    def words(self) -> frozenset[Pair]:
        """The parts of the module and the name that differ; the alias is the file's own."""
        return frozenset(
            (old.encode(), new.encode())
            for old, new in zip(_words(self.old), _words(self.new), strict=True)
            if old != new
        )


def _words(atom: Atom) -> list[str]:
    return [*atom.module.split("."), atom.name]


def pairs(before: Remainder, after: Remainder, names: Mapping[str, str]) -> list[ImportPair] | Fault:
    """Pair what was imported with what is, suite by suite.

    Args:
        before: the file before, with its imports taken out.
        after: the same after.
        names: what is known to be renamed.

    Returns:
        The pairs, those of equal names included; or the first import that has no partner.
    """
    found: list[ImportPair] = []
    old_suites, new_suites = _by_suite(before), _by_suite(after)
    for suite in sorted(old_suites.keys() | new_suites.keys()):
        open_now = new_suites.get(suite, {})
        alone: list[tuple[Atom, Item]] = []
        for atom, items in old_suites.get(suite, {}).items():
            for item in items:
                partner = next((other for other in _variants(atom, names) if open_now.get(other)), None)
                if partner is None:
                    alone.append((atom, item))
                else:
                    found.append(ImportPair(atom, partner, item, open_now[partner].pop()))
        left = [(atom, item) for atom, items in open_now.items() for item in items]
        if len(alone) == len(left) == 1 and _is_alike(alone[0][0], left[0][0]):
            found.append(ImportPair(alone[0][0], left[0][0], alone[0][1], left[0][1]))
        elif left:
            return _fault(left[0], "added")
        elif alone:
            return _fault(alone[0], "removed")
    return found


def _by_suite(side: Remainder) -> dict[int, dict[Atom, list[Item]]]:
    suites: dict[int, dict[Atom, list[Item]]] = {}
    for taken in side.taken:
        if taken.item.kind == "import":
            for atom in atoms(side.source, taken.item):
                suites.setdefault(taken.suite, {}).setdefault(atom, []).append(taken.item)
    return suites


def _variants(atom: Atom, names: Mapping[str, str]) -> Iterator[Atom]:
    """The forms that a renaming may give to an import, the most thorough first."""
    parts = (
        (".".join(names.get(part, part) for part in atom.module.split(".")), atom.module),
        (names.get(atom.name, atom.name), atom.name),
        (names.get(atom.alias, atom.alias), atom.alias),
    )
    for module, name, alias in itertools.product(*parts):
        yield Atom(module, name, alias)
        if not atom.alias and name and name != atom.name:
            yield Atom(module, name, atom.name)


def _is_alike(old: Atom, new: Atom) -> bool:
    """Whether exactly one word of two imports differs."""
    then, now = [*_words(old), old.alias], [*_words(new), new.alias]
    return len(then) == len(now) and sum(a != b for a, b in zip(then, now, strict=True)) == 1


def _fault(place: tuple[Atom, Item], what: str) -> Fault:
    atom, item = place
    return Fault(item.line, item.owner.name if item.owner else "", f"`{atom}` was {what}", item.line)
