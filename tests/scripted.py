"""A provider that plays replies from a list, and a clock that goes only when it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from orefactor.core.messages import (
    FinishReason,
    Message,
    OnDelta,
    ProviderRequest,
    ProviderResponse,
    ToolCall,
    Usage,
    ignore_delta,
)

Step = ProviderResponse | Exception | Callable[[ProviderRequest], ProviderResponse]


def reply(
    *calls: ToolCall, text: str | None = None, finish: FinishReason | None = None, usage: Usage | None = None
) -> ProviderResponse:
    """One reply."""
    reason: FinishReason = finish or ("tool_calls" if calls else "stop")
    return ProviderResponse(Message("assistant", text, calls), reason, usage or Usage(10, 0, 5, 1), "scripted-1")


def asked(call_id: str, tool: str, **arguments: Any) -> ToolCall:
    """One call of a reply."""
    return ToolCall(call_id, tool, json.dumps(arguments))


@dataclass(slots=True)
class ScriptedProvider:
    """Plays the steps in order: gives a reply, raises an exception, or asks a function.

    Attributes:
        requests: what it was asked.
    """

    steps: Sequence[Step]
    name: str = "scripted"
    tools: bool = True
    requests: list[ProviderRequest] = field(default_factory=list[ProviderRequest])

    def supports_function_calling(self) -> bool:
        """As the test wants it."""
        return self.tools

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The next step."""
        step = self.steps[len(self.requests)]
        self.requests.append(request)
        if isinstance(step, Exception):
            raise step
        given = step if isinstance(step, ProviderResponse) else step(request)
        if given.message.reasoning:
            on_delta(given.message.reasoning.text, reasoning=True)
        if given.message.content:
            on_delta(given.message.content)
        return given


def collecting(seen: list[str]) -> OnDelta:
    """An `OnDelta` that keeps each piece of text."""

    def take(text: str, /, *, reasoning: bool = False) -> None:
        if not reasoning:
            seen.append(text)

    return take


@dataclass(slots=True)
class ManualClock:
    """A clock whose hands the test moves."""

    seconds: float = 0.0

    def now(self) -> datetime:
        """The first of January 2030, and the seconds since."""
        return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        """The seconds."""
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Move the hands."""
        self.seconds += seconds
