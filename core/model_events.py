"""What happens between a run and its model: rounds, replies, tool calls. Part of the one stream of `events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .messages import Usage

CallStatus = Literal["executed", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class ToolsOffered:
    """The tools that the model is offered."""

    names: tuple[str, ...]
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class ContextBuilt:
    """What the model is shown first was chosen, or could not be.

    Attributes:
        frame: the request frame, in the form of `context --json`.
        pack: the pack without the frame; None where there is none.
        duration_ms: how long the run waited for it.
        failure: why there is none, although it was asked for.
    """

    frame: Mapping[str, Any] | None
    pack: Mapping[str, Any] | None
    duration_ms: int
    failure: str = ""


@dataclass(frozen=True, slots=True)
class RunContinued:
    """The rounds of another run before this one are played again, then a live model answers."""

    run_id: str
    round: int


@dataclass(frozen=True, slots=True)
class ReuseBegun:
    """A kept run of the same task, scope and settings is played again, to see whether its result holds here."""

    run_id: str


@dataclass(frozen=True, slots=True)
class ReuseTried:
    """The kept run was played again, without a model.

    Attributes:
        run_id: the run that asked the model.
        difference: why its result doesn't hold here, so that this run starts anew; empty where it does.
    """

    run_id: str
    difference: str = ""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A model call begins. `prompt_tokens` is our estimate."""

    round: int
    messages: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of the reply's text came in. It is passed on, not written to the trace."""

    round: int
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningArrived:
    """A piece of the reply's reasoning came in. It is passed on, not written to the trace."""

    round: int
    text: str


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """A model call failed, and the same is asked again after some seconds."""

    round: int
    attempt: int
    attempts: int
    kind: str
    message: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ProviderChanged:
    """The run goes on with the next provider of the chain, and why."""

    round: int
    before: str
    provider: str
    model: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProtocolChanged:
    """From now on the run's tool calls are written as text, and why; or the answer's form is asked for by itself."""

    round: int
    protocol: Literal["text", "answer_alone"]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A model call gave a reply: what it takes to play it again, and what it used.

    Attributes:
        text: its text; empty where there was none.
        reply_calls: each call's id, name and arguments as the model wrote them, redacted.
        estimated: whether the usage is ours, as the server reported none.
        cost_usd: None where the price isn't known.
        written: whether the calls were written as text.
        fault: what was wrong with a call that was written as text.
        reasoning_digest: sha256 (hex) of the reasoning; empty where there was none.
        attempts: how often it was asked for.
    """

    round: int
    finish_reason: str
    provider: str
    model: str
    text: str
    reply_calls: tuple[tuple[str, str, str], ...]
    usage: Usage
    estimated: bool
    cost_usd: float | None
    duration_ms: int
    written: bool = False
    fault: str = ""
    reasoning_chars: int = 0
    reasoning_digest: str = ""
    attempts: int = 1

    @property
    def calls(self) -> int:
        """How many calls the reply holds."""
        return len(self.reply_calls)


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call begins. It is passed on, not written to the trace."""

    round: int
    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A tool call was answered. `digest` is the sha256 of the answer as the model got it."""

    round: int
    id: str
    name: str
    arguments: Any
    status: CallStatus
    duration_ms: int
    summary: str
    digest: str
    bug: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyRejected:
    """A reply was not acted on and the model was told why, for example because it was cut for length."""

    round: int
    reason: str
