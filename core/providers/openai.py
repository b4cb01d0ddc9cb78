"""Any OpenAI-compatible API through the official client: asks once, and reads what comes.

`wire` spells what goes out, `replies` puts together what comes in, `failures` says what went wrong. The client's own
retries are off: whether asking again helps is told with the failure, and the session decides. The one request that is
made anew here is that of a server that names a parameter which it doesn't know.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..errors import ProviderFailed
from ..messages import OnDelta, ProviderRequest, ProviderResponse, ignore_delta
from .capabilities import supports_function_calling
from .connections import Connections
from .deadlines import ended_at
from .downgrades import without_refused
from .event_stream import event_data, looks_like_events
from .failures import Party, cut_off, failed, refused, too_long, too_slow, unusable
from .quirk_row import Quirks
from .refusals import Refused, raise_for_status
from .replies import Reply, read_completion
from .strict_schemas import without_nulls
from .turns import turn
from .wire import is_strict, payload

if TYPE_CHECKING:
    from openai import OpenAI

_LONGEST_SILENCE = 600.0
"""Seconds; a queued request may get nothing for minutes."""
_LONGEST_CONNECT = 10.0
_LARGEST_REPLY = 64 * 1024 * 1024
"""Bytes; the largest models write a few million."""


class OpenAIProvider:
    """One server and key.

    Attributes:
        can_write_calls: whether a model without function calling may be asked to write its calls as text.
    """

    can_write_calls = True

    def __init__(self, row: Quirks, base_url: str, key: str | None, model: str = "") -> None:
        self._row = row
        self._base_url = base_url
        self._key = key
        self._model = model
        self._party = Party(row.name, base_url, key)
        self._client: OpenAI | None = None
        self._connections = Connections()

    @property
    def name(self) -> str:
        """The row's name."""
        return self._row.name

    @property
    def asks_for_form(self) -> bool:
        """Whether the last reply can be held to a form."""
        return self._row.response_format != "text"

    def supports_function_calling(self) -> bool:
        """Whether this server's model can, as far as it is documented."""
        return supports_function_calling(self._row, self._model)

    def prepare(self) -> None:
        """Load and construct the client, which takes a third of a second; may run in another thread.

        Raises:
            ProviderFailed: the address or the key can't be used at all.
        """
        if self._client is None:
            self._check()
            import openai

            hooks: dict[str, list[Callable[..., Any]]] = {
                "request": [self._connections.watch],
                "response": [raise_for_status],
            }
            client = openai.OpenAI(
                # A server without keys still wants the header to be there.
                api_key=self._key or "none",
                base_url=self._base_url,
                max_retries=0,
                http_client=openai.DefaultHttpxClient(event_hooks=hooks),
            )
            weakref.finalize(self, client.close)
            self._client = client

    def abort(self) -> None:
        """Break off the requests that other threads wait for; they fail."""
        self._connections.shut()

    def _check(self) -> None:
        try:
            parts = urlsplit(self._base_url)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address or any(character.isspace() or not character.isprintable() for character in self._base_url):
            why = f"`{self._party.address}` is no address of a server"
            raise unusable(self._party, why, "give one that begins with http:// or https://: `--base-url URL`")
        if self._key and not (self._key.isascii() and self._key.isprintable()):
            raise unusable(self._party, "its key holds characters that no key has", "copy the key once more")

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """Ask once, streamed, and put the reply together.

        Raises:
            ProviderFailed: no usable reply.
        """
        deadline = None if request.timeout is None else time.monotonic() + request.timeout
        self.prepare()
        with turn(self._base_url, self._row.concurrency, deadline) as has_place:
            if not has_place:
                raise too_slow(self._party)
            return self._complete(request, on_delta, deadline)

    def _complete(self, request: ProviderRequest, on_delta: OnDelta, deadline: float | None) -> ProviderResponse:
        row, strict = self._row, is_strict(self._row, self._base_url)
        try:
            return self._ask(request, row, on_delta, deadline)
        except Refused as first:
            milder = without_refused(row, first.refusal, request, strict=strict)
            failure = self._refused(first, request, row)
            # Where tools or a form can't be had at all, leaving out a part of them is of no use.
            if milder is None or failure.kind in ("no_function_calling", "no_structured_answer"):
                raise failure from None
        self._row = milder
        try:
            return self._ask(request, milder, on_delta, deadline)
        except Refused as second:
            raise self._refused(second, request, milder) from None

    def _refused(self, error: Refused, request: ProviderRequest, row: Quirks) -> ProviderFailed:
        with_form = request.response_schema is not None and row.response_format != "text"
        return refused(error.refusal, self._party, with_form=with_form)

    def _ask(
        self, request: ProviderRequest, row: Quirks, on_delta: OnDelta, deadline: float | None
    ) -> ProviderResponse:
        strict = is_strict(row, self._base_url)
        taken = frozenset(call.id for message in request.messages for call in message.tool_calls)
        reply = Reply(self._party, on_delta, taken, row.cached_tokens)
        sent = payload(request, row, strict=strict)
        with closing(self._send(sent, deadline)) as response, ended_at(deadline, response):
            got = _read(response, reply, deadline)
        if not strict:
            return got
        return replace(got, message=replace(got.message, tool_calls=without_nulls(got.tool_calls, request.tools)))

    def _send(self, sent: dict[str, Any], deadline: float | None) -> Any:  # noqa: ANN401 - httpx's or httpx2's response
        import openai

        left = _LONGEST_SILENCE if deadline is None else deadline - time.monotonic()
        if left <= 0:
            raise too_slow(self._party)
        assert self._client is not None
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            # A queued request may send nothing for minutes; connecting must not take that long.
            timeout = openai.Timeout(min(left, _LONGEST_SILENCE), connect=min(left, _LONGEST_CONNECT))
            return create(**sent, timeout=timeout).http_response
        except openai.OpenAIError as error:
            # Up to its second version the client wraps what its transport's hooks raise.
            if isinstance(error.__cause__, Refused):
                raise error.__cause__ from None
            is_over = deadline is not None and left <= _LONGEST_SILENCE
            raise failed(error, self._party, is_over=is_over) from error


def _read(response: Any, reply: Reply, deadline: float | None) -> ProviderResponse:  # noqa: ANN401 - httpx's or httpx2's
    content_type = response.headers.get("content-type", "")
    pieces = _pieces(response, reply.party, deadline)
    if "text/event-stream" not in content_type:
        body = b"".join(pieces)
        if not looks_like_events(body):
            return read_completion(body, content_type, reply)
        pieces = iter((body,))
    for data in event_data(pieces):
        reply.add_event(data)
    return reply.finish()


def _pieces(response: Any, party: Party, deadline: float | None) -> Iterator[bytes]:  # noqa: ANN401 - as above
    # The client builds on httpx up to its second version and on httpx2 from its third.
    transport = import_module(type(response).__module__.partition(".")[0])
    size = 0
    try:
        for piece in response.iter_bytes():
            size += len(piece)
            if _is_past(deadline):
                raise too_slow(party)
            if size > _LARGEST_REPLY:
                raise too_long(party)
            yield piece
    except transport.HTTPError as error:
        raise (too_slow(party) if _is_past(deadline) else cut_off(party)) from error
    if _is_past(deadline):
        raise too_slow(party)


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline
