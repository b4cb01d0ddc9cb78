"""Compares a check of the result with the same check of the base: only what is new counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .findings import Finding
from .fingerprints import new_findings
from .node_ids import lost_tests, moved_nodes, new_failures
from .outcome import CheckRun
from .result import CheckResult

MOST_REPEATED = 3
"""New failures that are run again; more at once aren't chance."""


def at_new_paths(run: CheckRun, moved: Mapping[str, str]) -> CheckRun:
    """A run of the base as if its files had been renamed before.

    Args:
        moved: new paths by old ones.
    """

    def renamed(finding: Finding) -> Finding:
        node = next(iter(moved_nodes({finding.rule: ""}, moved))) if "::" in finding.rule else finding.rule
        return replace(finding, path=moved.get(finding.path, finding.path), rule=node)

    tests = None if run.tests is None else moved_nodes(run.tests, moved)
    return replace(run, findings=tuple(map(renamed, run.findings)), tests=tests)


def compare(
    result: CheckResult, after: CheckRun, before: CheckRun | None, passes_alone: Callable[[str], bool] | None
) -> CheckResult:
    """The result of a check with its findings told apart.

    Args:
        result: what is known without the base.
        before: the same check at the base; None where there is nothing to compare with.
        passes_alone: runs a test again by its node id; None where the check runs no tests that can be named.
    """
    if after.outcome == "broken":
        if before is not None and before.outcome == "broken":
            # It didn't work before the change either, so it says nothing about the change.
            return replace(result, outcome="not_run", detail=after.output, counts=False)
        return replace(result, outcome="failed", detail=after.output)
    fresh = tell_new(after, before)
    old = len(after.findings) - len(fresh)
    flaky = _flaky(fresh, passes_alone) if passes_alone is not None else ()
    left = tuple(finding for finding in fresh if finding.rule not in flaky)
    lost = lost_tests(after.tests, before.tests) if before and before.tests and after.tests is not None else ()
    return replace(
        result,
        outcome="failed" if left else "passed",
        new=left,
        old=old,
        known=_without(after.findings, fresh),
        detail="\n".join([*_said(flaky), *([after.output] if left else [])]),
        lost=lost,
        flaky=flaky,
        tests_before=before.tests if before else None,
    )


def tell_new(after: CheckRun, before: CheckRun | None) -> list[Finding]:
    """The findings of a run that the base's run doesn't account for: tests by node id and outcome."""
    if before is None:
        return list(after.findings)
    if after.tests is None or before.tests is None:
        return new_findings(after.findings, before.findings)
    failures = new_failures(after.tests, before.tests)
    others = [finding for finding in after.findings if finding.rule not in after.tests]
    return [*failures, *new_findings(others, before.findings)]


def _without(findings: Sequence[Finding], taken: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings but for those that are taken, each as often as it is."""
    left = Counter(taken)
    kept: list[Finding] = []
    for finding in findings:
        if left[finding] > 0:
            left[finding] -= 1
        else:
            kept.append(finding)
    return tuple(kept)


def _flaky(fresh: Sequence[Finding], passes_alone: Callable[[str], bool]) -> tuple[str, ...]:
    if len(fresh) > MOST_REPEATED:
        return ()
    return tuple(finding.rule for finding in fresh if passes_alone(finding.rule))


def _said(flaky: Sequence[str]) -> list[str]:
    return [f"flaky, not counted: {node} failed, and passed when it was run again alone" for node in flaky]
