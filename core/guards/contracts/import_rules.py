"""Judges the imports that were taken out of two files, by the rules that `imports.py` promises."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .annotations import is_type_checking
from .comments import Comment, in_gap
from .contract import Contract, Fault
from .imports import Atom, atoms
from .remainder import GONE, Remainder
from .source import MODULE, Item

_BUILTINS = frozenset(dir(builtins))
_BEHIND = re.compile(rb"[; \t]*(#[^\n]*)")
_ASSIGNED = re.compile(rb"(\w+)\s*(?::[^=]*)?=(?!=)")


@dataclass(frozen=True, slots=True)
class _Place:
    """A name with the statement that it stands in."""

    atom: Atom
    item: Item


class ImportComparison:
    """Compares the imports of two files, suite by suite."""

    def __init__(self, before: Remainder, after: Remainder, contract: Contract, path: str) -> None:
        self._before, self._after = before, after
        self._contract = contract
        self._package = path.split("/")[:-1]
        self._then, self._now = _by_suite(before), _by_suite(after)

    def fault(self, same: int) -> Fault | None:
        """The first import that may not be as it is.

        Args:
            same: how many remaining items at the start are alike; behind them suites have no counterpart.
        """
        faults: list[Fault | None] = [self._comments()]
        for suite in (suite for suite in self._then.keys() | self._now.keys() if suite < same):
            then, now = self._then.get(suite, []), self._now.get(suite, [])
            faults += [self._fixed(then, now), self._named(then, now) if suite == MODULE else self._below(suite)]
        return min(filter(None, faults), key=lambda fault: fault.line, default=None)

    def _fixed(self, then: Sequence[_Place], now: Sequence[_Place]) -> Fault | None:
        """Stars keep their order; `__future__` stays, save for annotations where they may be written."""
        old, new = ([place for place in side if place.atom.name == "*"] for side in (then, now))
        if [place.atom for place in old] != [place.atom for place in new]:
            return self._changed(old, new, "imports of everything have to keep their order")
        old, new = ([place for place in side if place.atom.module == "__future__"] for side in (then, now))
        lost = {place.atom for place in old} - {place.atom for place in new}
        added = {place.atom for place in new} - {place.atom for place in old}
        if self._contract.allows("annotations"):
            added.discard(Atom("__future__", "annotations"))
        if lost or added:
            old, new = ([each for each in side if each.atom in (lost or added)] for side in (old, new))
            return self._changed(old, new, "it changes how Python reads the file")
        return None

    def _named(self, then: Sequence[_Place], now: Sequence[_Place]) -> Fault | None:
        """At the top names keep their origin, and new ones hide nothing."""
        bound: dict[str, list[_Place]] = {}
        for place in then:
            bound.setdefault(place.atom.bound, []).append(place)
        defined = _defined(self._before)
        for place in now:
            name = place.atom.bound
            if name == "*" or place.atom.module == "__future__":
                continue
            if name not in bound and (name in defined or name in _BUILTINS):
                return self._changed([], [place], f"it hides another `{name}`")
            if name in bound and not any(self._is_same(old.atom, place.atom) for old in bound[name]):
                return self._changed(bound[name], [place], f"`{name}` comes from elsewhere")
        return self._reordered(bound, now)

    def _reordered(self, bound: Mapping[str, Sequence[_Place]], now: Sequence[_Place]) -> Fault | None:
        """Of two origins of one name the last one counts."""
        several = {name: old for name, old in bound.items() if len({place.atom.origin for place in old}) > 1}
        for name, old in several.items():
            new = [place for place in now if place.atom.bound == name and name != "*"]
            if new and new[-1].atom.origin != old[-1].atom.origin:
                return self._changed(old[-1:], new[-1:], f"`{name}` comes from elsewhere")
        return None

    def _is_same(self, old: Atom, new: Atom) -> bool:
        """Whether two names come from one place; a relative module is read by the file's path, as far as it goes."""
        (then, name), (now, other) = old.origin, new.origin
        if name != other or (then.startswith(".") == now.startswith(".") and then != now):
            return False
        full, short = sorted((self._absolute(then), self._absolute(now)), key=len, reverse=True)
        return f".{full}".endswith(f".{short}")

    def _absolute(self, module: str) -> str:
        inner = module.lstrip(".")
        dots = len(module) - len(inner)
        if not dots:
            return module
        return ".".join([*self._package[: len(self._package) - dots + 1], *filter(None, [inner])])

    def _below(self, suite: int) -> Fault | None:
        """In other suites imports stay; a function may lose one that nobody needs."""
        if self._is_free(suite):
            return None
        then, now = self._then.get(suite, []), self._now.get(suite, [])
        old, new = (Counter(place.atom for place in side) for side in (then, now))
        if added := new - old:
            return self._changed([], [place for place in now if place.atom in added], "imports here have to stay")
        lost = [place for place in then if place.atom in old - new]
        is_function = suite >= 0 and self._after.items[suite].form == "function_definition"
        if lost and not is_function:
            return self._changed(lost, [], "imports here have to stay")
        elsewhere = {place.atom for other, side in self._now.items() if other != suite for place in side}
        moved = [place for place in lost if place.atom in elsewhere]
        return self._changed(moved, [], "it moved out of its function") if moved else None

    def _is_free(self, suite: int) -> bool:
        if not self._contract.allows("annotations"):
            return False
        return suite == GONE or is_type_checking(self._after.source, self._after.items[suite])

    def _comments(self) -> Fault | None:
        """An import that stays the same keeps its comment."""
        then, now = (_trailing(side) for side in (self._before, self._after))
        for raw in then.keys() & now.keys():
            old, new = ([self._counting(comment) for _, comment in side[raw]] for side in (then, now))
            if set(old) != set(new):
                item = now[raw][0][0]
                return Fault(item.line, "", "the comment behind an import changed", then[raw][0][0].line)
        return None

    def _counting(self, comment: Comment | None) -> bytes:
        if comment is None or (self._contract.allows("comments") and not comment.is_directive):
            return b""
        return comment.spaced if self._contract.allows("formatting") else comment.text

    def _changed(self, old: Sequence[_Place], new: Sequence[_Place], why: str) -> Fault:
        then = old[0].item.line if old else 0
        if new:
            owner = new[0].item.owner
            detail = f"`{new[0].atom}` was {'changed' if old else 'added'}: {why}"
            return Fault(new[0].item.line, owner.name if owner else "", detail, then)
        owner = old[0].item.owner
        return Fault(then, owner.name if owner else "", f"`{old[0].atom}` was removed: {why}", then)


