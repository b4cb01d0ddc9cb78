"""The parts of `trace.json` that tell what happened between a run and its model. `trace_model` has the whole."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0, le=10**18)]
"""A trace may be a stranger's, and larger numbers break what shows them."""


class Part(BaseModel):
    """One part of a trace: closed, since a trace may be a stranger's."""

    # Built when first used: a run needs these classes only at its end.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class UsagePart(Part):
    """Tokens of one or more requests; cached ones are part of the prompt tokens."""

    prompt_tokens: Count = 0
    cached_tokens: Count = 0
    completion_tokens: Count = 0
    requests: Count = 0


class CallPart(Part):
    """One tool call; all text is redacted."""

    round: Count
    id: str
    name: str
    arguments: Any
    status: Literal["executed", "refused", "failed"]
    duration_ms: Count
    summary: str
    digest: str
    """Sha256 (hex) of the answer as the model got it."""
    bug: str | None = None


class ReplyCallPart(Part):
    """One call of a reply, as the model wrote it; all text is redacted."""

    id: str
    name: str
    arguments: str
    """The JSON text, which need not be valid."""


class RoundPart(Part):
    """One model call."""

    round: Count
    messages: Count
    prompt_tokens_estimated: Count
    model: str = ""
    finish_reason: str = ""
    text: str = ""
    calls: Count = 0
    usage: UsagePart = UsagePart()
    usage_estimated: bool = False
    cost_usd: float | None = None
    duration_ms: Count = 0
    reasoning_chars: Count = 0
    rejected: str | None = None
    """Why the reply was not acted on."""
    reply_calls: tuple[ReplyCallPart, ...] = ()
    written: bool = False
    """Whether the calls were written as text and recognised there."""
    fault: str = ""
    """What is wrong with a call that was written as text."""
    reasoning_digest: str = ""
    """Sha256 (hex) of the reasoning's text; empty where there was none."""
    provider: str = ""
    attempts: Count = 1


class RetryPart(Part):
    """A model call that failed and was asked again."""

    round: Count
    attempt: Count
    attempts: Count
    kind: str
    message: str
    seconds: float
    """How long was waited before."""


class ProviderChangePart(Part):
    """The run went on with the next provider of the chain."""

    round: Count
    before: str
    provider: str
    model: str
    reason: str


class ProtocolChangePart(Part):
    """From this round on, calls went as text, or the answer's form was asked for by itself."""

    round: Count
    protocol: Literal["text", "answer_alone"]
    reason: str
