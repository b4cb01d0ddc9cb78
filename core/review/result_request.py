"""What the review of a main job's result is asked with: the change, the model, and what the job has left to spend.

The settings are the job's; the model is the reviews' own where there is one. Whether somebody can be asked at all is
found out before the job begins, so that nothing is paid for in vain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orefactor.sandbox.base import Base, unreferenced_commit

from ..errors import ExitCode, UserError
from ..guards.faults import one_line
from ..judging import Judgement
from ..keys import whole_environment
from ..limits import Ledger
from ..messages import RunFacts
from ..providers.choose import Choice, choose_providers
from ..request import Prepared, required_checks
from ..settings import Settings
from .change import change_between
from .request import ReviewRequest

_WITHOUT_MODEL = ("recipes", "replay")
_JOBS_ONLY = ("checks", "contract", "allow", "minimize", "base", "max_iterations", "context_tokens")
_LONGEST_TASK = 200


def require_reviewer(prepared: Prepared) -> None:
    """Make sure before a job begins that its result can be reviewed.

    Raises:
        UserError: there is no model to ask, no key for it, no price although there is a ceiling, or no such check.
    """
    settings = prepared.settings
    required_checks(settings.review.checks, settings, prepared.own_checks)
    if prepared.reviewer is None and settings.provider in _WITHOUT_MODEL and settings.review.model is None:
        raise UserError(
            f"the offline provider `{settings.provider}` can't review its result, since it has no model",
            hint="name a model that reviews: `--review-model NAME`, or leave `--review` out",
            exit_code=ExitCode.PROVIDER,
        )
    own = settings.model_copy(update=_reviewers(settings))
    ready = Choice(prepared.reviewer, own.model or prepared.reviewer.name) if prepared.reviewer else None
    choose_providers(own, RunFacts(prepared.request.task), whole_environment(), ready)


def result_request(prepared: Prepared, ledger: Ledger, judged: Judgement, run_id: str) -> ReviewRequest:
    """The review of what a job has come to.

    Args:
        run_id: the job's.

    Raises:
        LimitReached: nothing is left to review it with.
    """
    request = prepared.request
    options = {name: value for name, value in request.options.items() if name not in _JOBS_ONLY}
    ledger.require_left()
    left: dict[str, Any] = {"max_tokens": ledger.tokens_left, "max_seconds": ledger.seconds_left}
    if ledger.cost_left is not None:
        left["max_cost"] = ledger.cost_left
    return ReviewRequest(
        request.root,
        options={**options, **_reviewers(prepared.settings), **left, "review_result": False},
        provider=prepared.reviewer,
        user_settings=request.user_settings,
        change=change_between(prepared.repository.git, prepared.base.commit, _result(prepared, judged)),
        part_of=run_id,
    )


def _reviewers(settings: Settings) -> Mapping[str, Any]:
    """The settings that say who reviews, where that isn't who has done the work."""
    if settings.review.model is None:
        return {}
    own = {"model": settings.review.model}
    return {**own, "provider": None} if settings.provider in _WITHOUT_MODEL else own


def _result(prepared: Prepared, judged: Judgement) -> Base:
    """The result as the new side of a change, in a commit that nothing refers to."""
    base = prepared.base
    commit = unreferenced_commit(prepared.repository.git, judged.tree, base.commit, "orefactor: result")
    task = one_line(prepared.request.task, _LONGEST_TASK)
    return Base(f"the result of the task: {task}", commit, judged.tree, base.head)
