"""What checks say in a review."""

from __future__ import annotations

import pytest

from orefactor.core.checks.findings import Finding
from orefactor.core.checks.result import CheckResult
from orefactor.core.review.check_findings import found_by, speaks
from orefactor.core.review.finding import ReviewFinding


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        pytest.param(Finding("y.py", 3, "F401", "unused"), ("F401", "y.py", 3, "unused"), id="plain"),
        pytest.param(Finding("y.py", 3, "", ""), ("mypy", "y.py", 3, "failed"), id="wordless"),
        pytest.param(Finding("y.py", 3, "E1", ""), ("E1", "y.py", 3, "E1"), id="only-a-rule"),
        pytest.param(Finding("y.py", -1, "E1", "x"), ("E1", "y.py", 0, "x"), id="no-line"),
        pytest.param(Finding("t.py", 0, "t.py::a[\n]", "failed"), ("failed", "t.py", 0, "t.py::a[ ] failed"),
                     id="test"),
        pytest.param(Finding("pkg.Class", 9, "pkg.Class::a", "error"), ("error", "", 0, "pkg.Class::a error"),
                     id="a-class-as-place"),
        pytest.param(Finding("/etc/x", 3, "E1", "x"), ("E1", "", 0, "x"), id="absolute"),
        pytest.param(Finding("../x", 3, "E1", "x"), ("E1", "", 0, "x"), id="outside"),
        pytest.param(Finding(".", 3, "E1", "\x1b[2J" + "m" * 9000), ("E1", "", 0, "\\x1b[2J" + "m" * 1992 + "\u2026"),
                     id="hostile"),
    ],
)  # fmt: skip
def test_findings_of_checks(finding: Finding, expected: tuple[str, str, int, str]) -> None:
    rule, path, line, message = expected
    (told,) = found_by([CheckResult("mypy", "failed", new=(finding,))])
    assert told == ReviewFinding(rule, "mypy", "error", path, line, line, message)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        pytest.param(CheckResult("mypy", "passed"), True, id="passed"),
        pytest.param(CheckResult("mypy", "passed", counts=False), True, id="passed-without-isolation"),
        pytest.param(CheckResult("mypy", "failed", new=(Finding("x.py", 1, "E", "x"),)), True, id="found-something"),
        pytest.param(CheckResult("mypy", "failed", old=3), False, id="failed-and-found-nothing-new"),
        pytest.param(CheckResult("mypy", "not_run", counts=False), True, id="nothing-to-check"),
        pytest.param(CheckResult("mypy", "not_run", wrong_code=True), False, id="another-copy"),
        pytest.param(CheckResult("mypy", "not_installed"), False, id="not-installed"),
    ],
)
def test_which_checks_speak(check: CheckResult, expected: bool) -> None:
    assert speaks(check) is expected
