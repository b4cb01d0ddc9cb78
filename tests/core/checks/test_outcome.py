"""From how a check's process ended to its verdict."""

from __future__ import annotations

import pytest

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.checks.outcome import CheckRun, RunOutcome, merged, read_result
from orefactor.sandbox.launched import Ending
from orefactor.sandbox.process import ProcessResult

LINT = b'[{"filename": "/repo/x.py", "location": {"row": 1}, "code": "F401", "message": "unused"}]'
TESTS = b"short test summary info\nFAILED t.py::test_a - boom\n1 failed"


def ended(code: int | None, stdout: bytes = b"", stderr: bytes = b"", by: Ending | None = None) -> ProcessResult:
    return ProcessResult(code, stdout, stderr, False, by, 1.5)


@pytest.mark.parametrize(
    ("name", "result", "outcome", "output"),
    [
        pytest.param("ruff", ended(0, b"[]"), "passed", "All checks passed!", id="passed"),
        pytest.param("ruff", ended(1, LINT), "failed", "x.py:1: F401 unused", id="failed"),
        pytest.param("ruff", ended(2, b"", b"bad /repo/ruff.toml"), "broken", "bad ruff.toml", id="configuration"),
        pytest.param("ruff", ended(1, b"[]"), "broken", "[]", id="failed-without-findings"),
        pytest.param("ruff", ended(1, b"no json"), "broken", "its output can't be read", id="unreadable"),
        pytest.param("ruff", ended(None, LINT, by="time"), "timeout", "", id="time"),
        pytest.param("ruff", ended(None, LINT, by="cancelled"), "broken", "because the run stops", id="cancelled"),
        pytest.param("ruff", ended(None, LINT, by="output"), "broken", "too much output", id="output"),
        pytest.param("ruff", ended(None, LINT, by="memory"), "broken", "ran out of memory", id="memory"),
        pytest.param("ruff", ended(-9, LINT), "broken", "", id="killed"),
        pytest.param("pytest", ended(0, b"1 passed", b"a warning"), "passed", "1 passed", id="pytest"),
        pytest.param("pytest", ended(1, TESTS), "failed", "FAILED t.py::test_a - boom", id="pytest-failed"),
        pytest.param("pytest", ended(5, b"no tests ran"), "broken", "no tests ran", id="pytest-nothing"),
        pytest.param("pytest", ended(1, b"\xff"), "broken", "\ufffd", id="no-text"),
        pytest.param("mypy", ended(0, b"Success"), "passed", "Success", id="mypy"),
    ],
)
def test_verdicts(name: str, result: ProcessResult, outcome: RunOutcome, output: str) -> None:
    run = read_result(CHECKS[name], result, "/repo", isolated=True)
    assert (run.outcome, run.seconds, run.isolated) == (outcome, 1.5, True)
    assert output in run.output
    assert "/repo/" not in run.output
    assert "a warning" not in run.output


@pytest.mark.parametrize(
    ("outcomes", "worst"),
    [
        (["passed", "passed"], "passed"),
        (["passed", "failed"], "failed"),
        (["failed", "broken", "passed"], "broken"),
        (["timeout", "broken"], "timeout"),
    ],
)
def test_the_worst_part_counts(outcomes: list[RunOutcome], worst: RunOutcome) -> None:
    parts = [CheckRun("ruff", outcome, (), text, 1.0, True) for outcome, text in zip(outcomes, "a ", strict=False)]
    parts += [CheckRun("ruff", outcome, (), "", 1.0, True) for outcome in outcomes[2:]]
    whole = merged(parts)
    assert (whole.outcome, whole.seconds, whole.check) == (worst, float(len(outcomes)), "ruff")
