"""Annotation lines: each is one command of the runner's, whatever strangers wrote, and no more than it keeps."""

from __future__ import annotations

import pytest
from ci_traces import HOSTILE, LIMITED, REFUSED, make_check, make_finding, make_trace
from e2e.github_runner import commands
from review_traces import CLEAN, INCONCLUSIVE, OF_RUFF, SECRET_WORDS, SUGGESTED, finding, review_trace
from review_traces import LIMITED as LIMITED_REVIEW

from orefactor.core.outputs.annotations import MOST, annotation_lines, failure_line
from orefactor.core.trace_model import Trace

LIMIT = "the limit max_rounds of the deliberation was reached, so that nothing of the model's counts"
TOLD = "the limit max_rounds was reached after 3 rounds: nothing of the model's is told"
BLOCKED = "1 blocking finding of the model with fail-on warning"
CONTRACT = "::error file=src/shapes.py,line=2,title=contract/docstrings (in the change)::"


@pytest.mark.parametrize(
    ("trace", "lines"),
    [
        (make_trace(), ["::notice title=git orefactor::Document area"]),
        (make_trace(files_changed=(), message="the task needed no change"),
         ["::notice title=git orefactor::the task needed no change"]),
        (LIMITED, ["::error title=git orefactor%3A limit%3Amax_cost::the next call could cost too much"]),
        (REFUSED, [
            f"{CONTRACT}in area: `import os` was added",
            "::error file=tests/test_x.py,line=7,title=guard/tests (in the change)::a test is gone (and 1 more)",
            "::error title=guard/size (in the change)::900 lines changed",
            "::error file=src/shapes.py,line=2,title=ruff/F401 (in the change)::`os` is unused",
            "::warning file=tests/test_x.py,title=pytest/failed (in the change)::tests/test_x.py::test_a failed",
        ]),
        (REFUSED.model_copy(update={"contract": make_trace().contract, "guards": (), "checks": ()}),
         ["::error title=git orefactor%3A contract%3Adocstrings::" + REFUSED.message]),
    ],
    ids=["delivered", "no change", "limit", "refused", "refused for nothing listed"],
)  # fmt: skip
def test_lines(trace: Trace, lines: list[str]) -> None:
    assert annotation_lines(trace).splitlines() == lines


@pytest.mark.parametrize(
    ("status", "required", "kind"),
    [("gate", True, "error"), ("completed", False, "warning"), ("limit", True, "error")],
)
def test_no_more_than_the_runner_keeps(status: str, required: bool, kind: str) -> None:
    findings = [make_finding(line=number) for number in range(1, 31)]
    check = make_check("ruff", "failed", *findings, required=required).model_dump()
    told = [
        found for found in commands(annotation_lines(make_trace(status=status, checks=(check,)))) if found[0] == kind
    ]
    assert len(told) == MOST
    listed = MOST - 1 if status != "limit" else MOST - 2
    assert told[-1][2] == f"and {30 - listed} more, see the summary"


def test_strangers_text_is_no_command() -> None:
    finding = make_finding().model_copy(update={"path": HOSTILE, "rule": "a,b=c:d", "text": HOSTILE * 100})
    check = make_check("ruff", "failed").model_copy(update={"findings": (finding,) * 3, "name": HOSTILE})
    text = annotation_lines(REFUSED.model_copy(update={"checks": (check,)}))
    lines = text.splitlines()
    assert len(lines) == 6 and all(line.startswith("::error ") for line in lines)
    for _, properties, data in commands(text)[-3:]:
        assert [pair.partition("=")[0] for pair in properties.split(",")] == ["file", "line", "title"]
        assert data.isprintable() and len(data) < 1500
    # A percent sign is the runner's own escape.
    assert failure_line("a%0A::b", "50 %\nmore") == "::error title=git orefactor%3A a%250A%3A%3Ab::50 %25 more\n"
    assert failure_line("reason", "").endswith("::reason\n")


@pytest.mark.parametrize(
    ("trace", "lines"),
    [
        (review_trace(), [
            "::error file=src/shapes.py,line=6,endLine=7,title=model/bug (blocking)::" + SUGGESTED["message"],
            "::error file=src/shapes.py,line=8,title=ruff/E101 (blocking)::" + OF_RUFF["message"],
            "::warning file=b.txt,line=1,title=model/naming::What is é?",
            "::notice title=model/scope::The change has no test.",
        ]),
        (CLEAN, ["::notice title=git orefactor::approved; no findings; nothing blocks with fail-on error"]),
        (LIMITED_REVIEW, [
            f"::error title=git orefactor%3A deliberation_limit%3Amax_rounds::not reviewed: {LIMIT}",
            "::error file=src/shapes.py,line=8,title=ruff/E101 (blocking)::" + OF_RUFF["message"],
            f"::warning title=git orefactor%3A limitation::{TOLD}",
        ]),
        (INCONCLUSIVE, [
            "::error title=git orefactor%3A check%3Amypy::inconclusive: the requested check `mypy` could not run",
            "::warning title=git orefactor%3A limitation::the check `mypy` could not run: it is not installed",
            "::warning title=git orefactor%3A limitation::the file `big.bin` was left out",
        ]),
        (review_trace({"findings": [finding(severity="warning", message="")], "fail_on": "warning", "dropped": 0,
                       "blocking_findings": [finding(severity="warning", message="")]}), [
            f"::error title=git orefactor%3A blocking%3Amodel::changes requested; 1 warning; {BLOCKED}",
            "::warning file=src/shapes.py,line=6,endLine=7,title=model/bug (blocking)::warning",
        ]),
    ],
    ids=["blocking", "clean", "limit", "inconclusive", "a warning blocks"],
)  # fmt: skip
def test_lines_of_a_review(trace: Trace, lines: list[str]) -> None:
    assert annotation_lines(trace).splitlines() == lines
    assert SECRET_WORDS not in annotation_lines(trace)


def test_of_a_review_no_more_than_the_runner_keeps() -> None:
    many = [finding(HOSTILE, severity=kind, message=HOSTILE) for kind in ("error", "warning", "note")] * 20
    told = commands(annotation_lines(review_trace({"findings": many, "limitations": [HOSTILE] * 3})))
    assert [kind for kind, _, _ in told] == ["error"] * MOST + ["warning"] * MOST + ["notice"] * MOST
    assert [data for _, _, data in told[MOST - 1 :: MOST]] == [
        *("and 11 more, see the summary", "and 14 more, see the summary", "and 11 more, see the summary")
    ]
