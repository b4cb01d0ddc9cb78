"""What a session and a provider say to each other: frozen values without any wire format.

Only `core/providers/` knows how a server spells them. Every field beyond role and content has a neutral default,
so that a conversation without tools needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "other"]
ToolSchema = Mapping[str, Any]
"""One tool in the OpenAI function-calling form: `{"type": "function", "function": {...}}`."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model asks for.

    Attributes:
        id: unique within the conversation.
        name: the tool's name, as the model wrote it.
        arguments: the JSON text of the arguments, as the model wrote it.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What a reasoning model thought before it answered.

    Attributes:
        text: as people read it.
        fields: the wire fields that it came in, as they go back where the server wants them: strings, and lists of
            objects with signatures.
    """

    text: str
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation.

    Attributes:
        tool_calls: the calls of an assistant message.
        tool_call_id: for role `tool`: the call that it answers.
        name: for role `tool`: that call's tool.
        reasoning: the reasoning that came with an assistant message, sent back where the server wants it.
    """

    role: Role
    content: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    reasoning: Reasoning | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more requests; cached ones are part of the prompt tokens."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 0

    @property
    def total(self) -> int:
        """Tokens in and out."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.requests + other.requests,
        )


@dataclass(frozen=True, slots=True)
class ResponseSchema:
    """The JSON Schema that the last reply should have, and its name."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """One model call.

    Attributes:
        model: the model's name; empty for a provider that has only one.
        tools: the tools on offer; empty for a plain completion.
        tool_choice: left out of the request when None.
        response_schema: the form of a reply without calls; a provider that can't ask for it leaves it out.
        max_tokens: ceiling of the reply in tokens.
        timeout: seconds that the whole call may take.
    """

    messages: tuple[Message, ...]
    model: str = ""
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: str | None = None
    response_schema: ResponseSchema | None = None
    max_tokens: int | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """One reply.

    Attributes:
        usage: what the server reported; None where it reported nothing.
        model: the model that the server says has answered.
        written: whether the calls were written as text and recognised there.
        fault: what is wrong with a call that was written as text; none of the reply's calls may run then.
    """

    message: Message
    finish_reason: FinishReason = "stop"
    usage: Usage | None = None
    model: str = ""
    written: bool = False
    fault: str = ""

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls of the reply, in order."""
        return self.message.tool_calls


class OnDelta(Protocol):
    """Is given each piece of the reply's text as it arrives, and each piece of its reasoning."""

    def __call__(self, text: str, /, *, reasoning: bool = False) -> None:
        """Take one piece."""
        ...


def ignore_delta(_text: str, /, *, reasoning: bool = False) -> None:
    """An `OnDelta` for callers that don't watch."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a provider without a model may know of the run beyond its messages.

    Attributes:
        task: the task's text.
        paths: the scope, relative to the top; empty means everything.
        change_lines: lines of the change or of the target, whichever are more; asked when needed.
    """

    task: str
    paths: tuple[str, ...] = ()
    change_lines: Callable[[], int] = field(default=lambda: 0)


class Provider(Protocol):
    """Answers one request after the other. Wrappers have the same face."""

    @property
    def name(self) -> str:
        """The name that the trace and messages show."""
        ...

    def supports_function_calling(self) -> bool:
        """Whether tools may be offered."""
        ...

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """Ask once.

        Raises:
            ProviderFailed: no usable reply.
        """
        ...
