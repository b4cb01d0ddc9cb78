"""Findings of the result that the base had already are named as well as counted."""

from __future__ import annotations

from orefactor.core.checks.comparison import compare
from orefactor.core.checks.findings import Finding
from orefactor.core.checks.outcome import CheckRun
from orefactor.core.checks.result import CheckResult
from orefactor.core.redact import Redactor
from orefactor.core.verify import finished

SECRET = f"ghp_{'aB3' * 12}"


def finding(line: int, text: str = "`os` is unused") -> Finding:
    return Finding("x.py", line, "F401", text, "", "import os")


def ran(*findings: Finding) -> CheckRun:
    return CheckRun("ruff", "failed" if findings else "passed", findings, "", 0.1, True)


def test_what_the_base_had_is_known() -> None:
    result = compare(CheckResult("ruff", "passed"), ran(finding(1), finding(2), finding(3)), ran(finding(1)), None)
    assert (result.new, result.known, result.old) == ((finding(2), finding(3)), (finding(1),), 1)
    nothing = compare(CheckResult("ruff", "passed"), ran(finding(1)), ran(finding(9)), None)
    assert (nothing.outcome, nothing.new, nothing.known) == ("passed", (), (finding(1),))


def test_the_event_names_them_new_ones_first_without_secrets() -> None:
    new = tuple(finding(number, f"{SECRET} \ud800 {'x' * 900}") for number in range(1, 251))
    event = finished(CheckResult("ruff", "failed", new=new, old=1, known=(finding(900),)), Redactor({}))
    assert (event.findings_new, event.findings_old, len(event.findings)) == (250, 1, 200)
    assert all(told.is_new and len(told.text) == 400 and "[REDACTED:" in told.text for told in event.findings)
    assert len({told.mark for told in event.findings}) == 200
    few = finished(CheckResult("ruff", "failed", new=new[:1], old=1, known=(finding(900),)), Redactor({}))
    assert [(told.line, told.is_new) for told in few.findings] == [(1, True), (900, False)]
