"""The settings of reviews: their fields, their dotted names, the one value that the rest of the program reads.

They lie flat in `Settings`, so that each has one source like every other setting, and in two sections where people
write them: `review` and `review.deliberation`. The main job's trace doesn't show them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from .review.finding import FailOn
from .setting_forms import read_list, read_number, read_switch, read_whole

DELIBERATION, REVIEW = "review.deliberation", "review"
SECTIONS = (DELIBERATION, REVIEW)
_EXIT_CODES = (0, 1, 4, 5, 6, 7)
_MOST = 1_000_000_000
"""What waits or adds up can't hold any number."""


def _read_exit_code(value: object) -> int:
    code = read_whole(value)
    if code not in _EXIT_CODES:
        raise ValueError(f"one of {', '.join(map(str, _EXIT_CODES))}")
    return code


_Switch = Annotated[bool, BeforeValidator(read_switch)]
_Whole = Annotated[int, BeforeValidator(read_whole)]
_Seconds = Annotated[float, BeforeValidator(read_number)]


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """How a change is reviewed.

    Attributes:
        enabled: whether the model may ask for evidence; otherwise it is asked once, after every check.
        max_rounds: model calls.
        max_cost_tokens: tokens in and out, summed over the rounds.
        per_tool_timeout_seconds: wall time of one tool call.
        fail_on: the least severity that blocks.
        inconclusive_exit: the exit code where neither model nor checks decide.
        checks: the required ones, as `NAME` or `NAME=COMMAND`.
        model: None for the one that the settings mean.
    """

    enabled: bool
    max_rounds: int
    max_cost_tokens: int
    per_tool_timeout_seconds: float
    fail_on: FailOn
    inconclusive_exit: int
    checks: tuple[str, ...]
    model: str | None


class ReviewFields(BaseModel):
    """The same among all settings. A dump leaves them out: what isn't a review's doesn't depend on them."""

    review_enabled: _Switch = Field(default=True, exclude=True)
    """Whether a review's model may ask for evidence."""
    review_max_rounds: _Whole = Field(default=3, gt=0, le=_MOST, exclude=True)
    """Model calls of a review."""
    review_max_cost_tokens: _Whole = Field(default=60_000, gt=0, le=_MOST, exclude=True)
    """Tokens in and out of a review, summed over the rounds."""
    review_per_tool_timeout_seconds: _Seconds = Field(default=120.0, gt=0, le=_MOST, allow_inf_nan=False, exclude=True)
    """Wall time of one tool call of a review."""
    review_fail_on: FailOn = Field(default="error", exclude=True)
    """The least severity that blocks."""
    review_inconclusive_exit: Annotated[int, BeforeValidator(_read_exit_code)] = Field(default=1, exclude=True)
    """The exit code of a review that decides nothing."""
    review_checks: Annotated[tuple[str, ...], BeforeValidator(read_list)] = Field(default=("py_compile",), exclude=True)
    """The required checks of a review, as `NAME` or `NAME=COMMAND`."""
    review_model: str | None = Field(default=None, min_length=1, exclude=True)
    """The model of reviews; None for the same."""

    @property
    def review(self) -> ReviewSettings:
        """How a change is reviewed."""
        return ReviewSettings(
            self.review_enabled,
            self.review_max_rounds,
            self.review_max_cost_tokens,
            self.review_per_tool_timeout_seconds,
            self.review_fail_on,
            self.review_inconclusive_exit,
            self.review_checks,
            self.review_model,
        )


_DELIBERATION = ("enabled", "max_rounds", "max_cost_tokens", "per_tool_timeout_seconds")
DOTTED: Mapping[str, str] = {
    field: f"{DELIBERATION if name in _DELIBERATION else REVIEW}.{name}"
    for field in ReviewFields.model_fields
    for name in [field.removeprefix("review_")]
}
"""The names that people write, by field."""
REVIEW_LIMITS = ("review_max_rounds", "review_max_cost_tokens", "review_per_tool_timeout_seconds")
REVIEW_POLICY = tuple(name for name in DOTTED if name not in ("review_checks", "review_model"))
"""What a policy may say of reviews."""
REVIEW_FROM_REPOSITORY = tuple(name for name in DOTTED if name not in ("review_inconclusive_exit", "review_model"))
"""What a file of the repository may say of them."""


def section_of(field: str) -> str:
    """The section that a field is written in; empty for a setting that isn't a review's."""
    return DOTTED.get(field, "").rpartition(".")[0]
