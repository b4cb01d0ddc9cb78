"""The effective settings of a run: each one's type, range and default.

Where they may come from and which source wins is told in `settings`; those of reviews stand in `review_settings`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from .limits import Limits
from .review_settings import ReviewFields
from .setting_forms import read_list, read_switch

DEFAULT_MODEL = "deepseek-v4-pro"


class Settings(ReviewFields):
    """The effective settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None = Field(default=None, min_length=1)
    """The model."""
    provider: str | None = Field(default=None, min_length=1)
    """The provider; by default the one that the model's name means."""
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    """Any OpenAI-compatible server."""
    key_variable: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The environment variable that holds the key."""
    fixture: str | None = None
    """The file of the `fixture` provider's replies, or the trace that `replay` plays."""
    fallback: Annotated[tuple[str, ...], BeforeValidator(read_list)] = ()
    """The next providers, as `NAME` or `NAME:MODEL`."""
    tool_protocol: Literal["auto", "native", "text"] = "auto"
    """How tool calls go over the wire."""
    prices: dict[str, str] = Field(default_factory=dict)
    """Prices by model, in place of the table's."""
    servers: dict[str, dict[str, str]] = Field(default_factory=dict)
    """What the user says of providers and hosts, in place of the table's or beside it."""
    python: str | None = None
    """The project's interpreter."""
    base: str | None = Field(default=None, min_length=1)
    """What the change starts from."""
    checks: Annotated[tuple[str, ...], BeforeValidator(read_list)] | None = None
    """The required checks, as `NAME`, or `NAME=COMMAND` for one of the project's own commands."""
    commands: dict[str, str] = Field(default_factory=dict)
    """The project's own commands by name, as the user says them."""
    repository_commands: dict[str, str] = Field(default_factory=dict)
    """The same as the repository says them; they count only where the user trusts it."""
    contract: Annotated[tuple[str, ...], BeforeValidator(read_list)] = ("auto",)
    """What kind of change is promised."""
    allow: Annotated[tuple[str, ...], BeforeValidator(read_list)] = ()
    """Kinds of guards that may object and yet pass, because the task asks for it."""
    minimize: bool = False
    """Whether hunks are dropped that nothing needs."""
    review_result: Annotated[bool, BeforeValidator(read_switch)] = Field(
        default=False, exclude_if=lambda value: not value
    )
    """Whether the result is reviewed before the gate; a dump tells it where it is."""
    reuse: bool = True
    """Whether an earlier run's result is given again where everything that its model saw is as it was."""
    sandbox: Literal["auto", "bwrap", "landlock", "external", "none"] = "auto"
    """How checks are isolated."""
    max_iterations: int = Field(default=25, gt=0)
    """Rounds."""
    max_output_tokens: int = Field(default=8192, gt=0)
    """Ceiling of one reply in tokens."""
    max_tokens: int = Field(default=1_000_000, gt=0)
    """Tokens in and out, summed over the rounds."""
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """USD of the run's model calls."""
    max_seconds: float = Field(default=1800.0, gt=0, allow_inf_nan=False)
    """Wall time of the run."""
    tool_timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    """Wall time of one tool call."""

    context_tokens: int = Field(default=6000, ge=0)
    """Ceiling of the context pack in tokens; 0 for none."""
    jobs: int = Field(default=1, gt=0, exclude_if=lambda value: value == 1)
    """How many sessions work on a task of many files side by side; a dump tells it where it is more than one."""

    @property
    def limits(self) -> Limits:
        """The limits among the settings."""
        return Limits(
            self.max_iterations,
            self.max_tokens,
            self.max_seconds,
            self.max_output_tokens,
            self.tool_timeout,
            self.max_cost,
        )


LIMITS = (
    "max_iterations",
    "max_output_tokens",
    "max_tokens",
    "max_cost",
    "max_seconds",
    "tool_timeout",
    "context_tokens",
    "jobs",
)
