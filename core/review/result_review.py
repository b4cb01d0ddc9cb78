"""Reviews what a main job came to, once guards, contract and checks have nothing against it.

The review is a run of its own, with its own folder, trace, tools and limits; the job's stream tells when it begins and
what came of it. What it has used is the job's. In a run that is repeated, the recorded reviews stand in its place as
recorded replies do, each for the very tree that it was about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..book import RunBook, Surroundings
from ..comparison import Difference, Diverged
from ..errors import Cancelled, ProviderFailed, UserError
from ..events import Listener, ResultReviewBegun, ResultReviewed
from ..gate import ResultReview
from ..judging import Judgement
from ..limits import Ledger
from ..messages import Usage
from ..providers.repeated import ENDED
from ..request import Prepared
from ..trace_model import ResultReviewPart, Trace
from .objections import weighed
from .recorded_review import recorded_review
from .request import ReviewRequest
from .result import ReviewResult
from .result_request import result_request


@dataclass(frozen=True, slots=True)
class Live:
    """Who is asked."""

    prepared: Prepared
    run_id: str
    surroundings: Surroundings


class ResultReviewer:
    """Reviews the results of one job, one after the other; the same tree once."""

    def __init__(
        self,
        emit: Listener,
        ledger: Ledger,
        live: Live | None,
        recorded: Sequence[ResultReviewPart] = (),
        ends: Callable[[], bool] = lambda: False,
    ) -> None:
        """Begin.

        Args:
            live: who is asked when the recorded reviews are all given; None for nobody.
            recorded: reviews of the run that is repeated.
            ends: whether the recorded run ended behind the review that was given last.
        """
        self._emit = emit
        self._ledger = ledger
        self._live = live
        self._recorded = deque(recorded)
        self._ends = ends
        self._tree = ""
        self._last = ResultReview(passed=True, reason="")

    def review(self, judged: Judgement) -> ResultReview:
        """Review a result; where nothing has changed since the last time, the last word stands.

        Raises:
            LimitReached: nothing is left to review it with, or the review has used more than that.
            Cancelled: the review was cancelled, and so is the job.
            Diverged: a recorded review was about another result.
            ProviderFailed: the recorded run had no more reviews (kind `replay_ended`).
        """
        if judged.tree != self._tree:
            self._last = self._recorded_review(judged) if self._recorded or self._live is None else self._ask(judged)
            self._tree = judged.tree
        return self._last

    def _recorded_review(self, judged: Judgement) -> ResultReview:
        if not self._recorded:
            raise _ended()
        part = self._recorded.popleft()
        if part.tree != judged.tree:
            message = f"the result that was reviewed after round {part.round} is another one"
            raise Diverged(Difference("tree", message, part.tree[:64], judged.tree, part.round), "")
        reviewed = recorded_review(part)
        if self._live is not None:
            # It was paid for by the recorded run.
            reviewed = replace(reviewed, usage=Usage(), cost_usd=0.0)
        self._emit(reviewed)
        self._ledger.add(reviewed.usage, reviewed.cost_usd)
        if not self._recorded and self._ends():
            raise _ended()
        return weighed(reviewed, "")

    def _ask(self, judged: Judgement) -> ResultReview:
        assert self._live is not None
        live = self._live
        request = result_request(live.prepared, self._ledger, judged, live.run_id)
        model = live.prepared.settings.review.model or live.prepared.model
        self._emit(ResultReviewBegun(model))
        try:
            result = _review(request, live.surroundings)
        except UserError as error:
            # Nothing of a review is kept that can't begin, and the job's result is kept with the job.
            reviewed = _unbegun(self._ledger.rounds, model, judged.tree, error)
            self._emit(reviewed)
            return weighed(reviewed, error.hint)
        reviewed = _told(result, self._ledger.rounds, model)
        self._emit(reviewed)
        if result.trace.status == "cancelled":
            raise Cancelled(exit_code=result.exit_code)
        self._ledger.add(reviewed.usage, reviewed.cost_usd)
        return weighed(reviewed, result.hint)


def reviewer_of_run(prepared: Prepared, book: RunBook, ledger: Ledger, surroundings: Surroundings) -> ResultReviewer:
    """Reviews what a run comes to; of one that goes on with another, the rounds that are played have their reviews."""
    continues = prepared.request.continues
    recorded = [part for part in continues.trace.reviews if part.round < continues.round] if continues else []
    return ResultReviewer(book.emit, ledger, Live(prepared, book.folder.run_id, surroundings), recorded)


def recorded_reviewer(
    trace: Trace, emit: Listener, ledger: Ledger, replies_left: Callable[[], int]
) -> ResultReviewer | None:
    """Gives the reviews of a recorded run again; None where its results were not reviewed.

    Args:
        replies_left: how many recorded replies have not been asked for.
    """
    if not trace.reviews and trace.settings.get("review_result") is not True:
        return None
    return ResultReviewer(emit, ledger, None, trace.reviews, lambda: trace.tree is None and not replies_left())


def _review(request: ReviewRequest, surroundings: Surroundings) -> ReviewResult:
    from .run import review

    # The job's listeners hear of the job's own events alone.
    return review(request, replace(surroundings, listeners=()))


def _told(result: ReviewResult, round_: int, model: str) -> ResultReviewed:
    part, trace = result.review, result.trace
    told = ResultReviewPart(
        **part.model_dump(),
        run_id=trace.run_id,
        round=round_,
        model=next((entry.model for entry in reversed(trace.rounds) if entry.model), model),
        message=result.message,
        usage=trace.usage,
        cost_usd=trace.cost_usd,
    )
    return recorded_review(told)


def _unbegun(round_: int, model: str, tree: str, error: UserError) -> ResultReviewed:
    limitation = f"the review could not begin: {error.message}"
    return ResultReviewed(
        "", round_, model, "", tree, "not_reviewed", "environment", error.message,
        None, "", (), 0, (), "error", (limitation,), Usage(), 0.0,
    )  # fmt: skip


def _ended() -> ProviderFailed:
    return ProviderFailed(
        ENDED,
        "the run comes to a result that the recorded one did not have reviewed to the end",
        hint="it went another way than the recorded one",
    )
