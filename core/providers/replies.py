"""Puts a reply together from the pieces of a stream or from one completion, whatever the server's habits.

Servers leave fields out, repeat them, send them as null, as lists of parts, or with other types; what they
mean is the same. `values` reads single fields.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import Any

from ..errors import ProviderFailed
from ..messages import FinishReason, Message, OnDelta, ProviderResponse, ToolCall, Usage
from .event_stream import END
from .values import (
    Json,
    arguments_text,
    as_object,
    as_objects,
    as_text,
    error_text,
    plain_text,
    read_usage,
)

_REASONING = ("reasoning_content", "reasoning")
_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
_INTERRUPTED = ("error", "insufficient_system_resource")


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Reply:
    """Collects the chunks of one streamed reply.

    Attributes:
        taken: ids of calls that the conversation holds already.
    """

    on_delta: OnDelta
    taken: frozenset[str] = frozenset()
    text: list[str] = field(default_factory=list[str])
    reasoning: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    calls: list[_Call] = field(default_factory=list["_Call"])
    indexes: dict[int, _Call] = field(default_factory=dict[int, "_Call"])
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str = ""
    chunks: int = 0
    has_ended: bool = False

    def add_event(self, data: bytes) -> None:
        """Take the data of one event of a stream.

        Raises:
            ProviderFailed: it is no JSON, or it says that the server failed in the middle.
        """
        if data.strip() == END:
            self.has_ended = True
        elif data.strip():
            self.add(as_object(_json(data, "text/event-stream")))

    def add(self, chunk: Json) -> None:
        """Take one chunk.

        Raises:
            ProviderFailed: it says that the server failed in the middle.
        """
        if chunk.get("error"):
            raise ProviderFailed(
                "stream_error",
                f"the server failed in the middle of its reply: {error_text(chunk)}",
                hint="try again",
            )
        self.chunks += 1
        self.model = as_text(chunk.get("model")) or self.model
        self.usage = read_usage(chunk.get("usage")) or self.usage
        for choice in as_objects(chunk.get("choices"))[:1]:
            self.finish_reason = as_text(choice.get("finish_reason")) or self.finish_reason
            delta = choice.get("delta")
            self._add_delta(_numbered(choice.get("message")) if delta is None else as_object(delta))

    def _add_delta(self, delta: Json) -> None:
        text = plain_text(delta.get("content"))
        if text:
            self.text.append(text)
            self.on_delta(text)
        for name in _REASONING:
            if thought := as_text(delta.get(name)):
                self.reasoning.setdefault(name, []).append(thought)
        for piece in as_objects(delta.get("tool_calls")):
            self._add_call(piece)

    def _add_call(self, piece: Json) -> None:
        function = as_object(piece.get("function"))
        name, call_id = as_text(function.get("name")), as_text(piece.get("id"))
        arguments = arguments_text(function.get("arguments"))
        index = piece.get("index")
        call = self.indexes.get(index) if isinstance(index, int) else self._last_call(call_id, name)
        if call is None or _starts_another(call, call_id, name, arguments):
            call = _Call()
            self.calls.append(call)
            if isinstance(index, int):
                self.indexes[index] = call
        # An empty value never overwrites; id and name may come again with each piece.
        call.id = call.id or call_id
        call.name = call.name or name
        call.arguments += arguments

    def _last_call(self, call_id: str, name: str) -> _Call | None:
        """The call that a piece without index goes on with: the last one, unless it names another."""
        last = self.calls[-1] if self.calls else None
        return last if last is not None and (not name or (call_id and call_id == last.id)) else None

    def finish(self) -> ProviderResponse:
        """The whole reply.

        Raises:
            ProviderFailed: the stream ended before its end, or held no reply.
        """
        if not self.chunks:
            raise ProviderFailed("empty_reply", "the server's reply was empty", hint="try again, or check `--base-url`")
        if self.finish_reason is None and not self.has_ended:
            raise cut_off()
        if self.finish_reason in _INTERRUPTED:
            raise ProviderFailed(
                "interrupted", f"the server broke its reply off ({self.finish_reason})", hint="try again"
            )
        first = next(iter(self.reasoning.items()), None)
        message = Message(
            "assistant",
            "".join(self.text) or None,
            unique_calls(self.calls, self.taken),
            reasoning=(first[0], "".join(first[1])) if first else None,
        )
        reason: FinishReason = _FINISH.get(self.finish_reason or "", "other")
        # The calls decide: several servers say `stop`, or nothing, beside calls.
        if message.tool_calls and reason not in ("length", "content_filter"):
            reason = "tool_calls"
        return ProviderResponse(message, reason, self.usage, self.model)


def cut_off() -> ProviderFailed:
    """The connection broke, or the stream lacks its end: what came until then is no reply."""
    return ProviderFailed("cut_stream", "the connection ended in the middle of the reply", hint="try again")


def _numbered(message: Any) -> Json:  # noqa: ANN401 - whatever the server sent
    """A whole message with an index in each call, so that none is taken for a piece of the one before."""
    whole = as_object(message)
    calls = [{**call, "index": number} for number, call in enumerate(as_objects(whole.get("tool_calls")))]
    return {**whole, "tool_calls": calls}


def _starts_another(call: _Call, call_id: str, name: str, arguments: str) -> bool:
    """Some servers give two calls the same index: another id, or a name after arguments that are whole."""
    if call_id and call.id and call_id != call.id:
        return bool(name)
    return bool(name and arguments) and _is_object(call.arguments)


def _is_object(arguments: str) -> bool:
    if not arguments.rstrip().endswith("}"):
        return False
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False


def read_completion(body: bytes, content_type: str, reply: Reply) -> ProviderResponse:
    """The reply of a server that answered with one JSON object instead of a stream.

    Raises:
        ProviderFailed: it is no completion.
    """
    completion = as_object(_json(body, content_type))
    choices = as_objects(completion.get("choices"))
    if not choices:
        said = error_text(completion) or "it held no choices"
        raise ProviderFailed(
            "no_choices",
            f"the server gave no completion: {said}",
            hint="check the model's name and the address",
        )
    reply.add({**completion, "choices": choices})
    reply.has_ended = True
    return reply.finish()


def _json(data: bytes, content_type: str) -> Any:  # noqa: ANN401 - whatever the server sent
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        kind = content_type.partition(";")[0] or "no type"
        raise ProviderFailed(
            "not_json",
            f"the server answered with {kind} that holds no completion",
            hint="check the address: `--base-url URL`",
        ) from None


def unique_calls(calls: list[_Call], taken: frozenset[str]) -> tuple[ToolCall, ...]:
    """The calls with an id each; a missing or repeated one is made anew, of nine letters and digits."""
    seen = set(taken)
    fresh = (made for made in (f"call{number:05d}" for number in itertools.count()) if made not in seen)
    unique: list[ToolCall] = []
    for call in calls:
        call_id = call.id if call.id and call.id not in seen else next(fresh)
        seen.add(call_id)
        unique.append(ToolCall(call_id, call.name, call.arguments))
    return tuple(unique)
