"""Puts a reply together from the pieces of a stream or from one completion, whatever the server's habits.

Servers leave fields out, repeat them, send them as null, as lists of parts, or with other types; what they
mean is the same. `call_pieces` and `reasoning` assemble their parts, `values` reads single fields, and `failures`
says what is wrong with what is no reply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ..messages import FinishReason, Message, OnDelta, ProviderResponse, Usage
from .call_pieces import CallPieces
from .event_stream import END
from .failures import Party, broke_off, cut_off, empty_reply, garbled, no_completion, not_json
from .reasoning import Thoughts
from .values import Json, as_object, as_objects, as_text, plain_text, read_usage

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
class Reply:
    """Collects the chunks of one streamed reply.

    Attributes:
        party: who is asked.
        taken: ids of calls that the conversation holds already.
        cached_at: where this server's usage says how many tokens were cached.
    """

    party: Party
    on_delta: OnDelta
    taken: frozenset[str] = frozenset()
    cached_at: str = ""
    text: list[str] = field(default_factory=list[str])
    thoughts: Thoughts = field(default_factory=Thoughts)
    calls: CallPieces = field(default_factory=CallPieces)
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
            try:
                self.add(as_object(json.loads(data)))
            except (ValueError, RecursionError):
                raise garbled(self.party) from None

    def add(self, chunk: Json) -> None:
        """Take one chunk.

        Raises:
            ProviderFailed: it says that the server failed in the middle.
        """
        if chunk.get("error") or chunk.get("object") == "error":
            raise broke_off(chunk, self.party)
        self.chunks += 1
        self.model = as_text(chunk.get("model")) or self.model
        self._add_usage(chunk)
        for choice in as_objects(chunk.get("choices"))[:1]:
            self.finish_reason = as_text(choice.get("finish_reason")) or self.finish_reason
            delta = choice.get("delta")
            if delta is None:
                self._add_delta(as_object(choice.get("message")), whole=True)
            else:
                self._add_delta(as_object(delta), whole=False)

    def _add_usage(self, chunk: Json) -> None:
        for place in (chunk.get("usage"), as_object(chunk.get("x_groq")).get("usage")):
            usage = read_usage(place, self.cached_at)
            # A later report is the better one, but some servers end with one that holds nothing.
            if usage is not None and (usage.total or self.usage is None):
                self.usage = usage

    def _add_delta(self, delta: Json, *, whole: bool) -> None:
        if thought := self.thoughts.add(delta, whole=whole):
            self.on_delta(thought, reasoning=True)
        for text in (plain_text(delta.get("content")), as_text(delta.get("refusal"))):
            if text:
                self.text.append(text)
                self.on_delta(text)
        add = self.calls.add_whole if whole else self.calls.add
        for piece in as_objects(delta.get("tool_calls")):
            add(piece)

    def finish(self) -> ProviderResponse:
        """The whole reply.

        Raises:
            ProviderFailed: the stream ended before its end, or held no reply.
        """
        if not self.chunks:
            raise empty_reply(self.party)
        if self.finish_reason is None and not self.has_ended:
            raise cut_off(self.party)
        finish = (self.finish_reason or "").lower()
        if finish in _INTERRUPTED:
            raise cut_off(self.party, finish)
        calls, signed = self.calls.finish(self.taken)
        reason: FinishReason = _FINISH.get(finish, "other")
        # The calls decide: several servers say `stop`, or nothing, beside calls.
        if calls and reason not in ("length", "content_filter"):
            reason = "tool_calls"
        message = Message("assistant", "".join(self.text) or None, calls, reasoning=self.thoughts.finish(signed))
        return ProviderResponse(message, reason, self.usage, self.model)


def read_completion(body: bytes, content_type: str, reply: Reply) -> ProviderResponse:
    """The reply of a server that answered with one JSON object instead of a stream.

    Raises:
        ProviderFailed: it is no completion.
    """
    try:
        completion = as_object(json.loads(body))
    except (ValueError, RecursionError):
        raise not_json(content_type, reply.party) from None
    choices = as_objects(completion.get("choices"))
    if not choices:
        raise no_completion(completion, reply.party)
    reply.add({**completion, "choices": choices})
    reply.has_ended = True
    return reply.finish()
