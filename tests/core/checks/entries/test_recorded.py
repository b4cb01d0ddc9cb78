"""Every parser on what the tools really wrote, in two versions each; `/repo` stands for the tree's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.checks.own_output import parse_own_output

RECORDED = Path(__file__).parents[1] / "recorded"


def recorded(name: str) -> str:
    return (RECORDED / f"{name}.txt").read_text(encoding="utf-8")


TYPES = [
    ("pkg/shapes.py", 6, "assignment"),
    ("pkg/shapes.py", 7, "attr-defined"),
]
PYRIGHT = [
    ("pkg/shapes.py", 6, "reportAssignmentType"),
    ("pkg/shapes.py", 7, "reportAttributeAccessIssue"),
    *[("pkg/broken.py", line, "pyright") for line in (1, 1, 1, 2, 3, 3, 3)],
]
LINT = [
    ("pkg/broken.py", 1, "syntax-error"),
    ("pkg/broken.py", 1, "syntax-error"),
    ("pkg/shapes.py", 1, "F401"),
    ("tests/test_broken.py", 1, "F401"),
    ("tests/test_it.py", 1, "F401"),
]


@pytest.mark.parametrize(
    ("check", "name", "expected"),
    [
        ("ruff", "ruff-0.4.10", LINT),
        ("ruff", "ruff-0.17.6", LINT),
        ("ruff-format", "ruff-format-0.4.10", [("pkg/shapes.py", 0, "format"), ("ugly.py", 0, "format")]),
        ("ruff-format", "ruff-format-0.17.6", [("pkg/shapes.py", 0, "format"), ("ugly.py", 0, "format")]),
        ("mypy", "mypy-1.8.0", TYPES),
        ("mypy", "mypy-2.4.1", TYPES),
        ("mypy", "mypy-json-2.4.1", TYPES),
        ("mypy", "mypy-syntax-1.8.0", [("pkg/broken.py", 1, "syntax")]),
        ("mypy", "mypy-syntax-2.4.1", [("pkg/broken.py", 1, "syntax")] * 2),
        ("mypy", "mypy-json-syntax-2.4.1", [("pkg/broken.py", 1, "syntax")] * 2),
        ("pyright", "pyright-1.1.400", PYRIGHT),
        ("pyright", "pyright-1.1.414", PYRIGHT),
    ],
)
def test_findings(check: str, name: str, expected: list[tuple[str, int, str]]) -> None:
    found = CHECKS[check].parse(recorded(name), "/repo").findings
    assert sorted((finding.path, finding.line, finding.rule) for finding in found) == sorted(expected)
    assert all(finding.text for finding in found)


def test_both_forms_of_mypy_say_the_same() -> None:
    parse = CHECKS["mypy"].parse
    assert parse(recorded("mypy-2.4.1"), "/repo").findings == parse(recorded("mypy-json-2.4.1"), "/repo").findings


OUTCOMES = {
    "tests/test_broken.py": "error",
    "tests/test_module_skip.py": "skipped",
    "my.tests/test_dots.py::test_dots": "failed",
    "tests/test_it.py::test_passes": "passed",
    "tests/test_it.py::test_fails": "failed",
    "tests/test_it.py::test_param[a - b]": "failed",
    "tests/test_it.py::test_param[[1] x]": "failed",
    "tests/test_it.py::test_param[\\xe9\\u2028]": "failed",
    "tests/test_it.py::test_param[$a`b]": "failed",
    "tests/test_it.py::test_param[] - c]": "failed",
    "tests/test_it.py::test_skipped": "skipped",
    "tests/test_it.py::test_xfails": "xfailed",
    "tests/test_it.py::test_xpasses": "xpassed",
    "tests/test_it.py::test_xpasses_strictly": "failed",
    "tests/test_it.py::test_setup": "error",
    "tests/test_it.py::test_teardown": "error",
    "tests/test_it.py::TestA::TestB::test_nested": "failed",
    "tests/test_it.py::TestCase::test_sub": "failed",
    "tests/test_it.py::TestCase::test_unit": "failed",
}
FAILING = {node for node, outcome in OUTCOMES.items() if outcome in ("failed", "error")}


@pytest.mark.parametrize("version", ["7.4.4", "9.2.0"])
def test_outcomes_by_exact_node_id(version: str) -> None:
    reading = CHECKS["pytest"].parse(recorded(f"pytest-{version}"), "/repo")
    assert reading.tests == OUTCOMES
    assert {finding.rule for finding in reading.findings} == FAILING
    assert "orefactor-outcomes" not in (reading.shown or pytest.fail("the output is shown without the outcomes"))


@pytest.mark.parametrize("version", ["7.4.4", "9.2.0"])
def test_the_short_summary_serves_where_there_is_nothing_else(version: str) -> None:
    reading = CHECKS["pytest"].parse(recorded(f"pytest-summary-{version}"), "/repo")
    assert reading.tests is None
    # One id can't be told from the words that follow it.
    guessed = (FAILING - {"tests/test_it.py::test_param[] - c]"}) | {"tests/test_it.py::test_param[]"}
    assert {finding.rule for finding in reading.findings} == guessed


@pytest.mark.parametrize("version", ["7.4.4", "9.2.0"])
def test_junit_of_an_own_command(version: str) -> None:
    tests = parse_own_output(recorded(f"junit-{version}"), "/repo").tests
    assert tests is not None
    assert tests["tests.test_it::test_param[a - b]"] == "failed"
    assert tests["tests.test_it.TestA.TestB::test_nested"] == "failed"
    assert tests["tests.test_it::test_xfails"] == "xfailed"
    assert tests["tests.test_it::test_setup"] == "error"
    assert tests["tests.test_it::test_skipped"] == "skipped"
    assert tests["tests.test_it::test_passes"] == "passed"
    assert tests["tests.test_broken"] == "error"
