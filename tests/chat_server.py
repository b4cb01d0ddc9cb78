"""A server of the chat-completions API over real HTTP: it answers from a list and keeps what it was asked."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Json = dict[str, Any]
Then = Literal["end", "cut", "silence", "late silence", "blank lines"]


NOTHING = 0
"""As a status: the server takes the request and is silent."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends.

    Attributes:
        then: what follows the body: its end, too early an end, nothing at all, or blank lines for ever.
    """

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    then: Then = "end"


def tool_call(call_id: str, name: str, **arguments: Any) -> Json:
    """A call as it stands in a message, in the usual form."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def completion(message: Json | None, finish: str | None = "stop", **fields: Any) -> Answer:
    """A reply in one piece."""
    choices = None if message is None else [{"index": 0, "message": message, "finish_reason": finish}]
    return Answer(json.dumps({"id": "c", "model": "served", "choices": choices, **fields}).encode())


def chunk(delta: Json | None, finish: str | None = None, **fields: Any) -> str:
    """One event of a streamed reply; without a delta, one that has no choices."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return "data: " + json.dumps({"id": "c", "model": "served", "choices": choices, **fields})


DONE = "data: [DONE]"


def streamed(*events: str, then: Then = "end") -> Answer:
    """A streamed reply of these events."""
    return Answer("".join(f"{event}\n\n" for event in events).encode(), 200, "text/event-stream", then=then)


def as_stream(message: Json, finish: str | None = "stop", **fields: Any) -> Answer:
    """The same reply as `completion`, streamed: each call in a piece of its own."""
    calls: Sequence[Json] = message.get("tool_calls") or ()
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    pieces = [chunk({"tool_calls": [{"index": index, **call}]}) for index, call in enumerate(calls)]
    return streamed(chunk({"role": "assistant", **rest}), *pieces, chunk({}, finish), chunk(None, **fields), DONE)


def refusal(status: int, body: Any = None, **headers: str) -> Answer:
    """An error status; the client is asked not to wait before it tries again."""
    content = body if isinstance(body, bytes) else json.dumps(body or {"error": {"message": "no"}}).encode()
    kind = headers.pop("content_type", "application/json")
    return Answer(content, status, kind, {"retry-after-ms": "1", **headers})


class ChatServer:
    """One server on a port of its own.

    Attributes:
        answers: what is sent, in order; the last one again and again.
        requests: the bodies that came in.
        bodies: the same as bytes.
        headers: the headers of each.
    """

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[Json] = []
        self.bodies: list[bytes] = []
        self.headers: list[Mapping[str, str]] = []
        self.url = ""
        self.stopped = threading.Event()

    def script(self, *answers: Answer) -> None:
        """Send these from now on."""
        self.answers[:] = answers

    def next_answer(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Take a request and give its answer."""
        self.requests.append(json.loads(body))
        self.bodies.append(body)
        self.headers.append(headers)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Server(ThreadingHTTPServer):
    # Many sessions connect at once; whom the system turns away comes back only after a second.
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that goes away has read enough; it is no error of the server's.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving() -> Generator[ChatServer]:
    """Run a server until the block ends."""
    chat = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Otherwise a body waits for the receipt of its head, which the client puts off for 40 ms.
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = chat.next_answer(body, {name.lower(): value for name, value in self.headers.items()})
            if answer.status == NOTHING:
                chat.stopped.wait(20)
                return
            self.send_response(answer.status)
            for name, value in {"content-type": answer.content_type, **answer.headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("content-length", str(len(answer.body) + (0 if answer.then == "end" else 10_000)))
            self.end_headers()
            self.wfile.write(answer.body)
            self.close_connection = answer.then != "end"
            if answer.then == "late silence":
                chat.stopped.wait(1.2)
                self.wfile.write(answer.body)
            if answer.then in ("silence", "late silence"):
                chat.stopped.wait(20)
            while answer.then == "blank lines" and not chat.stopped.wait(0.01):
                try:
                    self.wfile.write(b"\n")
                except OSError:
                    return

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
            pass

    with _Server(("127.0.0.1", 0), Handler) as server:
        chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield chat
        finally:
            chat.stopped.set()
            server.shutdown()
            thread.join()
