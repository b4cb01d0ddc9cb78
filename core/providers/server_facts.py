"""Asks a server for what isn't a reply: its list of models, what a model can do, whether it streams.

These questions prove nothing where they fail: many servers have no list, and only Ollama tells what its models can do.
So every failure is just "not known", and who wants to know why a server can't be used asks it for a reply. They go
through the official client, as replies do, for the same proxies, certificates and headers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from .quirks import Quirks
from .values import Json, as_object, as_objects, as_text

if TYPE_CHECKING:
    from openai import OpenAI

T = TypeVar("T")

_LARGEST = 8 << 20
"""Bytes of an answer; the longest list of models that is known has half a megabyte."""
_MOST_NAMES, _LONGEST_NAME = 1000, 200
_FEW_TOKENS = 16


def within(seconds: float, ask: Callable[[], T]) -> T:
    """Call a function and wait so long at most; it may go on in a thread that holds nobody up.

    A client's own timeouts count from byte to byte, and don't cover the look-up of names.

    Raises:
        TimeoutError: it took longer.
    """
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer.result(seconds)


class ServerFacts:
    """One server and key. Every method answers within the given seconds."""

    def __init__(self, base_url: str, key: str | None, seconds: float) -> None:
        self._base_url = base_url
        self._key = key
        self._seconds = seconds

    def models(self) -> tuple[str, ...] | None:
        """The names in the server's list of models, 1,000 at most; None where it gives none."""
        body = _parsed(self._answer("get", "/models"))
        items = as_objects(as_object(body).get("data")) or as_objects(body)
        names = (as_text(item.get("id")) for item in items[:_MOST_NAMES])
        return tuple(name for name in names if 0 < len(name) <= _LONGEST_NAME) or None

    def capabilities(self, model: str) -> tuple[str, ...] | None:
        """What Ollama says that a model can do, such as `tools`; None where it says nothing."""
        address = f"{self._base_url.rstrip('/').removesuffix('/v1')}/api/show"
        said = as_object(_parsed(self._answer("post", address, {"model": model}))).get("capabilities")
        return tuple(map(as_text, said)) if isinstance(said, list) else None  # pyright: ignore[reportUnknownArgumentType]

    def streams(self, row: Quirks, model: str) -> bool:
        """Whether a streamed reply, which is not read, begins as one."""
        ask = {"role": "user", "content": "Say ok."}
        body = {"model": model, "messages": [ask], "stream": True, row.max_tokens_field: _FEW_TOKENS}
        answer = self._answer("post", "/chat/completions", body, largest=0)
        return answer is not None and answer[0].startswith("text/event-stream")

    def _answer(
        self, method: str, address: str, body: Json | None = None, largest: int = _LARGEST
    ) -> tuple[str, bytes] | None:
        """Type and bytes of an answer; None in place of a failure."""
        from openai import OpenAI

        try:
            with OpenAI(
                api_key=self._key or "none", base_url=self._base_url, max_retries=0, timeout=self._seconds
            ) as client:
                return within(self._seconds, lambda: _read(client, method, address, body, largest))
        except _failures():
            return None


def _failures() -> tuple[type[Exception], ...]:
    """What the client raises; for an address or a key that fits no request that isn't an error of its own."""
    import openai

    # It builds on httpx up to its second version and on httpx2 from its third.
    base: Any = openai.DefaultHttpxClient.__base__
    transport: Any = import_module(base.__module__.partition(".")[0])
    return (openai.OpenAIError, transport.HTTPError, transport.InvalidURL, OSError, ValueError)


def _read(client: OpenAI, method: str, address: str, body: Json | None, largest: int) -> tuple[str, bytes]:
    from openai import Stream

    # A stream's answer isn't read by the client, so that its size can be watched.
    options: dict[str, Any] = {"cast_to": object, "stream": True, "stream_cls": Stream[object]}
    sent: dict[str, Any] = {} if body is None else {"body": body}
    stream: Any = getattr(client, method)(address, **sent, **options)
    with closing(stream.response) as response:
        read = bytearray()
        for piece in response.iter_bytes() if largest else ():
            read += piece
            if len(read) > largest:
                raise ValueError("the answer is too large")
        return response.headers.get("content-type", ""), bytes(read)


def _parsed(answer: tuple[str, bytes] | None) -> Any:  # noqa: ANN401 - whatever the server sent
    try:
        return json.loads(answer[1]) if answer else None
    except (ValueError, RecursionError):
        return None
