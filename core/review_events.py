"""What happens in a review. Part of the one stream of `events`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .messages import Usage
from .review.finding import FailOn, ReviewFinding, Verdict

ReviewOutcome = Literal["reviewed", "not_reviewed", "inconclusive"]


@dataclass(frozen=True, slots=True)
class ChangeTaken:
    """What is reviewed is known: see `ReviewedChange`."""

    source: str
    before: str
    before_tree: str
    commit: str
    tree: str
    paths: tuple[str, ...]
    changed_lines: int
    digest: str


@dataclass(frozen=True, slots=True)
class DeliberationEnded:
    """The model needs no more tools, or got no further.

    Attributes:
        undecided: why the model decided nothing about the tools that it was offered; empty where it answered or hit
            a limit.
        limit: the limit of the deliberation that it hit; empty where it hit none.
        requested: the offered tools that it called.
        not_requested: those that it decided not to call; none where it has decided nothing.
        tokens: in and out, summed over the rounds.
        results_digest: of what the executed calls gave, in order, 64 hex digits.
    """

    undecided: str
    limit: str
    requested: tuple[str, ...]
    not_requested: tuple[str, ...]
    rounds: int
    tokens: int
    results_digest: str


@dataclass(frozen=True, slots=True)
class VerdictReused:
    """The verdict of an earlier review holds here too: same change, model, settings and results of tools."""

    run_id: str


@dataclass(frozen=True, slots=True)
class ReviewReached:
    """The gate for reviews decided.

    Attributes:
        reason: what decided, such as `deliberation_limit:max_rounds`, `blocking:model`, `check:mypy`, `reviewed`.
        verdict: the model's; None where it gave none that counts.
        summary: the model's words on the whole; empty where nothing of it is published.
        findings: all of them, the weightiest first.
        dropped: how many pointed outside of the change or at lines that don't exist.
        blocking: those among them that block, by `fail_on`.
        limitations: what the review could not do, a line each.
        quality_degraded: whether any of them costs the review its worth.
    """

    outcome: ReviewOutcome
    reason: str
    verdict: Verdict | None
    summary: str
    findings: tuple[ReviewFinding, ...]
    dropped: int
    blocking: tuple[ReviewFinding, ...]
    fail_on: FailOn
    limitations: tuple[str, ...] = ()
    quality_degraded: bool = False


@dataclass(frozen=True, slots=True)
class ResultReviewBegun:
    """In the main job: its result is reviewed, in a run of its own."""

    model: str


@dataclass(frozen=True, slots=True)
class ResultReviewed:
    """In the main job: what the review of its result came to.

    Attributes:
        run_id: the review's own run; empty where it never began.
        round: the main job's, whose answer was reviewed.
        commit: of the reviewed tree; nothing refers to it.
        message: the review's own word in one line.
        usage, cost_usd: what the review has used, which is the main job's to pay; nothing of a recorded one.
        blocking: those of the findings that went back to the model, where a repair was left.
    """

    run_id: str
    round: int
    model: str
    commit: str
    tree: str
    outcome: ReviewOutcome
    reason: str
    message: str
    verdict: Verdict | None
    summary: str
    findings: tuple[ReviewFinding, ...]
    dropped: int
    blocking: tuple[ReviewFinding, ...]
    fail_on: FailOn
    limitations: tuple[str, ...]
    usage: Usage
    cost_usd: float | None
