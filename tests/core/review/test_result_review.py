"""The reviewer of a main job's results, without a job: what is weighed, what is played again, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from conftest import MakeRepository
from e2e.scenes import SHAPES, leftovers, run_folders
from recordings import newest_trace
from scripted import ManualClock, ScriptedProvider, Step, asked, reply

from orefactor.core.book import Surroundings
from orefactor.core.comparison import Diverged
from orefactor.core.errors import ExitCode, LimitReached, ProviderFailed
from orefactor.core.events import Event, ResultReviewed
from orefactor.core.gate import ContractResult, Facts, ResultReview, judge
from orefactor.core.judging import Judgement
from orefactor.core.limits import Ledger, Limits
from orefactor.core.messages import ProviderRequest, ProviderResponse, Usage
from orefactor.core.record import Record
from orefactor.core.request import RunRequest
from orefactor.core.review.finding import ReviewFinding, SuggestedEdit
from orefactor.core.review.objections import MOST_OBJECTIONS, weighed
from orefactor.core.review.recorded_review import recorded_review
from orefactor.core.review.result_review import ResultReviewer, recorded_reviewer
from orefactor.core.run import run
from orefactor.core.trace_building import build_trace, result_review
from orefactor.core.trace_model import Trace

TREE, OTHER = "t" * 40, "u" * 40
FOUND = ReviewFinding("bug", "model", "error", "x.py", 2, 3, "No.", SuggestedEdit("a\n", "```b"), 0.5)
REVIEWED = ResultReviewed(
    "20300101T000000-abcdef", 2, "m", "c" * 40, TREE, "reviewed", "blocking:model", "1 finding blocks",
    "request_changes", "Look.", (FOUND,), 1, (FOUND,), "error", (), Usage(100, 0, 10, 1), 0.5,
)  # fmt: skip


def found(**changed: Any) -> ReviewFinding:
    return replace(FOUND, **changed)


PASSED = replace(REVIEWED, reason="reviewed", message="fine", blocking=())
UNREVIEWED = "the result could not be reviewed: "
EDIT = "It suggests to replace\n```python\na\n```\n  by\n````python\n```b\n````"
SEE = "see the review with `git orefactor show 20300101T000000-abcdef`"


@pytest.mark.parametrize(
    ("reviewed", "hint", "expected"),
    [
        pytest.param(PASSED, "", ResultReview(True, "reviewed", "fine"), id="passed"),
        pytest.param(
            replace(REVIEWED, outcome="inconclusive", reason="check:mypy", blocking=(), message="mypy says nothing"),
            "see `git orefactor doctor`",
            ResultReview(
                False, "check:mypy", f"{UNREVIEWED}mypy says nothing",
                f"see `git orefactor doctor`; {SEE}; nothing was delivered",
            ),
            id="inconclusive",
        ),
        pytest.param(
            # What checks found stands, and yet nobody has reviewed it: mending that is no review.
            replace(REVIEWED, outcome="not_reviewed", reason="limit:max_cost", message="no money", run_id=""),
            "",
            ResultReview(False, "limit:max_cost", f"{UNREVIEWED}no money", "nothing was delivered"),
            id="not reviewed",
        ),
    ],
)  # fmt: skip
def test_what_a_review_means(reviewed: ResultReviewed, hint: str, expected: ResultReview) -> None:
    assert weighed(reviewed, hint) == expected


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        pytest.param(FOUND, f"x.py:2-3 (bug) No.\n  {EDIT}", id="with a suggestion"),
        pytest.param(found(suggestion=SuggestedEdit("a" * 500, "b" * 500), end_line=2), "x.py:2 (bug) No.",
                     id="with a long one"),
        pytest.param(found(suggestion=None, start_line=0, end_line=0), "x.py (bug) No.", id="without a line"),
        pytest.param(found(suggestion=None, path="", message="a\nb\x1b[2J" + "c" * 500),
                     f"(bug) a b\\x1b[2J{'c' * 500}", id="hostile"),
        pytest.param(found(suggestion=None, path="", message="c" * 2000), f"(bug) {'c' * 599}\u2026", id="long"),
    ],
)  # fmt: skip
def test_what_the_model_is_told(finding: ReviewFinding, told: str) -> None:
    said = weighed(replace(REVIEWED, blocking=(finding, replace(finding, origin="mypy"))), "").objections
    assert said == (f"- review: {told}", f"- review, mypy: {told}")


def test_most_of_many_objections_are_left_out() -> None:
    many = tuple(found(message=f"{number}") for number in range(100))
    assert len(weighed(replace(REVIEWED, blocking=many), "").objections) == MOST_OBJECTIONS


@pytest.mark.parametrize(
    "review", [None, ResultReview(True, "reviewed"), ResultReview(False, "blocking:model", "m", "h")]
)
def test_the_gate_hears_of_it_last(review: ResultReview | None) -> None:
    outcome = judge(Facts(True, review=review))
    refused = review is not None and not review.passed
    assert outcome.delivers is not refused
    if refused:
        told = (outcome.status, outcome.reason, outcome.exit_code, outcome.message, outcome.hint)
        assert told == ("gate", "review:blocking:model", ExitCode.GATE, "m", "h")
        broken = ContractResult(("docstrings",), ok=False)
        assert judge(Facts(True, contract=broken, review=review)).reason == "contract:docstrings"


def judged(tree: str = TREE) -> Judgement:
    return Judgement(tree, (), (), (), ContractResult(), ())


def recorded(*reviews: ResultReviewed, **settings: Any) -> Trace:
    record = Record(reviews=list(reviews))
    return build_trace(record, "").model_copy(update={"settings": settings})


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(Limits(max_tokens=200, max_cost=1.0), ManualClock())


def player(
    trace: Trace, ledger: Ledger, left: int = 1, emit: Callable[[Event], None] = lambda _: None
) -> ResultReviewer:
    made = recorded_reviewer(trace, emit, ledger, lambda: left)
    assert made is not None
    return made


def test_recorded_reviews_are_played_for_their_trees(ledger: Ledger) -> None:
    assert recorded_review(result_review(REVIEWED)) == REVIEWED
    seen: list[Event] = []
    reviewer = player(recorded(REVIEWED, replace(PASSED, tree=OTHER)), ledger, emit=seen.append)
    first = reviewer.review(judged())
    assert (first.passed, len(first.objections)) == (False, 1)
    # Nothing has changed since, so nothing is played.
    assert reviewer.review(judged()) is first
    assert (seen, ledger.usage.total, ledger.cost) == ([REVIEWED], 110, 0.5)
    with pytest.raises(LimitReached, match="200 tokens"):
        reviewer.review(judged(OTHER))
    assert len(seen) == 2


def test_a_recorded_review_of_another_result(ledger: Ledger) -> None:
    with pytest.raises(Diverged) as raised:
        player(recorded(REVIEWED), ledger).review(judged(OTHER))
    difference = raised.value.difference
    assert (difference.kind, difference.was, difference.now, difference.round) == ("tree", TREE, OTHER, 2)


@pytest.mark.parametrize(
    ("trace", "left"),
    [
        pytest.param(recorded(review_result=True), 1, id="no review was left"),
        pytest.param(recorded(REVIEWED), 0, id="the run ended behind its review"),
    ],
)
def test_a_recorded_run_that_came_no_further(trace: Trace, left: int, ledger: Ledger) -> None:
    with pytest.raises(ProviderFailed) as raised:
        player(trace, ledger, left).review(judged())
    assert raised.value.kind == "replay_ended"


def test_a_recorded_run_without_reviews(ledger: Ledger) -> None:
    assert recorded_reviewer(recorded(), lambda _: None, ledger, lambda: 0) is None


@pytest.mark.parametrize(
    ("limits", "usage", "seconds", "limit"),
    [
        pytest.param(Limits(), Usage(1), 0, "", id="something is left"),
        pytest.param(Limits(max_tokens=10), Usage(10), 0, "max_tokens", id="no token"),
        pytest.param(Limits(max_cost=0.5), Usage(1), 0, "max_cost", id="no money"),
        pytest.param(Limits(max_seconds=5), Usage(1), 6, "max_seconds", id="no time"),
    ],
)
def test_what_a_run_has_left(limits: Limits, usage: Usage, seconds: float, limit: str) -> None:
    clock = ManualClock()
    ledger = Ledger(limits, clock)
    ledger.add(usage, 0.5)
    clock.sleep(seconds)
    if not limit:
        ledger.require_left()
        assert (ledger.tokens_left, ledger.cost_left) == (limits.max_tokens - usage.total, None)
        return
    with pytest.raises(LimitReached) as raised:
        ledger.require_left()
    assert raised.value.limit == limit


WORK: tuple[Step, ...] = (
    reply(asked("c1", "read_file", path="x.py")),
    reply(asked("c2", "edit_file", path="x.py", old_string="return a * b", new_string="return b * a")),
    reply(text="Turn it round"),
)
LOOK = reply(asked("c3", "read_file", path="x.py"))


def interrupt(_request: ProviderRequest) -> ProviderResponse:
    raise KeyboardInterrupt


@pytest.mark.parametrize("way", ["asked to stop", "interrupted"])
def test_a_cancelled_review_cancels_the_job(make_repository: MakeRepository, way: str) -> None:
    repository = make_repository({"x.py": SHAPES})
    stopped: list[bool] = []

    def stop(_request: ProviderRequest) -> ProviderResponse:
        stopped.append(True)
        return LOOK

    last = stop if way == "asked to stop" else interrupt
    provider = ScriptedProvider((*WORK, last))
    options = {"checks": ("py_compile",), "review_result": True}
    result = run(
        RunRequest("turn it", repository, ("x.py",), options, provider), Surroundings((), lambda: bool(stopped))
    )
    assert (result.status, result.reason, result.exit_code) == ("cancelled", "interrupted", ExitCode.INTERRUPTED)
    trace = newest_trace(repository)
    (part,) = trace["reviews"]
    assert (part["outcome"], part["reason"], trace["tree"]) == ("not_reviewed", "interrupted", None)
    assert (result.patch, leftovers(repository), len(run_folders(repository))) == (None, [], 2)
    assert result.usage.prompt_tokens == 30 + part["usage"]["prompt_tokens"]
