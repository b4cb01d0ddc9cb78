"""Wraps any provider and makes chosen calls go wrong, as real servers and models do; for tests and for evaluation.

A failure stands in place of a call, and the wrapped provider is not asked then: a retry gets the reply that would
have come. A spoiled reply is the wrapped provider's own, changed by `spoiled_replies`. All is decided by the plan,
which says what happens at the n-th call; the same plan gives the same faults. A fault that finds no place (broken
arguments in a reply without calls, refused tools in a request that offers none) changes nothing.

Faults of the wire (broken events, wrong types, odd fields) aren't here: they end in one of these, or are no fault.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import ProviderFailed
from ..messages import OnDelta, Provider, ProviderRequest, ProviderResponse, ignore_delta
from .spoiled_replies import SPOILS, SpoilKind

FailureKind = Literal[
    "rate_limited",
    "server_error",
    "unreachable",
    "interrupted",
    "cut_stream",
    "unauthorized",
    "no_credit",
    "too_large",
    "bad_request",
    "tool_use_failed",
    "no_function_calling",
    "no_structured_answer",
]
FaultKind = FailureKind | SpoilKind
KINDS: tuple[FaultKind, ...] = (*get_args(FailureKind), *get_args(SpoilKind))
"""All kinds, failures first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong.

    Attributes:
        text: what came before a stream was cut, the call that the server refused, the name of the other tool, or the
            text beside calls; None for the kind's own.
        retry_after: seconds that a `rate_limited` or `server_error` asks to wait.
    """

    kind: FaultKind
    text: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a kind of failure says, whether asking again or elsewhere may help, and its own text."""

    what: str
    retry: bool = False
    elsewhere: bool = False
    text: str = ""


# `retry` and `elsewhere` as the real providers say them for the same kind.
_FAILURES: dict[str, _Failure] = {
    "rate_limited": _Failure("there were too many requests", retry=True, elsewhere=True),
    "server_error": _Failure("the server failed", retry=True, elsewhere=True),
    "unreachable": _Failure("the server can't be reached", retry=True, elsewhere=True),
    "interrupted": _Failure("the server broke its reply off", retry=True, elsewhere=True),
    "cut_stream": _Failure("the connection ended in the middle of the reply", True, True, "I will look at "),
    "unauthorized": _Failure("the key was refused", elsewhere=True),
    "no_credit": _Failure("the account has no credit left", elsewhere=True),
    "too_large": _Failure("the request is too large"),
    "bad_request": _Failure("the request was refused"),
    "tool_use_failed": _Failure("the server refused the model's call", text='{"name": "read_file", "arguments": {'),
    "no_function_calling": _Failure("the model can't call tools", elsewhere=True),
    "no_structured_answer": _Failure("the server takes no form of the answer"),
}


class FaultyProvider:
    """Answers as the wrapped provider, except where the plan has a fault."""

    def __init__(self, inner: Provider, faults: Mapping[int, Fault]) -> None:
        """Wrap a provider.

        Args:
            inner: the provider that answers.
            faults: what goes wrong, by the number of the call; the first is 1.
        """
        self._inner = inner
        self._faults = faults
        self._asked = 0

    @property
    def name(self) -> str:
        """The name of the wrapped provider."""
        return self._inner.name

    def supports_function_calling(self) -> bool:
        """As the wrapped provider."""
        return self._inner.supports_function_calling()

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """Ask once, and let this call's fault happen. A spoiled reply's text comes in one piece.

        Raises:
            ProviderFailed: the fault is a failure, or the wrapped provider failed.
        """
        self._asked += 1
        fault = self._faults.get(self._asked)
        if fault is None or not _has_place(fault.kind, request):
            return self._inner.complete(request, on_delta)
        if (failure := _FAILURES.get(fault.kind)) is not None:
            raise _failed(fault, failure, self.name, on_delta)
        # What was streamed need not be what the reply says in the end.
        reply = SPOILS[fault.kind](self._inner.complete(request), request, fault.text)
        _tell(reply, on_delta)
        return reply


def random_faults(
    seed: int, rate: float, calls: int, kinds: Sequence[FaultKind] = KINDS, *, retry_after: float | None = None
) -> Mapping[int, Fault]:
    """A plan by lot; the same arguments give the same plan with every version of Python.

    Args:
        seed: of the lot.
        rate: the share of calls that go wrong, 0 to 1.
        calls: how many calls the plan covers; later ones go well.
        kinds: what may go wrong, each as likely as the others.
        retry_after: seconds, for the kinds that ask to wait.

    Raises:
        ValueError: a rate outside of 0 to 1, or no kinds.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"the rate must lie between 0 and 1, not {rate}")
    if not kinds:
        raise ValueError("there must be at least one kind of fault")
    # Only `random()` gives the same numbers in all versions of Python.
    draw = random.Random(seed).random  # noqa: S311 - nothing here is a secret
    drawn = ((number, draw(), draw()) for number in range(1, calls + 1))
    return {
        number: Fault(kinds[int(which * len(kinds))], retry_after=retry_after)
        for number, luck, which in drawn
        if luck < rate
    }


def _has_place(kind: FaultKind, request: ProviderRequest) -> bool:
    if kind in ("no_function_calling", "tool_use_failed"):
        return bool(request.tools)
    return kind != "no_structured_answer" or request.response_schema is not None


def _failed(fault: Fault, failure: _Failure, name: str, on_delta: OnDelta) -> ProviderFailed:
    text = failure.text if fault.text is None else fault.text
    if fault.kind == "cut_stream" and text:
        on_delta(text)
    return ProviderFailed(
        fault.kind,
        f"`{name}`: {failure.what} (injected)",
        hint="this fault was injected; leave it out of the plan",
        retry=failure.retry,
        elsewhere=failure.elsewhere,
        retry_after=fault.retry_after if fault.kind in ("rate_limited", "server_error") else None,
        said=text if fault.kind == "tool_use_failed" else "",
    )


def _tell(reply: ProviderResponse, on_delta: OnDelta) -> None:
    if reply.message.reasoning is not None:
        on_delta(reply.message.reasoning.text, reasoning=True)
    if reply.message.content:
        on_delta(reply.message.content)
