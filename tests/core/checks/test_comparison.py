"""A check of the result against the same check of the base."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from orefactor.core.checks.comparison import at_new_paths, compare, tell_new
from orefactor.core.checks.findings import Finding, failing_tests
from orefactor.core.checks.outcome import CheckRun, RunOutcome
from orefactor.core.checks.result import CheckResult

RESULT = CheckResult("pytest", "passed")


def ran(tests: Mapping[str, str], *more: Finding, outcome: RunOutcome | None = None) -> CheckRun:
    found = (*failing_tests(tests), *more)
    return CheckRun("pytest", outcome or ("failed" if found else "passed"), found, "words", 1.0, True, tests)


def lint(outcome: RunOutcome, *found: Finding) -> CheckRun:
    return CheckRun("ruff", outcome, found, "words", 1.0, True)


OLD, NEW = Finding("x.py", 1, "F401", "os"), Finding("x.py", 2, "F401", "sys")


@pytest.mark.parametrize(
    ("after", "before", "outcome", "new", "old"),
    [
        pytest.param(lint("failed", OLD), lint("failed", OLD), "passed", 0, 1, id="old"),
        pytest.param(lint("failed", OLD, NEW), lint("failed", OLD), "failed", 1, 1, id="one-new"),
        pytest.param(lint("failed", OLD), lint("passed"), "failed", 1, 0, id="new"),
        pytest.param(lint("failed", OLD), None, "failed", 1, 0, id="no-base"),
        pytest.param(lint("failed", OLD), lint("broken"), "failed", 1, 0, id="base-did-not-work"),
        pytest.param(lint("broken"), lint("broken"), "not_run", 0, 0, id="neither-worked"),
        pytest.param(lint("broken"), lint("passed"), "failed", 0, 0, id="broken-by-the-change"),
        pytest.param(lint("broken"), None, "failed", 0, 0, id="broken-without-base"),
    ],
)
def test_findings(after: CheckRun, before: CheckRun | None, outcome: str, new: int, old: int) -> None:
    result = compare(RESULT, after, before, None)
    assert (result.outcome, len(result.new), result.old) == (outcome, new, old)
    assert result.detail == ("" if outcome == "passed" else "words")
    assert result.counts is (outcome != "not_run")


@pytest.mark.parametrize(
    ("after", "before", "outcome", "new", "old", "lost"),
    [
        pytest.param({"t::a": "passed"}, {"t::a": "passed"}, "passed", 0, 0, 0, id="passed"),
        pytest.param({"t::a": "failed"}, {"t::a": "error"}, "passed", 0, 1, 0, id="failed-before"),
        pytest.param({"t::a": "error"}, {"t::a": "passed"}, "failed", 1, 0, 0, id="fails-now"),
        pytest.param({"t::a": "failed", "t::b": "failed"}, {"t::a": "failed"}, "failed", 1, 1, 0, id="new-test-fails"),
        pytest.param({}, {"t::a": "passed"}, "passed", 0, 0, 1, id="gone"),
        pytest.param({"t::a": "skipped"}, {"t::a": "passed"}, "passed", 0, 0, 1, id="skipped"),
        pytest.param({"t::b": "passed"}, {"t::a": "failed"}, "passed", 0, 0, 0, id="a-failure-is-gone"),
    ],
)
def test_tests(
    after: Mapping[str, str], before: Mapping[str, str], outcome: str, new: int, old: int, lost: int
) -> None:
    result = compare(RESULT, ran(after), ran(before), None)
    assert (result.outcome, len(result.new), result.old, len(result.lost)) == (outcome, new, old, lost)
    assert result.tests_before == before


def test_what_is_wrong_besides_the_tests_is_compared_too() -> None:
    silent = Finding(".", 0, "", "it failed, and no test of its report did")
    tests = {"a": "passed"}
    assert tell_new(ran(tests, silent), ran(tests, silent)) == []
    assert tell_new(ran(tests, silent), ran(tests)) == [silent]


@pytest.mark.parametrize(
    ("failing", "stable", "outcome", "flaky"),
    [
        (["t::a"], [], "passed", ("t::a",)),
        (["t::a", "t::b"], ["t::b"], "failed", ("t::a",)),
        (["t::a"], ["t::a"], "failed", ()),
        (["t::a", "t::b", "t::c", "t::d"], [], "failed", ()),
    ],
    ids=["passes-alone", "one-of-two", "fails-alone", "too-many-for-chance"],
)
def test_flaky_tests(failing: list[str], stable: list[str], outcome: str, flaky: tuple[str, ...]) -> None:
    asked: list[str] = []

    def passes_alone(node: str) -> bool:
        asked.append(node)
        return node not in stable

    after, before = ran(dict.fromkeys(failing, "failed")), ran(dict.fromkeys(failing, "passed"))
    result = compare(RESULT, after, before, passes_alone)
    assert (result.outcome, result.flaky) == (outcome, flaky)
    assert len(asked) <= 3
    assert result.old == 0
    for node in flaky:
        assert f"flaky, not counted: {node} failed, and passed when it was run again alone" in result.detail
    assert ("words" in result.detail) is (outcome == "failed")


def test_renamed_files() -> None:
    before = ran({"old.py::a": "failed", "t.py::b": "passed"})
    moved = at_new_paths(before, {"old.py": "new.py"})
    assert moved.tests == {"new.py::a": "failed", "t.py::b": "passed"}
    assert [(finding.path, finding.rule) for finding in moved.findings] == [("new.py", "new.py::a")]
    plain = at_new_paths(lint("failed", OLD), {"x.py": "y.py"})
    assert (plain.tests, plain.findings[0].path, plain.findings[0].rule) == (None, "y.py", "F401")
