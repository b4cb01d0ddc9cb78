"""Finds each old test among the new ones: where it stood, else with the same body elsewhere, else by its name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from .cases import Case
from .forms import Canonical, Form


@dataclass(frozen=True, slots=True)
class Pairing:
    """Old tests with the new ones that took their places, and old ones that are gone; both in file order."""

    pairs: tuple[tuple[Case, Case], ...]
    lost: tuple[Case, ...]


def pair(old: Sequence[Case], new: Sequence[Case], canonical: Canonical) -> Pairing:
    """Pair the tests of all changed files; each new one takes one old one's place at most.

    A class whose tests are all accounted for isn't missed.
    """
    pairs: dict[Case, Case] = {}
    bodies: dict[Case, Form] = {}

    def body(case: Case) -> Form:
        if case not in bodies:
            bodies[case] = case.body(canonical)
        return bodies[case]

    def settle(key: Callable[[Case], Hashable], *, unique: bool) -> None:
        taken = set(pairs.values())
        there = _grouped((case for case in new if case not in taken), key)
        left = _grouped((case for case in old if case not in pairs), key)
        for name, cases in left.items():
            found = there.get(name, [])
            if not unique or len(cases) == len(found) == 1:
                pairs.update(zip(cases, found, strict=False))

    settle(lambda case: (case.is_class, case.path, case.name), unique=False)
    if len(pairs) < len(old):
        settle(lambda case: (case.is_class, case.definition.name, body(case)), unique=False)
        settle(lambda case: (case.is_class, body(case)), unique=False)
        settle(lambda case: (case.is_class, case.name.rpartition(".")[2]), unique=True)
    owners = {case.definition.owner for case in old}
    lost = [case for case in old if case not in pairs and not (case.is_class and case.definition in owners)]
    return Pairing(tuple((case, pairs[case]) for case in old if case in pairs), tuple(lost))


def _grouped(cases: Iterable[Case], key: Callable[[Case], Hashable]) -> dict[Hashable, list[Case]]:
    found: defaultdict[Hashable, list[Case]] = defaultdict(list)
    for case in cases:
        found[key(case)].append(case)
    return found
