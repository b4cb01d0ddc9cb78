"""Any OpenAI-compatible API through the official client: what goes out, and how a reply is asked for.

`replies` puts together what comes in.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..messages import Message, OnDelta, ProviderRequest, ProviderResponse, ignore_delta
from .event_stream import event_data
from .failures import failed, too_slow
from .presets import Preset
from .replies import Reply, cut_off, read_completion

if TYPE_CHECKING:
    from openai import OpenAI


class OpenAIProvider:
    """One server and key."""

    def __init__(self, preset: Preset, base_url: str, key: str | None) -> None:
        self._preset = preset
        self._base_url = base_url
        self._key = key
        self._client: OpenAI | None = None

    @property
    def name(self) -> str:
        """The preset's name."""
        return self._preset.name

    def supports_function_calling(self) -> bool:
        """Servers of this kind do, until one says otherwise."""
        return True

    def prepare(self) -> None:
        """Load and construct the client, which takes a third of a second; may run in another thread."""
        if self._client is None:
            from openai import OpenAI

            # A server without keys still wants the header to be there.
            client = OpenAI(api_key=self._key or "none", base_url=self._base_url, max_retries=2)
            weakref.finalize(self, client.close)
            self._client = client

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """Ask once, streamed, and put the reply together.

        Raises:
            ProviderFailed: no usable reply.
        """
        self.prepare()
        import openai

        assert self._client is not None
        deadline = None if request.timeout is None else time.monotonic() + request.timeout
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            raw = create(**payload(request, self._preset), timeout=_timeout(request.timeout))
        except openai.OpenAIError as error:
            raise failed(error, self.name, self._base_url) from error
        taken = frozenset(call.id for message in request.messages for call in message.tool_calls)
        with closing(raw.http_response) as response:
            return _read(response, Reply(on_delta, taken), deadline)


def _read(response: Any, reply: Reply, deadline: float | None) -> ProviderResponse:  # noqa: ANN401 - httpx's or httpx2's
    content_type = response.headers.get("content-type", "")
    pieces = _pieces(response, deadline)
    if "text/event-stream" not in content_type:
        return read_completion(b"".join(pieces), content_type, reply)
    for data in event_data(pieces):
        reply.add_event(data)
    return reply.finish()


def _pieces(response: Any, deadline: float | None) -> Iterator[bytes]:  # noqa: ANN401 - as above
    # The client builds on httpx up to its second version and on httpx2 from its third.
    transport = import_module(type(response).__module__.partition(".")[0])
    try:
        for piece in response.iter_bytes():
            if deadline is not None and time.monotonic() > deadline:
                raise too_slow()
            yield piece
    except transport.TimeoutException as error:
        raise too_slow() from error
    except transport.HTTPError as error:
        raise cut_off() from error


def _timeout(seconds: float | None) -> Any:  # noqa: ANN401 - the client's own type, imported when needed
    import openai

    # A queued request may send nothing for minutes; connecting must not take that long.
    return openai.Timeout(min(seconds or 600.0, 600.0), connect=10.0)


def payload(request: ProviderRequest, preset: Preset) -> dict[str, Any]:
    """The arguments of the client's call; what is empty is left out."""
    sent: dict[str, Any] = {
        "model": request.model,
        "messages": [wire_message(message, preset) for message in request.messages],
        "stream": True,
    }
    if preset.stream_usage:
        sent["stream_options"] = {"include_usage": True}
    if request.tools:
        sent["tools"] = [dict(tool) for tool in request.tools]
    if request.tool_choice is not None:
        sent["tool_choice"] = request.tool_choice
    if request.max_tokens is not None:
        sent[preset.max_tokens_field] = request.max_tokens
    return sent


def wire_message(message: Message, preset: Preset) -> dict[str, Any]:
    """One message as the server reads it."""
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.content is None and not (message.tool_calls and preset.null_content):
        wire["content"] = ""
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    if message.name is not None:
        wire["name"] = message.name
    if message.reasoning is not None and preset.reasoning_back:
        field, text = message.reasoning
        wire[field] = text
    return wire
