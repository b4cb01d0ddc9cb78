"""One outcome from each set of facts."""

from __future__ import annotations

from typing import Any

import pytest

from orefactor.core.checks.findings import Finding
from orefactor.core.checks.required import CheckOutcome, CheckResult
from orefactor.core.errors import ExitCode, LimitReached, ProviderFailed, ToolsUnsupported
from orefactor.core.gate import ContractResult, Facts, GuardResult, is_verified, judge

NEW = Finding("x.py", 3, "F401", "unused")


def check(outcome: CheckOutcome, **fields: Any) -> CheckResult:
    return CheckResult("ruff", outcome, **fields)


PASSED, FAILED, ABSENT = check("passed"), check("failed", new=(NEW,)), check("not_installed", detail="no ruff")
GOOD, BAD = GuardResult("scope", True), GuardResult("scope", False, "`y.py` is outside the scope")
LIMIT = LimitReached("max_tokens", "too many", hint="more")
BROKEN, LOST = ContractResult(("move",), False, "x"), GuardResult("tests", False, "gone")
COPY = {"counts": False, "wrong_code": True, "detail": "tests a copy"}
OFFLINE = ProviderFailed("unreachable", "gone", hint="again")


@pytest.mark.parametrize(
    ("facts", "status", "reason", "code", "verified"),
    [
        pytest.param(Facts(True, [PASSED], [GOOD]), "completed", "delivered", 0, True, id="delivered"),
        pytest.param(Facts(True, [PASSED], exit_code_for_changes=True), "completed", "delivered", 1, True,
                     id="exit-code"),
        pytest.param(Facts(False, exit_code_for_changes=True), "completed", "no_change_needed", 0, None,
                     id="no-change"),
        pytest.param(Facts(True), "completed", "delivered", 0, None, id="no-checks"),
        pytest.param(Facts(True, [check("not_run")]), "completed", "delivered", 0, None, id="nothing-to-check"),
        pytest.param(Facts(True, [FAILED]), "gate", "check:ruff", 3, False, id="failed"),
        pytest.param(Facts(True, [PASSED, FAILED]), "gate", "check:ruff", 3, False, id="one-failed"),
        pytest.param(Facts(True, [check("not_run", **COPY)]), "gate", "check:ruff", 3, None, id="another-copy"),
        pytest.param(Facts(True, [check("not_run", required=False, **COPY)]), "completed", "delivered", 0, None,
                     id="another-copy-on-demand"),
        pytest.param(Facts(True, [PASSED], [GOOD, LOST], BROKEN), "gate", "contract:move", 3, True,
                     id="contract-before-guard"),
        pytest.param(Facts(True, [PASSED], [BAD], BROKEN), "gate", "guard:scope", 3, True, id="scope-before-contract"),
        pytest.param(Facts(True, [check("passed", counts=False)]), "completed", "delivered", 0, None, id="counts-not"),
        pytest.param(Facts(True, [ABSENT]), "error", "check:ruff", 6, None, id="not-installed"),
        pytest.param(Facts(True, [PASSED], [BAD]), "gate", "guard:scope", 3, True, id="guard"),
        pytest.param(Facts(True, [FAILED], [BAD]), "gate", "guard:scope", 3, False, id="guard-before-check"),
        pytest.param(Facts(True, [check("failed", required=False)]), "completed", "delivered", 0, None, id="on-demand"),
        pytest.param(Facts(True, [check("not_installed", required=False)]), "completed", "delivered", 0, None,
                     id="on-demand-not-installed"),
        pytest.param(Facts(True, [PASSED], stopped=LIMIT), "limit", "limit:max_tokens", 4, True, id="limit"),
        pytest.param(Facts(True, [FAILED], [BAD], stopped=OFFLINE), "error", "provider:unreachable", 5, False,
                     id="offline"),
        pytest.param(Facts(False, stopped=ToolsUnsupported("x")), "error", "provider:no_function_calling", 5, None,
                     id="no-tools"),
    ],
)  # fmt: skip
def test_outcomes(facts: Facts, status: str, reason: str, code: int, verified: bool | None) -> None:
    outcome = judge(facts)
    assert (outcome.status, outcome.reason, outcome.exit_code, outcome.verified) == (status, reason, code, verified)
    assert outcome.delivers is (status == "completed")
    assert outcome.message
    assert outcome.hint or status == "completed"


def test_the_message_names_the_first_finding() -> None:
    assert judge(Facts(True, [FAILED])).message == (
        "the check `ruff` failed with 1 new finding(s): x.py:3: F401 unused"
    )
    assert judge(Facts(True, [check("failed")])).message == "the check `ruff` failed with 1 new finding(s)"


@pytest.mark.parametrize(
    ("checks", "verified"),
    [([], None), ([PASSED], True), ([PASSED, check("not_run")], True), ([PASSED, FAILED], False), ([ABSENT], None)],
)
def test_verified(checks: list[CheckResult], verified: bool | None) -> None:
    assert is_verified(checks) is verified


def test_exit_codes_are_unique() -> None:
    assert len({int(code) for code in ExitCode}) == len(ExitCode)
