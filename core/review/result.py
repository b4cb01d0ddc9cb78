"""What a review gives back to its caller, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..checks.result import CheckResult
from ..errors import ExitCode
from ..messages import Provider
from ..trace_model import Trace
from ..trace_review import ReviewPart
from .deliberation import Heard
from .reviewed_change import ReviewedChange

_FACTS = (
    "source",
    "before",
    "commit",
    "tree",
    "outcome",
    "reason",
    "verdict",
    "summary",
    "findings",
    "dropped",
    "blocking_findings",
    "fail_on",
    "limitations",
    "quality_degraded",
    "reused",
)
_TRACE = ("run_id", "exit_code", "message", "iterations", "usage", "cost_usd", "offered", "requested", "not_requested")
_CHECK = ("name", "required", "when", "outcome", "findings_new", "findings_old")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a review came to, before it is judged.

    Attributes:
        checks: the results of those that ran.
        contents: the changed files as they are now, by path.
    """

    heard: Heard
    checks: tuple[CheckResult, ...] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The result of one review.

    Attributes:
        message: one line for people; `hint` says what to do.
        trace: everything that is known of the review.
        change: what was reviewed.
        contents: the changed files as they are after the change, by path.
        warnings: what of the settings doesn't count, a line each.
        scripted: the provider, where it plays a script, which goes on where it has come to.
    """

    exit_code: ExitCode
    message: str
    hint: str
    trace: Trace
    trace_path: Path
    change: ReviewedChange
    contents: Mapping[str, bytes]
    warnings: tuple[str, ...] = ()
    scripted: Provider | None = None

    @property
    def review(self) -> ReviewPart:
        """What was found."""
        assert self.trace.review is not None
        return self.trace.review

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        dumped = self.trace.model_dump(mode="json", by_alias=True)
        return {
            **{name: dumped["review"][name] for name in _FACTS},
            **{name: dumped[name] for name in _TRACE},
            "undecided": dumped["undecided"],
            "checks": [{name: check[name] for name in _CHECK} for check in dumped["checks"]],
            "warnings": list(self.warnings),
            "trace_path": str(self.trace_path),
        }
