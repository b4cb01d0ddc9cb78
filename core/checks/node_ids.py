"""Compares two runs of a test suite by node id and outcome: which failures are new, and which tests no longer count.

Whether a change may lose tests is no matter of the checks: `guards.outcomes_kept` judges that, from the same values.
"""

from __future__ import annotations

from collections.abc import Mapping

from .findings import FAILING, Finding, failing_tests

_NO_LONGER_COUNTS = ("skipped", "xfailed", "deselected")


def new_failures(after: Mapping[str, str], before: Mapping[str, str]) -> list[Finding]:
    """The tests that fail now and didn't before; one that could not even run before did not pass either."""
    return [finding for finding in failing_tests(after) if before.get(finding.rule) not in FAILING]


def lost_tests(after: Mapping[str, str], before: Mapping[str, str]) -> tuple[str, ...]:
    """The tests that passed before and are gone or kept from counting now, in the base's order, one line each."""
    lost: list[str] = []
    for node, outcome in before.items():
        now = after.get(node, "gone")
        if outcome == "passed" and (now == "gone" or now in _NO_LONGER_COUNTS):
            lost.append(f"{node} ({now})")
    return tuple(lost)


def moved_nodes(tests: Mapping[str, str], moved: Mapping[str, str]) -> dict[str, str]:
    """The outcomes under the ids that the tests have after their files were renamed.

    Args:
        moved: new paths by old ones.
    """
    found: dict[str, str] = {}
    for node, outcome in tests.items():
        path, separator, rest = node.partition("::")
        found[moved.get(path, path) + separator + rest] = outcome
    return found
