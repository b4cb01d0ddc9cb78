"""Hands accepted suggestions to the main job: as one task, on the very tree that was reviewed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..context.rendering import fenced
from ..request import RunRequest
from ..trace_review import ReviewFindingPart, ReviewPart
from .request import ReviewRequest
from .result import ReviewResult

_ONLY_REVIEWS = "review_"


def suggested(review: ReviewPart, accepted: Collection[int] | None = None) -> tuple[ReviewFindingPart, ...]:
    """The findings with a suggestion.

    Args:
        accepted: the numbers of the wanted ones, from 1 in the order in which they are listed; None for all.
    """
    numbered = enumerate(review.findings, 1)
    return tuple(each for number, each in numbered if each.suggestion and (accepted is None or number in accepted))


def fix_request(
    request: ReviewRequest, result: ReviewResult, findings: Sequence[ReviewFindingPart], *, apply: bool = False
) -> RunRequest:
    """The main job that carries findings' suggestions out.

    Args:
        request: the review's.
        apply: whether the result is also put on the working tree.
    """
    paths = tuple(dict.fromkeys(finding.path for finding in findings))
    return RunRequest(
        fix_task(findings),
        request.root,
        paths,
        _options(request.options),
        provider=result.scripted,
        user_settings=request.user_settings,
        base=result.change.after,
        apply=apply,
    )


def fix_task(findings: Sequence[ReviewFindingPart]) -> str:
    """The task in words: each suggestion with its place, its reason and its exact edit."""
    told = "\n".join(_told(number, finding) for number, finding in enumerate(findings, 1))
    return f"Fix what a review found: make these edits exactly as they are suggested, and no others.\n\n{told}"


def _told(number: int, finding: ReviewFindingPart) -> str:
    assert finding.suggestion is not None
    old, new = (fenced(text, finding.path) for text in (finding.suggestion.old_string, finding.suggestion.new_string))
    place = f"{finding.path}:{finding.start_line}-{finding.end_line}"
    return f"{number}. {place} ({finding.rule}): {finding.message}\nReplace\n{old}by\n{new}"


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the review that the main job has too; it has checks of its own."""
    return {name: value for name, value in options.items() if not name.startswith(_ONLY_REVIEWS) and name != "checks"}
