"""Sets a review's two statuses on the reviewed commit, at the forge of a remote.

What can be refused is looked at before the model is asked, so that nothing is paid for a word that nobody would hear:
whether there is a commit to speak of, which forge is meant, whether we have a login. What the forge itself refuses
later is no reason to lose the review; it is told beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from orefactor.sandbox.repository import find_repository

from ..errors import ExitCode, UserError
from ..forges.destination import find_destination, open_forge
from ..forges.forge import CommitStatus, Forge
from ..redact import Redactor
from .request import ReviewRequest, change_of
from .result import ReviewResult
from .reviewed_change import ReviewedChange
from .statuses import broken_statuses, review_statuses

_WORTH_TELLING = (ExitCode.PROVIDER, ExitCode.ENVIRONMENT)
"""Where a review fails so, the commit should not be left without a word; a wrong option says nothing of it."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Where the statuses go.

    Attributes:
        change: the one that is reviewed.
        host: the forge's.
        redactor: takes out the environment's secrets.
    """

    change: ReviewedChange
    forge: Forge
    host: str
    redactor: Redactor


@dataclass(frozen=True, slots=True)
class Posted:
    """A status, and why the forge did not take it; None where it did."""

    status: CommitStatus
    refusal: UserError | None = None


def plan_posting(
    request: ReviewRequest, remote: str | None, forge: str | None, environment: Mapping[str, str]
) -> tuple[ReviewRequest, Posting]:
    """Make sure that statuses can be set for what the request means.

    Args:
        remote: the name of a remote; for None the one that git would push to.
        forge: which forge it is at, where that can't be known.
        environment: with the secrets, among which a token may be.

    Returns:
        The request with its change, so that it is the same one that is reviewed, and where the statuses go.

    Raises:
        UserError: the change ends in no commit or can't be taken (exit 2), there is no remote, no forge that is known,
            or no login (6).
    """
    repository = find_repository(request.root)
    change = change_of(request, repository)
    if not change.is_published:
        raise UserError(
            f"{change.source} is no commit, and a status is a commit's",
            hint="name a commit or a range: `git orefactor review HEAD --pr`, `git orefactor review main...HEAD --pr`",
        )
    destination = find_destination(repository, remote, forge, environment)
    if destination.place is None:
        raise UserError(
            f"the remote `{destination.remote.name}` is at no forge that is known here: {destination.address}",
            hint="say which one it is: `--forge github`, `gitlab` or `gitea`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    opened = open_forge(destination.place, environment)
    return replace(request, change=change), Posting(change, opened, destination.place.host, Redactor(environment))


def post_review(posting: Posting, result: ReviewResult) -> tuple[Posted, ...]:
    """Set both statuses of a review, whatever came of it."""
    return tuple(_posted(posting.forge, status) for status in review_statuses(result))


def post_failure(posting: Posting, error: UserError) -> tuple[Posted, ...]:
    """Set both statuses where the review could not begin; none where that is the command line's fault."""
    if error.exit_code not in _WORTH_TELLING:
        return ()
    clean = UserError(posting.redactor.text(error.message), hint="", exit_code=error.exit_code)
    return tuple(_posted(posting.forge, status) for status in broken_statuses(posting.change.after.commit, clean))


def _posted(forge: Forge, status: CommitStatus) -> Posted:
    try:
        forge.set_status(status)
    except UserError as error:
        return Posted(status, error)
    return Posted(status)
