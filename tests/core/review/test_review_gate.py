"""One verdict from each set of facts of a review."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.checks.findings import Finding
from orefactor.core.checks.result import CheckOutcome, CheckResult
from orefactor.core.errors import Cancelled, ExitCode, LimitReached, ProviderFailed, RunStopped
from orefactor.core.review.answer import AcceptedAnswer
from orefactor.core.review.finding import FailOn, ReviewFinding, Severity
from orefactor.core.review.review_gate import MOST_CHECK_FINDINGS, ReviewFacts, judge_review

NEW = Finding("y.py", 3, "F401", "unused")
FROM_RUFF = ReviewFinding("F401", "ruff", "error", "y.py", 3, 3, "unused")


def check(name: str, outcome: CheckOutcome, **fields: Any) -> CheckResult:
    return CheckResult(name, outcome, **fields)


def found(severity: Severity, path: str = "x.py", line: int = 1) -> ReviewFinding:
    return ReviewFinding("bug", "model", severity, path, line, line, "It breaks.", None, 1.0)


ERROR, WARNING, NOTE = found("error"), found("warning"), found("note")
GOOD = AcceptedAnswer("approve", "Fine.")
BAD = AcceptedAnswer("request_changes", "Broken.", (ERROR,), 2)
MILD = AcceptedAnswer("comment", "Hm.", (WARNING, NOTE))
PASSED, FAILED = check("ruff", "passed"), check("ruff", "failed", new=(NEW,), required=False, when="on_demand")
SLOW = check("mypy", "failed", detail="ran out of time after 120 s\nx", required=False)
NOTHING = check("mypy", "not_run", detail="no Python file changed", counts=False)
OFFLINE = ProviderFailed("unreachable", "the server is gone", hint="try later")
COSTLY = LimitReached("max_cost", "$1", hint="more")
CLOSED = RunStopped("error", "environment:sandbox", "no isolation", hint="doctor", exit_code=ExitCode.ENVIRONMENT)
ROUNDS = {"limit": "max_rounds"}
ODD = {"unreadable": "it is empty"}
BROKEN = [
    pytest.param(SLOW, "ran out of time after 120 s x", id="timeout"),
    pytest.param(check("mypy", "failed", detail="bad configuration"), "bad configuration", id="broken"),
    pytest.param(check("mypy", "failed"), "it failed and named nothing", id="wordless"),
    pytest.param(check("mypy", "not_installed", detail="no mypy"), "no mypy", id="not-installed"),
    pytest.param(check("mypy", "not_run", detail="tests a copy", wrong_code=True), "tests a copy", id="another-copy"),
]


def facts(answer: AcceptedAnswer | None = GOOD, *checks: CheckResult, **fields: Any) -> ReviewFacts:
    return ReviewFacts(answer, checks, **fields)


@pytest.mark.parametrize(
    ("given_facts", "outcome", "reason", "code"),
    [
        pytest.param(facts(), "reviewed", "reviewed", 0, id="nothing-found"),
        pytest.param(facts(MILD), "reviewed", "reviewed", 0, id="nothing-that-blocks"),
        pytest.param(facts(GOOD, PASSED, NOTHING), "reviewed", "reviewed", 0, id="checks-passed"),
        pytest.param(facts(None, is_empty=True), "reviewed", "no_change", 0, id="no-change"),
        pytest.param(facts(BAD), "reviewed", "blocking:model", 1, id="the-model-blocks"),
        pytest.param(facts(MILD, fail_on="warning"), "reviewed", "blocking:model", 1, id="a-warning-blocks"),
        pytest.param(facts(AcceptedAnswer("comment", "", (NOTE,)), fail_on="warning"), "reviewed", "reviewed", 0,
                     id="a-note-never-blocks"),
        pytest.param(facts(BAD, FAILED, fail_on="never"), "reviewed", "reviewed", 0, id="never"),
        pytest.param(facts(GOOD, FAILED), "reviewed", "blocking:ruff", 1, id="a-check-blocks"),
        pytest.param(facts(MILD, FAILED, fail_on="warning"), "reviewed", "blocking:ruff", 1, id="the-weightiest-first"),
        pytest.param(facts(BAD, FAILED), "reviewed", "blocking:model", 1, id="the-first-path-first"),
        pytest.param(facts(GOOD, SLOW), "inconclusive", "check:mypy", 1, id="a-check-could-not-speak"),
        pytest.param(facts(GOOD, SLOW, inconclusive_exit=0), "inconclusive", "check:mypy", 0, id="inconclusive-is-0"),
        pytest.param(facts(GOOD, SLOW, inconclusive_exit=7), "inconclusive", "check:mypy", 7, id="inconclusive-is-7"),
        pytest.param(facts(GOOD, SLOW, fail_on="never"), "inconclusive", "check:mypy", 1, id="inconclusive-and-never"),
        pytest.param(facts(BAD, SLOW, inconclusive_exit=0), "inconclusive", "blocking:model", 1,
                     id="blocks-before-a-silent-check"),
        pytest.param(facts(BAD, SLOW, inconclusive_exit=0, fail_on="never"), "inconclusive", "check:mypy", 0,
                     id="never-and-a-silent-check"),
        pytest.param(facts(None, SLOW, is_empty=True),
                     "inconclusive", "check:mypy", 1, id="a-silent-check-before-no-change"),
        pytest.param(facts(None, PASSED, **ODD), "inconclusive", "model:unreadable_answer", 1, id="unreadable"),
        pytest.param(facts(None, **ODD, inconclusive_exit=5), "inconclusive", "model:unreadable_answer", 5,
                     id="unreadable-is-5"),
        pytest.param(facts(BAD, **ODD), "inconclusive", "model:unreadable_answer", 1, id="unreadable-whatever-it-says"),
        pytest.param(facts(None), "inconclusive", "model:unreadable_answer", 1, id="no-answer"),
        pytest.param(facts(None, FAILED, SLOW, **ODD, inconclusive_exit=0), "inconclusive", "model:unreadable_answer",
                     1, id="unreadable-before-blocking"),
        pytest.param(facts(BAD, FAILED, stopped=OFFLINE), "not_reviewed", "provider:unreachable", 5, id="offline"),
        pytest.param(facts(BAD, stopped=COSTLY), "not_reviewed", "limit:max_cost", 4, id="too-costly"),
        pytest.param(facts(None, stopped=CLOSED), "not_reviewed", "environment:sandbox", 6, id="environment"),
        pytest.param(facts(None, stopped=Cancelled(), fail_on="never"), "not_reviewed", "interrupted", 130,
                     id="interrupted"),
        pytest.param(facts(None, stopped=Cancelled(exit_code=ExitCode.TERMINATED)), "not_reviewed", "terminated", 143,
                     id="terminated"),
        pytest.param(facts(None, FAILED, stopped=OFFLINE, **ODD, inconclusive_exit=0), "not_reviewed",
                     "provider:unreachable", 5, id="stopped-before-unreadable"),
        pytest.param(facts(None, stopped=OFFLINE, is_empty=True), "not_reviewed", "provider:unreachable", 5,
                     id="stopped-before-no-change"),
        *(
            pytest.param(facts(BAD, FAILED, SLOW, limit=limit, stopped=OFFLINE, **ODD, inconclusive_exit=0),
                         "not_reviewed", f"deliberation_limit:{limit}", 1, id=f"{limit}-before-all-else")
            for limit in ("max_rounds", "max_cost_tokens", "per_tool_timeout_seconds")
        ),
        pytest.param(facts(GOOD, **ROUNDS, fail_on="never", inconclusive_exit=0), "not_reviewed",
                     "deliberation_limit:max_rounds", 1, id="a-limit-and-never"),
        pytest.param(facts(None, **ROUNDS, is_empty=True), "not_reviewed", "deliberation_limit:max_rounds", 1,
                     id="a-limit-before-no-change"),
    ],
)  # fmt: skip
def test_outcomes(given_facts: ReviewFacts, outcome: str, reason: str, code: int) -> None:
    verdict = judge_review(given_facts)
    reached = verdict.reached
    assert (reached.outcome, reached.reason, verdict.exit_code) == (outcome, reason, code)
    assert isinstance(verdict.exit_code, ExitCode)
    assert reached.fail_on == given_facts.fail_on
    assert bool(reached.limitations) is reached.quality_degraded is (outcome != "reviewed")
    assert verdict.message and "\n" not in verdict.message
    assert bool(verdict.hint) is (reason not in ("reviewed", "no_change"))


@pytest.mark.parametrize("stop", [ROUNDS, {"stopped": OFFLINE}, {**ROUNDS, "stopped": COSTLY}], ids=str)
def test_nothing_of_the_model_is_published_where_it_did_not_finish(stop: dict[str, Any]) -> None:
    reached = judge_review(facts(BAD, FAILED, SLOW, **stop)).reached
    assert (reached.verdict, reached.summary, reached.dropped) == (None, "", 0)
    assert reached.findings == reached.blocking == (FROM_RUFF,)
    (limitation,) = reached.limitations
    assert limitation == (
        "no verdict of the model is published: the limit max_rounds of the deliberation was reached"
        if "limit" in stop
        else "no verdict of the model is published: the server is gone"
    )


def test_what_stopped_it_speaks_for_itself() -> None:
    verdict = judge_review(facts(None, stopped=OFFLINE))
    assert (verdict.message, verdict.hint) == ("the server is gone", "try later")
    limited = judge_review(facts(None, **ROUNDS))
    assert limited.message == limited.reached.limitations[0]
    assert "`review.deliberation.max_rounds`" in limited.hint


def test_all_that_counts_of_the_answer_is_told() -> None:
    reached = judge_review(facts(replace(BAD, findings=(ERROR, WARNING, NOTE)), FAILED, FAILED)).reached
    assert (reached.verdict, reached.summary, reached.dropped) == ("request_changes", "Broken.", 2)
    assert reached.findings == (ERROR, FROM_RUFF, WARNING, NOTE)
    assert reached.blocking == (ERROR, FROM_RUFF)
    empty = judge_review(facts(BAD, is_empty=True)).reached
    assert (empty.verdict, empty.summary, empty.findings, empty.reason) == (None, "", (), "no_change")
    unread = judge_review(facts(BAD, FAILED, **ODD)).reached
    assert (unread.verdict, unread.summary, unread.findings) == (None, "", (FROM_RUFF,))
    assert unread.limitations == ("the model's answer could not be read: it is empty",)


@pytest.mark.parametrize(
    ("answer", "checks", "message"),
    [
        pytest.param(BAD, [], "1 finding blocks (1 of the model); the first: x.py:1: It breaks.", id="one"),
        pytest.param(BAD, [FAILED], "2 findings block (1 of the model, 1 of `ruff`); the first: x.py:1: It breaks.",
                     id="two"),
        pytest.param(GOOD, [check("p", "failed", new=(Finding("t.py", 0, "t.py::a", "failed"),))],
                     "1 finding blocks (1 of `p`); the first: t.py: t.py::a failed", id="no-line"),
        pytest.param(GOOD, [check("p", "failed", new=(Finding("", 4, "", "a\x1b\nb"),))],
                     "1 finding blocks (1 of `p`); the first: a\\x1b b", id="no-file"),
    ],
)  # fmt: skip
def test_the_message_names_origins_and_the_weightiest(
    answer: AcceptedAnswer, checks: list[CheckResult], message: str
) -> None:
    assert judge_review(facts(answer, *checks)).message == message


@pytest.mark.parametrize(("silent", "why"), BROKEN)
def test_checks_that_could_not_speak(silent: CheckResult, why: str) -> None:
    for required in (True, False):
        for when in ("final", "on_demand"):
            verdict = judge_review(facts(BAD, replace(silent, required=required, when=when), fail_on="never"))
            assert verdict.reached.reason == "check:mypy"
            assert verdict.reached.limitations == (f"the check `mypy` says nothing about the change: {why}",)
            assert verdict.message == verdict.reached.limitations[0]
            assert verdict.reached.findings == (ERROR,)


def test_the_first_silent_check_is_a_required_one() -> None:
    others = [replace(SLOW, name="a"), replace(SLOW, name="z", required=True), replace(SLOW, name="y", required=True)]
    for checks in (others, others[::-1], [*others, *others]):
        reached = judge_review(facts(GOOD, *checks)).reached
        assert reached.reason == "check:y"
        assert [line.split("`")[1] for line in reached.limitations] == ["y", "z", "a"]


def test_findings_of_checks_are_bounded() -> None:
    many = check("ruff", "failed", new=tuple(Finding("y.py", line, "F", "x") for line in range(1, 3001)))
    reached = judge_review(facts(BAD, many)).reached
    assert reached.dropped == 2 + 3000 - MOST_CHECK_FINDINGS
    assert [each.start_line for each in reached.findings[1:]] == list(range(1, MOST_CHECK_FINDINGS + 1))


SEVERITIES: list[Severity] = ["error", "warning", "note"]
FINDINGS = st.builds(found, st.sampled_from(SEVERITIES), st.sampled_from(["x.py", "z.py"]), st.integers(1, 3))
ANSWERS = st.builds(AcceptedAnswer, st.just("comment"), st.just("s"), st.lists(FINDINGS, max_size=4).map(tuple))
CHECKS = st.sampled_from([PASSED, FAILED, SLOW, NOTHING, *(case.values[0] for case in BROKEN)])
FAIL_ON: list[FailOn] = ["error", "warning", "never"]
FACTS = st.builds(
    ReviewFacts, st.none() | ANSWERS, st.lists(CHECKS, max_size=4),
    st.sampled_from([None, None, OFFLINE, COSTLY, CLOSED, Cancelled()]), st.sampled_from(["", "", "max_rounds"]),
    st.sampled_from(["", "", "it is empty"]), st.sampled_from(FAIL_ON), st.sampled_from([0, 1, 4, 5, 6, 7]),
    st.booleans(),
)  # fmt: skip


@given(FACTS)
def test_only_what_was_finished_and_does_not_block_exits_0(any_facts: ReviewFacts) -> None:
    verdict = judge_review(any_facts)
    reached = verdict.reached
    if verdict.exit_code == ExitCode.OK:
        assert not reached.blocking and not any_facts.limit and any_facts.stopped is None
        assert reached.outcome == "reviewed" or any_facts.inconclusive_exit == 0
    if any_facts.limit:
        assert (verdict.exit_code, len(reached.limitations), reached.verdict) == (1, 1, None)
    if reached.outcome == "not_reviewed":
        assert all(each.origin != "model" for each in reached.findings)
    if any_facts.fail_on == "never":
        assert not reached.blocking and not reached.reason.startswith("blocking:")
    elif reached.blocking and not any_facts.limit and any_facts.stopped is None:
        assert verdict.exit_code == 1
    assert [each for each in reached.findings if each in reached.blocking] == list(reached.blocking)


@given(FACTS, st.randoms())
def test_the_order_of_facts_changes_nothing(any_facts: ReviewFacts, chance: random.Random) -> None:
    checks = chance.sample(list(any_facts.checks), len(any_facts.checks))
    answer = any_facts.answer
    if answer is not None:
        answer = replace(answer, findings=tuple(chance.sample(answer.findings, len(answer.findings))))
    assert judge_review(replace(any_facts, checks=checks, answer=answer)) == judge_review(any_facts)