def _by_suite(side: Remainder) -> dict[int, list[_Place]]:
    suites: dict[int, list[_Place]] = {}
    for taken in side.taken:
        if taken.item.kind == "import":
            places = suites.setdefault(taken.suite, [])
            places += [_Place(atom, taken.item) for atom in atoms(side.source, taken.item)]
    return suites


def _defined(side: Remainder) -> set[str]:
    """The names that a module defines itself."""
    return set(_definitions(side))


def _definitions(side: Remainder) -> Iterator[str]:
    for item in side.items:
        if item.kind == "head" and item.owner is not None and item.owner.parent is None:
            yield item.owner.name
        elif item.kind == "import" and item.suite == MODULE:
            yield from (atom.bound for atom in atoms(side.source, item))
        elif item.owner is None and (found := _ASSIGNED.match(side.source.raw(item))):
            yield found[1].decode("utf-8", "replace")


def _trailing(side: Remainder) -> dict[bytes, list[tuple[Item, Comment | None]]]:
    """The comment behind each import, by the import's source."""
    found: dict[bytes, list[tuple[Item, Comment | None]]] = {}
    for taken in side.taken:
        if taken.item.kind == "import":
            match = _BEHIND.match(side.source.text, taken.item.end)
            comments = in_gap(side.source, match.start(1), match.end()) if match else [None]
            found.setdefault(side.source.raw(taken.item), []).append((taken.item, comments[0]))
    return found
