"""What a run may use, and the ledger that keeps count."""

from __future__ import annotations

from dataclasses import dataclass

from .clock import Clock
from .errors import LimitReached
from .messages import Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of a run, each positive.

    Attributes:
        max_rounds: model calls.
        max_tokens: tokens in and out, summed over the rounds.
        max_seconds: wall time.
        max_output_tokens: tokens of one reply.
        tool_seconds: wall time of one tool call.
    """

    max_rounds: int = 25
    max_tokens: int = 1_000_000
    max_seconds: float = 1800.0
    max_output_tokens: int = 8192
    tool_seconds: float = 300.0


class Ledger:
    """Counts what a run has used against its limits."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self._clock = clock
        self._started = clock.monotonic()
        self.rounds = 0
        self.usage = Usage()

    @property
    def seconds_left(self) -> float:
        """Wall time that is left, never below zero."""
        return max(0.0, self.limits.max_seconds - (self._clock.monotonic() - self._started))

    @property
    def tool_seconds(self) -> float:
        """The time limit of a tool that starts now."""
        return min(self.limits.tool_seconds, self.seconds_left)

    def begin_round(self, prompt_tokens: int) -> int:
        """Count a round that is about to start.

        Args:
            prompt_tokens: the estimated size of its request.

        Returns:
            The ceiling of the reply in tokens: what the limits leave.

        Raises:
            LimitReached: no round, no time, or no tokens are left for it.
        """
        limits = self.limits
        self.require_time()
        if self.rounds >= limits.max_rounds:
            raise LimitReached(
                "max_iterations",
                f"the model had not finished after {limits.max_rounds} rounds",
                hint="give it more with `--max-iterations N`, or a smaller task",
            )
        left = limits.max_tokens - self.usage.total - prompt_tokens
        if left <= 0:
            raise self._out_of_tokens()
        self.rounds += 1
        return min(limits.max_output_tokens, left)

    def end_round(self, usage: Usage) -> None:
        """Count what the round has used.

        Raises:
            LimitReached: it was more than allowed.
        """
        self.usage += usage
        if self.usage.total > self.limits.max_tokens:
            raise self._out_of_tokens()

    def require_time(self) -> None:
        """Make sure that time is left.

        Raises:
            LimitReached: none is.
        """
        if self.seconds_left <= 0:
            raise LimitReached(
                "max_seconds",
                f"the run was not finished after {self.limits.max_seconds:g} seconds",
                hint="give it more with `--max-seconds N`, or a smaller task",
            )

    def _out_of_tokens(self) -> LimitReached:
        return LimitReached(
            "max_tokens",
            f"the next step would pass {self.limits.max_tokens} tokens ({self.usage.total} used)",
            hint="give it more with `--max-tokens N`, or a smaller task",
        )


def estimate_tokens(characters: int) -> int:
    """An estimate of the tokens that so many characters of code and JSON make, from above rather than below."""
    return characters * 10 // 33 + 1
