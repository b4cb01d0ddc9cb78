"""Makes an oracle err as models do: which mistake, how often, by which lot. The mistakes themselves are in `fault_…`.

A fault spoils the oracle's next reply, where it finds a place in it; the oracle hears what the tools say of it like
everything else. Unlike `core/providers/faults.py`, which spoils the wire and the form of any reply, these need to know
what is right: a wrong `old_string` is wrong only beside the file.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import UserError
from ..messages import OnDelta, Provider, ProviderRequest, ProviderResponse, ignore_delta
from ..redact import printable
from . import fault_calls, fault_edits, fault_replies
from .fault_moment import Moment, Spoil
from .oracle import Oracle

FAULTS: Mapping[str, Spoil] = {
    "whitespace": fault_edits.whitespace,
    "stale": fault_edits.stale,
    "several": fault_edits.several,
    "elided": fault_edits.elided,
    "unparsable": fault_edits.unparsable,
    "truncated": fault_replies.truncated,
    "text_calls": fault_replies.text_calls,
    "wasted": fault_replies.wasted,
    "claimed": fault_replies.claimed,
    "scope": fault_calls.scope,
    "json": fault_calls.unreadable,
    "arguments": fault_calls.arguments,
}
"""The kinds; a new one is one function and one line here."""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Which mistakes an oracle makes.

    Attributes:
        kind: one of `FAULTS`.
        rate: the share of the replies with a place for it that go wrong, 0 to 1.
        seed: of the lot; the same seed makes the same mistakes with every version of Python.
        recovers: whether the reply after a spoiled one is always right.
    """

    kind: str
    rate: float = 0.3
    seed: int = 0
    recovers: bool = True


class FaultyOracle:
    """An oracle that errs, and doesn't see it unless it is told."""

    name = "oracle"
    reads_context = False

    def __init__(self, oracle: Oracle, mistakes: Mistakes) -> None:
        """Wrap an oracle at its start.

        Raises:
            UserError: an unknown kind, or a rate outside of 0 to 1.
        """
        if mistakes.kind not in FAULTS:
            raise UserError(f"there is no fault `{printable(mistakes.kind)}`", hint=f"name one of {', '.join(FAULTS)}")
        if not 0 <= mistakes.rate <= 1:
            raise UserError(f"the rate of faults is {mistakes.rate}", hint="give a number from 0 to 1")
        self._oracle = oracle
        self._oracle.notices = False
        self._mistakes = mistakes
        # With the change itself, so that not all tasks of a suite go wrong at the same places. Only `random()` gives
        # the same numbers in all versions of Python.
        self._draw = random.Random(f"{mistakes.seed} {oracle.digest}").random  # noqa: S311 - nothing here is a secret
        self._erred = False
        self.made = 0
        """Mistakes so far."""

    def supports_function_calling(self) -> bool:
        """As the oracle."""
        return self._oracle.supports_function_calling()

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The oracle's reply, or a spoiled one.

        Raises:
            ProviderFailed: as the oracle.
        """
        reply = self._spoiled(self._oracle.complete(request), request)
        if reply.message.content:
            on_delta(reply.message.content)
        return reply

    def _spoiled(self, reply: ProviderResponse, request: ProviderRequest) -> ProviderResponse:
        may_err = not (self._erred and self._mistakes.recovers)
        self._erred = False
        if not may_err:
            return reply
        spoiled = FAULTS[self._mistakes.kind](Moment(reply, request, self._oracle, self._draw))
        if spoiled is None or self._draw() >= self._mistakes.rate:
            return reply
        self._erred = True
        self._oracle.disown(reply)
        self.made += 1
        return spoiled


def faulty(oracle: Oracle, kind: str, rate: float, seed: int) -> Provider:
    """An oracle as an arm of an evaluation asks for it; `""` is the kind of one that makes no mistakes.

    Raises:
        UserError: as `FaultyOracle`.
    """
    return FaultyOracle(oracle, Mistakes(kind, rate, seed)) if kind else oracle
