"""`tests`: what tests and checks promise is kept; only `--allow tests` may change it.

No test is removed, none is kept from running, no assertion is removed or changed, no comment or setting silences a
check that wasn't silenced. Adding tests and assertions is fine, and so is moving them. What a test does between its
assertions isn't compared, since a refactoring changes that rightly: a test that computes something else and asserts
the same of it passes here.

What the tests gave when they ran is judged by `outcomes_kept`, under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..gate import GuardResult
from .change import FileChange
from .faults import Fault, quoted, verdict
from .promises.assertions import Assertion, assertions
from .promises.cases import Case, PythonFile, find_cases, helper_parts, read_python
from .promises.comparison import broken_promises, shadowed
from .promises.forms import Canonical, canonical_names
from .promises.pairing import pair
from .promises.parts import Part
from .promises.settings_files import Setting, Unreadable, holds_settings, read_settings
from .promises.skips import Mark, skip_marks
from .promises.suppressions import new_suppressions, suppressions
from .promises.weakenings import weakenings
from .sides import Side, after, before
from .surplus import surplus

_NO_RENAMES: Mapping[str, str] = {}


def judge(changes: Sequence[FileChange], renames: Mapping[str, str] = _NO_RENAMES) -> GuardResult:
    """Name the first promise that the change breaks.

    Args:
        renames: old names with the new ones that the task gives them; what is equal but for them counts as equal.
    """
    changed = [change for change in changes if change.before != change.after or change.old_path]
    canonical = canonical_names(renames)
    old, new = _python(changed, before), _python(changed, after)
    tests = find_cases(new, canonical)
    faults = [
        *_tests(find_cases(old, canonical), tests, canonical),
        *_helpers(old, new, canonical),
        *_marks(old, new, canonical),
        *_suppressions(changed),
        *_settings(changed),
    ]
    order = {path: number for number, change in enumerate(changes) for path in (change.old_path, change.path)}
    faults.sort(key=lambda fault: (order.get(fault.path, -1), fault.line))
    looked_at = f"{len(new)} changed Python file(s) with {len(tests)} test(s), all promises kept"
    return verdict("tests", faults, looked_at)


def renamed_tests(changes: Sequence[FileChange], renames: Mapping[str, str] = _NO_RENAMES) -> dict[str, str]:
    """The old names of tests and test classes whose bodies stand under a new name, with that name."""
    canonical = canonical_names(renames)
    old, new = (find_cases(_python(changes, side), canonical) for side in (before, after))
    pairs = pair(old, new, canonical).pairs
    return {a.definition.name: b.definition.name for a, b in pairs if a.definition.name != b.definition.name}


def _python(changes: Sequence[FileChange], side: Callable[[FileChange], Side | None]) -> list[PythonFile]:
    found = [(side(change), change.path) for change in changes]
    return [read_python(taken, path) for taken, path in found if taken and taken.is_python]


def _tests(old: Sequence[Case], new: Sequence[Case], canonical: Canonical) -> Iterator[Fault]:
    pairing = pair(old, new, canonical)
    for case in pairing.lost:
        what = f"the test {quoted(case.definition.qualified_name)} (line {case.line} before) is gone"
        yield Fault(case.path, 0, what)
    for was, now in pairing.pairs:
        yield from broken_promises(was, now, canonical)
    yield from shadowed(old, new, canonical)


def _helpers(old: Sequence[PythonFile], new: Sequence[PythonFile], canonical: Canonical) -> list[Fault]:
    """Assertions outside of tests that are gone; those that moved into a test aren't."""
    was, now = _assertions(helper_parts(old), canonical), _assertions(helper_parts(new), canonical)
    lost = surplus(was, now, lambda found: found[1].form)
    if lost:
        in_tests = [(case.path, part) for case in find_cases(new, canonical) for part in case.parts]
        lost = surplus(lost, _assertions(in_tests, canonical), lambda found: found[1].form)
    return [
        Fault(path, 0, f"the assertion {quoted(found.text)} of a helper is gone or changed") for path, found in lost
    ]


def _assertions(parts: Iterable[tuple[str, Part]], canonical: Canonical) -> list[tuple[str, Assertion]]:
    return [(path, assertion) for path, part in parts for assertion in assertions([part], canonical)]


def _marks(old: Sequence[PythonFile], new: Sequence[PythonFile], canonical: Canonical) -> list[Fault]:
    def marks(files: Iterable[PythonFile]) -> list[tuple[str, Mark]]:
        return [(file.path, mark) for file in files for mark in skip_marks(file, canonical)]

    fresh = surplus(marks(new), marks(old), lambda found: found[1].key)
    return [Fault(path, mark.line, f"a test is kept from counting: {quoted(mark.text)}") for path, mark in fresh]


def _suppressions(changes: Sequence[FileChange]) -> list[Fault]:
    was, now = ([s for side in map(take, changes) if side for s in suppressions(side)] for take in (before, after))
    fresh = new_suppressions(was, now)
    return [Fault(found.path, found.line, f"a check is silenced by {quoted(found.text)}") for found in fresh]


def _settings(changes: Sequence[FileChange]) -> Iterator[Fault]:
    old: list[Setting] = []
    new: list[Setting] = []
    for change in changes:
        was, now = _read(before(change)), _read(after(change))
        if isinstance(now, Unreadable) and not isinstance(was, Unreadable):
            yield Fault(change.path, 0, f"the settings can't be read any more: {quoted(str(now))}")
        elif not isinstance(now, Unreadable):
            old += [] if isinstance(was, Unreadable) else was
            new += now
    for found in weakenings(old, new):
        yield Fault(found.path, found.line, f"a setting is weakened: {quoted(found.what)}")


def _read(side: Side | None) -> list[Setting] | Unreadable:
    if side is None or not holds_settings(side.path):
        return []
    try:
        return read_settings(side)
    except Unreadable as error:
        return error
