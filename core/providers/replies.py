"""Puts a reply together from the pieces of a stream or from one completion, whatever the server's habits.

Servers leave fields out, repeat them, send them as null, as lists of parts, or with other types; what they mean is
the same. See the tests for each habit with its server.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from ..errors import ProviderFailed
from ..messages import FinishReason, Message, OnDelta, ProviderResponse, ToolCall, Usage
from ..redact import printable

_REASONING = ("reasoning_content", "reasoning")
_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}

Json = dict[str, Any]


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Reply:
    """Collects the chunks of one streamed reply."""

    on_delta: OnDelta
    text: list[str] = field(default_factory=list[str])
    reasoning: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    calls: list[_Call] = field(default_factory=list["_Call"])
    indexes: dict[int, _Call] = field(default_factory=dict[int, "_Call"])
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str = ""
    chunks: int = 0

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
        self.model = str(chunk.get("model") or self.model)
        self.usage = read_usage(chunk.get("usage")) or self.usage
        for choice in _objects(chunk.get("choices"))[:1]:
            self.finish_reason = str(choice.get("finish_reason") or "") or self.finish_reason
            self._add_delta(_object(choice.get("delta") or choice.get("message")))

    def _add_delta(self, delta: Json) -> None:
        text = plain_text(delta.get("content"))
        if text:
            self.text.append(text)
            self.on_delta(text)
        for name in _REASONING:
            if isinstance(delta.get(name), str) and delta[name]:
                self.reasoning.setdefault(name, []).append(delta[name])
        for piece in _objects(delta.get("tool_calls")):
            self._add_call(piece)

    def _add_call(self, piece: Json) -> None:
        function = _object(piece.get("function"))
        name, call_id = str(function.get("name") or ""), str(piece.get("id") or "")
        index = piece.get("index")
        call = (
            self.indexes.get(index)
            if isinstance(index, int)
            else (self.calls[-1] if self.calls and not name else None)
        )
        if call is None or _starts_another(call, call_id, name):
            call = _Call()
            self.calls.append(call)
            if isinstance(index, int):
                self.indexes[index] = call
        # An empty value never overwrites; id and name may come again with each piece.
        call.id = call.id or call_id
        call.name = call.name or name
        call.arguments += arguments_text(function.get("arguments"))

    def finish(self) -> ProviderResponse:
        """The whole reply.

        Raises:
            ProviderFailed: the stream ended before its end, or held no reply.
        """
        if not self.chunks:
            raise ProviderFailed(
                "empty_reply", "the server's reply was empty", hint="try again, or check `--base-url`"
            )
        if self.finish_reason is None and not self.calls and self.usage is None:
            raise ProviderFailed(
                "cut_stream", "the connection ended in the middle of the reply", hint="try again"
            )
        return _response(
            "".join(self.text), self.calls, self.reasoning, self.finish_reason or "", self.usage, self.model
        )


def _starts_another(call: _Call, call_id: str, name: str) -> bool:
    """Some servers give two calls the same index: a different id together with a name begins a new one."""
    return bool(name and call_id and call.id and call_id != call.id)


def read_completion(body: bytes, content_type: str, on_delta: OnDelta) -> ProviderResponse:
    """The reply of a server that answered with one JSON object instead of a stream.

    Raises:
        ProviderFailed: it is no completion.
    """
    try:
        read = json.loads(body)
    except ValueError:
        kind = content_type.partition(";")[0] or "no type"
        raise ProviderFailed(
            "not_json",
            f"the server answered with {kind}, not with a completion",
            hint="check the address: `--base-url URL`",
        ) from None
    completion = _object(read)
    choices = _objects(completion.get("choices"))
    if not choices:
        said = error_text(completion) or "it held no choices"
        raise ProviderFailed(
            "no_choices",
            f"the server gave no completion: {said}",
            hint="check the model's name and the address",
        )
    reply = Reply(on_delta)
    reply.add({**completion, "choices": choices})
    return reply.finish()


def _response(
    text: str,
    calls: list[_Call],
    reasoning: dict[str, list[str]],
    finish: str,
    usage: Usage | None,
    model: str,
) -> ProviderResponse:
    first = next(iter(reasoning.items()), None)
    message = Message(
        "assistant",
        text or None,
        unique_calls(calls),
        reasoning=(first[0], "".join(first[1])) if first else None,
    )
    reason: FinishReason = _FINISH.get(finish, "other")
    # The calls decide: several servers say `stop`, or nothing, beside calls.
    if message.tool_calls and reason != "length":
        reason = "tool_calls"
    return ProviderResponse(message, reason, usage, model)


def unique_calls(calls: list[_Call]) -> tuple[ToolCall, ...]:
    """The calls with an id each; one that is missing or stands twice is made anew, of nine letters and digits."""
    seen: set[str] = set()
    unique: list[ToolCall] = []
    for number, call in enumerate(calls):
        call_id = call.id if call.id and call.id not in seen else f"call{number:05d}"
        seen.add(call_id)
        unique.append(ToolCall(call_id, call.name, call.arguments))
    return tuple(unique)


def plain_text(content: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The text of a message's content: a string, nothing, or a list of parts."""
    if isinstance(content, str):
        return printable(content)
    parts = _objects(content)
    return "".join(
        str(part["text"])
        for part in parts
        if part.get("type") == "text" and isinstance(part.get("text"), str)
    )


def arguments_text(arguments: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The arguments as JSON text: a string, an object, or nothing."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def read_usage(usage: Any) -> Usage | None:  # noqa: ANN401 - whatever the server sent
    """The tokens that the server reports; None where it reports none."""
    read = _object(usage)
    if not isinstance(read.get("prompt_tokens"), int):
        return None
    details = _object(read.get("prompt_tokens_details"))
    candidates = (
        details.get("cached_tokens"),
        read.get("prompt_cache_hit_tokens"),
        read.get("num_cached_tokens"),
        read.get("cached_tokens"),
    )
    cached = next((value for value in candidates if isinstance(value, int) and value > 0), 0)
    return Usage(read["prompt_tokens"], cached, int(read.get("completion_tokens") or 0), 1)


def error_text(body: Json) -> str:
    """What an error object says, in any of its forms."""
    error = body.get("error", body)
    if isinstance(error, dict):
        found = cast("Json", error)
        said = found.get("message") or found.get("detail") or found.get("error") or ""
        return said if isinstance(said, str) else json.dumps(said)
    return str(error) if isinstance(error, str) else ""


def _object(value: Any) -> Json:  # noqa: ANN401 - whatever the server sent
    return cast("Json", value) if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Json]:  # noqa: ANN401 - whatever the server sent
    items: list[Any] = value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
    return [cast("Json", item) for item in items if isinstance(item, dict)]
