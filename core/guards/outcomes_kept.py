"""`tests`, of what happened: every test that was collected still is, and each that passed still passes.

It sees what no reading of sources can: tests that a hook, a setting or an import takes away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

from ..gate import GuardResult
from .faults import Fault, quoted, verdict

_PASSED = "passed"
_UNCOUNTED = frozenset(["skipped", "xfailed", "deselected"])
_NO_RENAMES: Mapping[str, str] = {}


def judge_outcomes(
    before: Mapping[str, str], after: Mapping[str, str], renamed: Mapping[str, str] = _NO_RENAMES
) -> GuardResult:
    """Name the first test that is gone, passes no more, or no longer counts.

    Args:
        before: outcomes at the base, such as `passed`, `failed`, `skipped`, `xfailed`, by pytest's node id.
        after: the same of the result; ids that are new are fine, whatever they gave.
        renamed: old names of tests and test classes with their new ones (`tests_kept.renamed_tests`).
    """
    places = _moved(before, after, renamed)
    faults: list[Fault] = []
    for node, was in before.items():
        now = after.get(places.get(node, node))
        if what := _worsened(was, now):
            path, _, name = node.partition("::")
            faults.append(Fault(path, 0, f"{quoted(name or path)} {what}"))
    passed = sum(outcome == _PASSED for outcome in after.values())
    return verdict("tests", faults, f"{len(after)} test(s) collected, {passed} passed; {len(before)} before, all kept")


def _worsened(was: str, now: str | None) -> str | None:
    if now is None:
        return f"{quoted(was)} before, and is no longer collected"
    if was != now and now in _UNCOUNTED and not (was == "skipped" and now == "xfailed"):
        return f"{quoted(was)} before, and is {quoted(now)} now"
    if was == _PASSED != now:
        return f"passed before, and {quoted(now)} now"
    return None


def _moved(before: Mapping[str, str], after: Mapping[str, str], renamed: Mapping[str, str]) -> dict[str, str]:
    """Where tests are found whose id is gone: renamed in place, else in another file, else by the last part alone."""

    def new_names(node: str) -> list[str]:
        path, *names = node.split("::")
        return [path, *(_renamed(name, renamed) for name in names)]

    missing = [node for node in before if node not in after]
    fresh = {node for node in after if node not in before}
    found: dict[str, str] = {}
    for first in (0, 1, -1):

        def key(node: str, of: Callable[[str], list[str]], first: int = first) -> tuple[str, ...]:
            return tuple(of(node)[first:])

        left = _by_key([node for node in missing if node not in found], lambda node: key(node, new_names))
        there = _by_key(fresh - set(found.values()), lambda node: key(node, lambda id_: id_.split("::")))
        found.update({nodes[0]: there[k][0] for k, nodes in left.items() if len(nodes) == len(there.get(k, ())) == 1})
    return found


def _by_key(nodes: Collection[str], key: Callable[[str], tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    found: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for node in nodes:
        found[key(node)].append(node)
    return found


def _renamed(name: str, renamed: Mapping[str, str]) -> str:
    base, bracket, parameters = name.partition("[")
    return renamed.get(base, base) + bracket + parameters
