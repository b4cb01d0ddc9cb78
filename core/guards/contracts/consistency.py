"""The three ways in which a renaming of one file goes wrong: in part, two names onto one, and into another's reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .contract import Fault, quoted
from .occurrences import Occurrence
from .scopes import Scope


def incomplete(occurrences: Sequence[Occurrence]) -> Iterator[Fault]:
    """Names that are one, and are renamed in one place and not, or otherwise, in another."""
    first: dict[tuple[Scope, bytes], Occurrence] = {}
    for each in occurrences:
        other = first.setdefault((each.scope, each.old), each)
        if other.new != each.new:
            # The place where the name stays is the one to mend.
            place, there = (other, each) if each.is_renamed and not other.is_renamed else (each, other)
            detail = f"{quoted(place.old)} {_fate(place)} here, but {_fate(there)} in line {there.line}"
            yield Fault(place.line, place.symbol, detail, place.line_before)
    yield from _keywords(occurrences)


def _keywords(occurrences: Sequence[Occurrence]) -> Iterator[Fault]:
    """Arguments that still have the old name of a parameter; only where one function has the called name."""
    called: dict[bytes, set[int]] = {}
    renamed: dict[tuple[bytes, bytes], Occurrence] = {}
    for each in occurrences:
        if each.role == "parameter" and each.owner is not None:
            called.setdefault(_called(each), set()).add(each.owner.start)
            if each.is_renamed:
                renamed[_called(each), each.old] = each
    for each in occurrences:
        parameter = renamed.get((each.scope.of, each.old)) if each.scope.kind == "keyword" else None
        if parameter is not None and parameter.new != each.new and len(called[each.scope.of]) == 1:
            detail = f"{quoted(each.old)} {_fate(each)} here, but {_fate(parameter)} in line {parameter.line}"
            yield Fault(each.line, each.symbol, detail, each.line_before)


def _called(parameter: Occurrence) -> bytes:
    """The name by which a parameter's function is called; a class is called for its `__init__`."""
    names = (parameter.owner.name if parameter.owner else "").split(".")
    name = names[-2] if names[-1] in ("__init__", "__new__") and len(names) > 1 else names[-1]
    return name.encode()


def _fate(occurrence: Occurrence) -> str:
    return f"became {quoted(occurrence.new)}" if occurrence.is_renamed else "stayed"


def collisions(occurrences: Sequence[Occurrence]) -> Iterator[Fault]:
    """Two names of one scope that became one."""
    old_names: dict[tuple[Scope, bytes], set[bytes]] = {}
    for each in occurrences:
        old_names.setdefault((each.scope, each.new), set()).add(each.old)
    for each in occurrences:
        others = old_names[each.scope, each.new] - {each.old}
        if each.is_renamed and others:
            detail = f"{quoted(each.old)} became {quoted(each.new)}, which {_use(min(others), each.new)}"
            yield Fault(each.line, each.symbol, detail, each.line_before)


def _use(other: bytes, new: bytes) -> str:
    return "is in use already" if other == new else f"{quoted(other)} became as well"


def captures(occurrences: Sequence[Occurrence]) -> Iterator[Fault]:
    """Names that mean something else by their new name, because a function around binds or uses that one."""
    bare = [each for each in occurrences if each.role in ("name", "parameter")]
    used: dict[tuple[int, bytes], set[Scope]] = {}
    for each in bare:
        for place in _functions(each):
            used.setdefault((place, each.new), set()).add(each.scope)
    for each in bare:
        if each.is_renamed and any(_is_caught(each, place, used[place, each.new]) for place in _functions(each)):
            detail = f"{quoted(each.old)} became {quoted(each.new)}, which means something else there"
            yield Fault(each.line, each.symbol, detail, each.line_before)


def _functions(occurrence: Occurrence) -> Iterator[int]:
    """The functions that a name is read in, the innermost first."""
    owner = occurrence.owner
    while owner is not None:
        if owner.kind == "function":
            yield owner.start
        owner = owner.parent


def _is_caught(each: Occurrence, place: int, scopes: set[Scope]) -> bool:
    """Whether a function uses the new name in another sense; those of functions within it are theirs."""
    others = {
        other for other in scopes if other != each.scope and not (other.kind == "function" and other.place > place)
    }
    if each.scope.kind == "function":
        return place >= each.scope.place and bool(others)
    return any(other.kind == "function" for other in others)
