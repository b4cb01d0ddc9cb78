"""What outputs may tell of a review, and their words for it."""

from __future__ import annotations

from typing import Any

import pytest
from ci_traces import make_trace
from review_traces import CLEAN, INCONCLUSIVE, LIMITED, OF_RUFF, SECRET_WORDS, SUGGESTED, finding, review_trace

from orefactor.core.outputs.published_review import (
    blocking_places,
    change_words,
    counts_words,
    decided_line,
    is_withheld,
    limit_of,
    place_words,
    published,
    round_words,
    tools_told,
)
from orefactor.core.trace_model import ReviewPart, RoundPart, Trace
from orefactor.core.trace_review import ReviewFindingPart

LIMIT = "the limit max_rounds of the deliberation was reached, so that nothing of the model's counts"


def told(trace: Trace) -> ReviewPart:
    review = published(trace)
    assert review is not None
    return review


@pytest.mark.parametrize(
    "changed",
    [
        {"reason": "deliberation_limit:max_rounds", "limit": "max_rounds"},
        {"reason": "interrupted", "limit": "max_cost_tokens"},
        {"reason": "deliberation_limit:per_tool_timeout_seconds", "limit": ""},
        {"reason": "deliberation_limit", "limit": ""},
        {"reason": "interrupted", "limit": ""},
    ],
    ids=["both", "limit alone", "reason alone", "no name", "reason of the run alone"],
)
def test_where_a_limit_was_reached_nothing_of_the_model_is_told(changed: dict[str, Any]) -> None:
    assert LIMITED.review is not None
    trace = LIMITED.model_copy(update={"review": LIMITED.review.model_copy(update=changed)})
    review = told(trace)
    assert limit_of(review) and is_withheld(trace)
    assert SECRET_WORDS not in review.model_dump_json() + decided_line(trace, review)
    assert [found.origin for found in review.findings] == ["ruff"] == [f.origin for f in review.blocking_findings]
    assert (review.verdict, round_words(trace.rounds[0], trace)) == (None, "")


def test_otherwise_all_is_told() -> None:
    assert published(make_trace()) is None and not is_withheld(make_trace())
    trace = review_trace()
    assert published(trace) == trace.review and not is_withheld(trace)


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        (review_trace(),
         "2 blocking findings with fail-on error: 1 of the model, 1 of `ruff` (blocking:model), exit 1"),
        (review_trace({"blocking_findings": [SUGGESTED], "fail_on": "warning"}),
         "1 blocking finding of the model with fail-on warning (blocking:model), exit 1"),
        (review_trace({"blocking_findings": []}), "0 blocking findings with fail-on error (blocking:model), exit 1"),
        (CLEAN, "nothing blocks with fail-on error, exit 0"),
        (INCONCLUSIVE, "the requested check `mypy` could not run (check:mypy), exit 1"),
        (INCONCLUSIVE.model_copy(update={"message": ""}), "the check `mypy` (check:mypy), exit 1"),
        (LIMITED, f"{LIMIT} (deliberation_limit:max_rounds), exit 1"),
        (review_trace({"outcome": "not_reviewed", "reason": "interrupted"}, reason="provider:no_key", message="no key",
                      exit_code=5), "no key (provider:no_key), exit 5"),
        (review_trace({"outcome": "not_reviewed", "reason": "odd"}), "odd (odd), exit 1"),
    ],
)  # fmt: skip
def test_what_decided(trace: Trace, words: str) -> None:
    assert decided_line(trace, told(trace)) == words


@pytest.mark.parametrize(
    ("findings", "dropped", "words"),
    [
        ([], 0, "no findings"),
        ([], 2, "no findings, 2 dropped"),
        ([finding(), finding(severity="note"), OF_RUFF], 0, "2 errors, 1 note"),
        ([finding(severity="warning")], 1, "1 warning, 1 dropped"),
    ],
)
def test_counts(findings: list[Any], dropped: int, words: str) -> None:
    review = told(review_trace({"findings": findings, "dropped": dropped, "paths": ["x"], "changed_lines": 1}))
    assert counts_words(review) == words
    assert change_words(review) == "the working tree, 1 file, 1 changed line"


def test_of_findings_that_are_alike_as_many_block_as_are_named() -> None:
    review = told(review_trace({"findings": [OF_RUFF, SUGGESTED, SUGGESTED], "blocking_findings": [SUGGESTED]}))
    assert blocking_places(review) == {1}


@pytest.mark.parametrize(
    ("place", "words"),
    [(("a.py", 3, 3), "a.py:3"), (("a.py", 3, 9), "a.py:3-9"), (("a.py", 0, 0), "a.py"), (("", 3, 9), "")],
)
def test_places(place: tuple[str, int, int], words: str) -> None:
    assert place_words(ReviewFindingPart.model_validate(finding(*place))) == words


@pytest.mark.parametrize(
    ("trace", "text", "calls", "words"),
    [
        (review_trace(), ' {"verdict": 1}', 0, "changes requested\n\nThe guard against None is wrong."),
        (review_trace(), '{"verdict": 1}', 1, '{"verdict": 1}'),
        (review_trace(), "I look.", 0, "I look."),
        (make_trace(), '{"title": 1}', 0, "Document area\n\nIt says what it does."),
        (make_trace(summary={"title": "", "body": ""}), '{"title": 1}', 0, '{"title": 1}'),
    ],
)
def test_the_words_of_a_round(trace: Trace, text: str, calls: int, words: str) -> None:
    entry = RoundPart(round=1, messages=1, prompt_tokens_estimated=1, text=text, calls=calls)
    assert round_words(entry, trace) == words


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, [("offered", "read_file, check_ruff, check_mypy"), ("requested", "check_ruff"),
              ("declined", "read_file, check_mypy")]),
        ({"offered": (), "requested": (), "not_requested": ()}, [("tools", "none were offered")]),
        ({"requested": (), "not_requested": (), "undecided": "the provider failed"},
         [("offered", "read_file, check_ruff, check_mypy"), ("requested", "none"),
          ("undecided", "the provider failed, so that nothing counts as declined")]),
        ({"offered": ("x",) * 60, "requested": ("x",), "not_requested": ()},
         [("offered", ", ".join("x" * 50) + " and 10 more"), ("requested", "x"), ("declined", "none")]),
    ],
)  # fmt: skip
def test_tools(changed: dict[str, Any], words: list[tuple[str, str]]) -> None:
    assert tools_told(review_trace(**changed)) == words
