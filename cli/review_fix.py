"""`review --fix`: the suggestions that are accepted, as a task for the main job, and the exit code then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orefactor.core.errors import ExitCode, UserError

from .errors import say

if TYPE_CHECKING:
    from orefactor.core.book import Surroundings
    from orefactor.core.result import RefactorResult
    from orefactor.core.review.request import ReviewRequest
    from orefactor.core.review.result import ReviewResult


def accepted_numbers(text: str | None) -> frozenset[int] | None:
    """The numbers of a list such as `1,3`; None for all.

    Raises:
        UserError: it is no such list.
    """
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < len(part) <= 6 and int(part) for part in parts):
        raise UserError(f"`--accept {text}` is no list of numbers", hint="name findings by number: `--accept 1,3`")
    return frozenset(map(int, parts))


def fix_with(
    request: ReviewRequest,
    result: ReviewResult,
    numbers: frozenset[int] | None,
    surroundings: Surroundings,
    *,
    apply: bool,
) -> RefactorResult | None:
    """Run the main job on the accepted suggestions; None where there is none.

    Raises:
        UserError: a number is no finding's with a suggestion.
    """
    from orefactor.core.review.fixing import fix_request, suggested
    from orefactor.core.run import run

    found = suggested(result.review, numbers)
    if numbers is not None and len(found) != len(numbers):
        count = len(suggested(result.review))
        raise UserError(
            f"not every number of `--accept` is a finding with a suggestion; {count} finding(s) have one",
            hint="see the numbers in the review: `git orefactor review`",
        )
    if not found:
        say("note", "the review suggests no edit, so there is nothing to fix")
        return None
    return run(fix_request(request, result, found, apply=apply), surroundings)


def code_after(result: ReviewResult, fixed: RefactorResult, numbers: frozenset[int] | None) -> int:
    """The exit code of a review whose suggestions were carried out: what still blocks counts, and what is unsure.

    Args:
        numbers: as in `fix_with`.
    """
    from orefactor.core.review.fixing import suggested

    if fixed.exit_code is not ExitCode.OK:
        return int(fixed.exit_code)
    review = result.review
    done = suggested(review, numbers)
    if not review.blocking_findings or any(each not in done for each in review.blocking_findings):
        return int(result.exit_code)
    return int(result.trace.settings["review"]["inconclusive_exit"]) if review.limitations else int(ExitCode.OK)
