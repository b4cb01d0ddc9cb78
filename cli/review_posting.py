"""`review --pr`: sets the statuses of a review, and says what came of it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from orefactor.core.errors import ExitCode, UserError

from .errors import redacted, say

if TYPE_CHECKING:
    from orefactor.core.review.posting import Posted, Posting
    from orefactor.core.review.request import ReviewRequest
    from orefactor.core.review.result import ReviewResult


def planned(
    request: ReviewRequest, *, pr: bool, remote: str | None, forge: str | None, fix: bool
) -> tuple[ReviewRequest, Posting | None]:
    """Make sure that the statuses can be set, where they are wanted.

    Raises:
        UserError: they can't, or options don't go together.
    """
    if not pr:
        for name, value in (("remote", remote), ("forge", forge)):
            if value is not None:
                raise UserError(f"`--{name}` needs `--pr`", hint="add `--pr`")
        return request, None
    if fix:
        raise UserError("`--pr` and `--fix` exclude each other", hint="review with `--pr`, then fix what is found")
    from orefactor.core.keys import whole_environment
    from orefactor.core.review.posting import plan_posting

    return plan_posting(request, remote, forge, whole_environment())


@contextmanager
def failure_posted(posting: Posting | None, *, quiet: bool) -> Generator[None]:
    """Tell the commit too where what runs inside can't begin for want of a key or of what checks need."""
    try:
        yield
    except (UserError, OSError) as error:
        if posting is not None:
            from orefactor.core.review.posting import post_failure

            _say_posted(posting, post_failure(posting, _as_user_error(error)), quiet=quiet)
        raise


def _as_user_error(error: UserError | OSError) -> UserError:
    if isinstance(error, UserError):
        return error
    return UserError(error.strerror or type(error).__name__, hint="", exit_code=ExitCode.ENVIRONMENT)


def post_and_say(posting: Posting | None, result: ReviewResult, *, quiet: bool) -> tuple[Posted, ...]:
    """Set the statuses of a review that is over, where they are wanted; none otherwise."""
    if posting is None:
        return ()
    from orefactor.core.review.posting import post_review

    posted = post_review(posting, result)
    _say_posted(posting, posted, quiet=quiet)
    return posted


def _say_posted(posting: Posting, posted: Sequence[Posted], *, quiet: bool) -> None:
    commit = posting.change.after.commit[:12]
    for each in posted:
        status, refusal = each.status, each.refusal
        if refusal is not None:
            say("error", f"the status `{status.context}` was not set: {refusal.message}")
            say("hint", _hint(refusal))
        elif not quiet:
            say("done", f"{status.context} at {posting.host} on {commit}: {status.state}, {status.description}")


def _hint(refusal: UserError) -> str:
    """What to do about it; a forge's own words hardly tell what a status lacks."""
    from orefactor.core.forges.refusals import ForgeRefused

    if isinstance(refusal, ForgeRefused) and refusal.status in (403, 404, 422):
        return "see whether the commit has been pushed, and whether the login may set statuses there"
    return refusal.hint


def statuses_json(posted: Sequence[Posted]) -> list[dict[str, Any]]:
    """The statuses as `--json` has them."""
    return [
        {
            "commit": each.status.commit,
            "context": each.status.context,
            "state": each.status.state,
            "description": each.status.description,
            "set": each.refusal is None,
            "error": redacted(each.refusal.message) if each.refusal else None,
        }
        for each in posted
    ]


def code_after_posting(code: int, posted: Sequence[Posted]) -> int:
    """The exit code: a status that was refused counts only where nothing else went wrong."""
    return int(ExitCode.PROVIDER) if not code and any(each.refusal for each in posted) else code
