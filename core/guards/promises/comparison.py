"""Compares one test with the one that took its place: what it no longer promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..faults import Fault, quoted
from ..surplus import surplus
from .assertions import Assertion, assertions, is_weaker
from .cases import Case, bases
from .forms import Canonical, Form, form, text_of

_MAX_NEAR = 50
"""New assertions that are tried as what took an old one's place; it only serves the words."""


def broken_promises(old: Case, new: Case, canonical: Canonical) -> Iterator[Fault]:
    """What the new test no longer promises, in no particular order."""
    name = quoted(new.definition.qualified_name)
    if old.is_collected and not new.is_collected:
        yield Fault(new.path, new.line, f"{name} moved to a file that pytest doesn't collect")
    heads = surplus(new.definition.all_heads, old.definition.all_heads, lambda head: head.form(canonical))
    if heads:
        yield Fault(new.path, new.line, f"{name} is defined only under {quoted(str(heads[0]))}")
    yield from _decorators(old, new, name, canonical)
    if old.is_class:
        lost = surplus(bases(old.definition), bases(new.definition), lambda base: form(base, canonical))
        if lost:
            yield Fault(new.path, new.line, f"{name} no longer inherits {quoted(text_of(lost[0]))}")
    elif old.source != new.source:
        if new.source.startswith(b"async") and not old.source.startswith(b"async"):
            yield Fault(new.path, new.line, f"{name} became `async`, so a plain runner never awaits it")
        yield from _assertions(old, new, name, canonical)


def shadowed(old: Sequence[Case], new: Sequence[Case], canonical: Canonical) -> list[Fault]:
    """Tests that a second definition of the same name takes away."""
    known = Counter(_place(case, canonical) for case in old)
    found: list[Fault] = []
    seen: set[Form] = set()
    for case in reversed(new):
        place = _place(case, canonical)
        if place in seen and known[place] < 2:
            what = f"{quoted(case.definition.qualified_name)} is defined again below, so this one never runs"
            found.append(Fault(case.path, case.line, what))
        seen.add(place)
    return found[::-1]


def _place(case: Case, canonical: Canonical) -> Form:
    heads = (piece for head in case.definition.all_heads for piece in head.form(canonical))
    return (case.path, case.name, *heads)


def _decorators(old: Case, new: Case, name: str, canonical: Canonical) -> Iterator[Fault]:
    before = [text_of(decorator) for decorator in old.definition.decorators]
    after = [text_of(decorator) for decorator in new.definition.decorators]
    if before == after:
        return
    if any("fixture" in text for text in after) and not any("fixture" in text for text in before):
        yield Fault(new.path, new.line, f"{name} became a fixture")
    lost = _rows(old, canonical) - _rows(new, canonical)
    if lost:
        yield Fault(new.path, new.line, f"{name} runs with {sum(lost.values())} case(s) fewer, or with others")


def _rows(case: Case, canonical: Canonical) -> Counter[Form]:
    """The cases that a test is parametrised with."""
    found: Counter[Form] = Counter()
    for decorator in case.definition.decorators:
        function, arguments = (decorator.child_by_field_name(name) for name in ("function", "arguments"))
        if arguments is None or not text_of(function).endswith(("parametrize", "expand")):
            continue
        for argument in arguments.named_children:
            named = argument.child_by_field_name("value") if argument.type == "keyword_argument" else None
            value = named or argument
            if value.type in ("list", "tuple") and argument != arguments.named_children[0]:
                found.update(form(row, canonical) for row in value.named_children if row.type != "comment")
            elif value.type not in ("string", "comment", "list", "tuple"):
                found[form(value, canonical)] += 1
    return found


def _assertions(old: Case, new: Case, name: str, canonical: Canonical) -> Iterator[Fault]:
    before, after = assertions(old.parts, canonical), assertions(new.parts, canonical)
    lost = surplus(before, after, lambda assertion: assertion.key)
    gained = surplus(after, before, lambda assertion: assertion.key)
    for assertion in lost:
        yield _lost(assertion, gained, new, name)
    exits: dict[object, int] = {}
    for assertion in before:
        exits[assertion.key] = max(assertion.exits, exits.get(assertion.key, 0))
    for assertion in after:
        if assertion.exits > exits.get(assertion.key, assertion.exits):
            what = f"{quoted(assertion.text)} in {name} may no longer be reached"
            yield Fault(new.path, assertion.line, what)


def _lost(assertion: Assertion, gained: list[Assertion], new: Case, name: str) -> Fault:
    """Words a lost assertion by the one that most likely took its place, which is used up."""
    text = quoted(assertion.text)
    near = gained[:_MAX_NEAR]
    same = next((found for found in near if found.form == assertion.form), None)
    if same is not None:
        gained.remove(same)
        inner = next((h for h, key in zip(same.heads, same.under, strict=True) if key not in assertion.under), None)
        where = f"stands under {quoted(str(inner))} now" if inner else "no longer stands where it stood"
        return Fault(new.path, same.line, f"the assertion {text} in {name} {where}")
    if not near:
        return Fault(new.path, new.line, f"the assertion {text} in {name} is removed")
    other = next((found for found in near if is_weaker(assertion, found)), near[0])
    gained.remove(other)
    verb = "weakened" if is_weaker(assertion, other) else "changed"
    return Fault(new.path, other.line, f"the assertion {text} in {name} is {verb} to {quoted(other.text)}")
