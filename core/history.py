"""What a message is in the history: as it goes back to the server, and how large it is about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from .errors import ToolError
from .estimates import estimate_tokens
from .messages import Message, ProviderResponse, ToolSchema, Usage
from .tools.validation import load_object


def for_history(message: Message) -> Message:
    """The message as it goes back: arguments that are no object would make some servers answer 500 from then on."""
    return replace(
        message,
        tool_calls=tuple(replace(call, arguments=_valid(call.arguments)) for call in message.tool_calls),
    )


def _valid(arguments: str) -> str:
    try:
        load_object(arguments)
    except ToolError:
        return "{}"
    return arguments if arguments.strip() else "{}"


def characters(message: Message) -> int:
    """The size of a message in characters, its JSON frame included."""
    calls = sum(len(call.name) + len(call.arguments) + 40 for call in message.tool_calls)
    reasoning = len(message.reasoning.text) if message.reasoning else 0
    return len(message.content or "") + calls + reasoning + 16


def request_characters(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> int:
    """The size of a whole request in characters."""
    return sum(map(characters, messages)) + (len(json.dumps(tools)) if tools else 0)


def estimated_usage(prompt_tokens: int, reply: ProviderResponse) -> Usage:
    """The usage of a reply whose server reports none, so that a limit on tokens holds there too."""
    return Usage(prompt_tokens, 0, estimate_tokens(characters(reply.message)), 1)
