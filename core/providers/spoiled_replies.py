"""The replies that go wrong without any error: each kind is a function from a good reply to the spoiled one.

Pure: which call is spoiled is the matter of `faults`. They are what real models and servers send now and then, as far
as a `ProviderResponse` can say it. A kind that finds no place in a reply, such as a call's where there is none, gives
it back as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from ..messages import Message, ProviderRequest, ProviderResponse, ToolCall, Usage

SpoilKind = Literal[
    "cut_for_length",
    "filtered",
    "empty_reply",
    "broken_arguments",
    "empty_arguments",
    "arguments_no_object",
    "equal_ids",
    "used_ids",
    "empty_ids",
    "other_tool",
    "duplicate_call",
    "calls_as_text",
    "text_beside_calls",
    "control_characters",
    "wrong_finish",
    "usage_missing",
    "usage_huge",
    "usage_inconsistent",
]
Spoil = Callable[[ProviderResponse, ProviderRequest, str | None], ProviderResponse]
"""The reply, the request that it answers, and a text of the fault's own; gives the spoiled reply."""

_LARGEST_COUNT = 2**53 - 1
_CONTROLS = "\x1b[2J\x07\u202e\u200b", "\x1b]0;title\x07\r\x00"
"""What drives a terminal, turns the direction of writing, or can't be seen."""


def _with_calls(reply: ProviderResponse, calls: Sequence[ToolCall]) -> ProviderResponse:
    return replace(reply, message=replace(reply.message, tool_calls=tuple(calls)))


def _with_text(reply: ProviderResponse, text: str | None) -> ProviderResponse:
    return replace(reply, message=replace(reply.message, content=text or None))


def _each_call(change: Callable[[ToolCall], ToolCall]) -> Spoil:
    return lambda reply, _request, _text: _with_calls(reply, [change(call) for call in reply.tool_calls])


def _each_arguments(change: Callable[[str], str]) -> Spoil:
    return _each_call(lambda call: replace(call, arguments=change(call.arguments)))


def _usage(usage: Usage | None) -> Spoil:
    return lambda reply, _request, _text: replace(reply, usage=usage)


def _cut_for_length(reply: ProviderResponse, _request: ProviderRequest, _text: str | None) -> ProviderResponse:
    """Half of the last call's arguments is missing, or half of the text where there is no call."""
    cut = replace(reply, finish_reason="length")
    if not reply.tool_calls:
        text = reply.message.content or ""
        return _with_text(cut, text[: len(text) // 2])
    *whole, last = reply.tool_calls
    return _with_calls(cut, (*whole, replace(last, arguments=last.arguments[: len(last.arguments) // 2])))


def _equal_ids(reply: ProviderResponse, _request: ProviderRequest, _text: str | None) -> ProviderResponse:
    calls = reply.tool_calls
    return _with_calls(reply, [replace(call, id=calls[0].id) for call in calls])


def _used_ids(reply: ProviderResponse, request: ProviderRequest, _text: str | None) -> ProviderResponse:
    """The first call has the id of the conversation's last one."""
    used = [call.id for message in request.messages for call in message.tool_calls]
    if not used or not reply.tool_calls:
        return reply
    first, *rest = reply.tool_calls
    return _with_calls(reply, (replace(first, id=used[-1]), *rest))


def _other_tool(reply: ProviderResponse, _request: ProviderRequest, text: str | None) -> ProviderResponse:
    return _with_calls(reply, [replace(call, name=text or "no_such_tool") for call in reply.tool_calls])


def _duplicate(reply: ProviderResponse, _request: ProviderRequest, _text: str | None) -> ProviderResponse:
    again = (replace(call, id=f"{call.id}again") for call in reply.tool_calls[-1:])
    return _with_calls(reply, (*reply.tool_calls, *again))


def _as_text(reply: ProviderResponse, _request: ProviderRequest, _text: str | None) -> ProviderResponse:
    """The calls in the form that several open models were trained on, and no real call."""
    if not reply.tool_calls:
        return reply
    blocks = (
        f'<tool_call>\n{{"name": {json.dumps(call.name)}, "arguments": {call.arguments or "{}"}}}\n</tool_call>'
        for call in reply.tool_calls
    )
    text = "\n".join(filter(None, (reply.message.content, *blocks)))
    return _with_text(_with_calls(replace(reply, finish_reason="stop"), ()), text)


def _beside(reply: ProviderResponse, _request: ProviderRequest, text: str | None) -> ProviderResponse:
    return _with_text(reply, text or "All is done; nothing is left to do.") if reply.tool_calls else reply


def _controls(reply: ProviderResponse, _request: ProviderRequest, _text: str | None) -> ProviderResponse:
    before, after = _CONTROLS
    return _with_text(reply, f"{before}{reply.message.content or ''}{after}")


SPOILS: dict[str, Spoil] = {
    "cut_for_length": _cut_for_length,
    "filtered": lambda reply, _request, _text: replace(reply, finish_reason="content_filter"),
    "empty_reply": lambda reply, _request, _text: replace(
        reply, message=Message("assistant", None), finish_reason="stop"
    ),
    "broken_arguments": _each_arguments(lambda arguments: (arguments or "{")[:-1] + ","),
    "empty_arguments": _each_arguments(lambda _arguments: ""),
    "arguments_no_object": _each_arguments(lambda arguments: f"[{arguments or 'null'}]"),
    "equal_ids": _equal_ids,
    "used_ids": _used_ids,
    "empty_ids": _each_call(lambda call: replace(call, id="")),
    "other_tool": _other_tool,
    "duplicate_call": _duplicate,
    "calls_as_text": _as_text,
    "text_beside_calls": _beside,
    "control_characters": _controls,
    "wrong_finish": lambda reply, _request, _text: replace(
        reply, finish_reason="stop" if reply.tool_calls else "tool_calls"
    ),
    "usage_missing": _usage(None),
    "usage_huge": _usage(Usage(_LARGEST_COUNT, 0, _LARGEST_COUNT, 1)),
    "usage_inconsistent": _usage(Usage(1, _LARGEST_COUNT, 0, 1)),
}
