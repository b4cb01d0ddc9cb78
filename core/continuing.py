"""Goes on with a recorded run from some round: the rounds before it are played from the record, then a model answers.

What the tools answered is not taken from the record but worked out anew on the recorded base, and where it is not what
the model had seen when it gave its next reply, the run ends: those replies are no continuation of these answers. So no
option is needed that forces it: the hint names the round from which it may go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from orefactor.sandbox.repository import Repository

from .comparison import Comparison
from .errors import UserError
from .limits import Limits
from .messages import Reasoning
from .providers.choose import Choice
from .providers.repeated import RepeatedProvider
from .reasoning_file import read_reasoning
from .recording import Recording, recorded_base, recorded_options
from .request import RunRequest
from .trace_model import Trace

_REPEATED = ("limit:repeated_call",)
_MODELS = "model:"
"""Reasons that lie in the last reply itself: going on behind it would end in the same way."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """What a run continues.

    Attributes:
        run_id: the recorded run's.
        round: the first one that the live model answers.
        reasoning: what the recorded model thought, by round.
    """

    run_id: str
    round: int
    trace: Trace
    reasoning: dict[int, Reasoning] = field(default_factory=dict[int, Reasoning])

    def joined(self, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """The chain of providers, the recorded replies before the first one's own."""
        first = choices[0]
        provider = RepeatedProvider(self.trace, before=self.round, live=first.provider, reasoning=self.reasoning)
        return (replace(first, provider=provider), *choices[1:])

    def extended(self, limits: Limits) -> Limits:
        """The limits with room for the rounds that are played; what they used was paid for by the recorded run."""
        return replace(limits, max_rounds=limits.max_rounds + self.round - 1)

    def comparison(self) -> Comparison:
        """Compares the rounds that are played with the record."""
        return Comparison(self.trace, self.round)


def continuation(recording: Recording, number: int | None) -> Continuation:
    """Go on from a round; by default from the first one that has no reply.

    Args:
        number: from 1; None for the default.

    Raises:
        UserError: the record has no replies up to there, or the run came to its end and no round is named.
    """
    if number is None:
        number = _next(recording)
    if not 1 <= number <= recording.replies + 1:
        raise UserError(
            f"the run {recording.run_id} has replies for {recording.replies} round(s), so it can't go on from round "
            f"{number}",
            hint=f"name a round from 1 to {recording.replies + 1}: `--from N`",
        )
    reasoning = read_reasoning(recording.folder)
    return Continuation(recording.run_id, number, recording.trace, reasoning)


def continued_request(
    repository: Repository, recording: Recording, continues: Continuation, options: Mapping[str, Any]
) -> tuple[RunRequest, list[str]]:
    """What to ask `run` for, and the names of recorded checks that aren't required.

    Args:
        options: the user's; what they don't name comes from the trace where that decides what the recorded model was
            shown, and else from the user's settings. What a run may cost, and what guards let pass, is never the
            trace's.

    Raises:
        UserError: the base isn't here; exit 7.
    """
    taken, unknown = recorded_options(recording.trace, repository, is_offline=False)
    request = RunRequest(
        recording.trace.task,
        repository.place,
        recording.trace.paths,
        {**taken, **options},
        user_settings=True,
        base=recorded_base(repository, recording),
        continues=continues,
    )
    return request, unknown if "checks" not in options else []


def _next(recording: Recording) -> int:
    trace = recording.trace
    if trace.status in ("completed", "gate"):
        raise UserError(
            f"the run {recording.run_id} came to its end, so that no round is without a reply",
            hint=f"name the round that a model shall answer anew, from 1 to {recording.replies}: `--from N`",
        )
    if trace.reason in _REPEATED or trace.reason.startswith(_MODELS):
        return max(1, recording.replies)
    return recording.replies + 1
