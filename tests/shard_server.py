"""A server that documents whatever file it is asked about: each session is told apart by what stands in its messages.

It is as slow and as crowded as wanted, and counts how many are served at once.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from chat_server import Answer, ChatServer, Json, completion, refusal, tool_call

_SCOPE = re.compile(r"[\w./-]+\.py")
OLD, NEW = "def f(a):\n", 'def f(a):\n    """Return it."""\n'
USED = {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000}


@dataclass(slots=True)
class Manner:
    """How the server behaves.

    Attributes:
        latency: seconds that each reply takes.
        crowded: whether each second request is refused with 429.
        retry_after: what it then asks to wait, in seconds; empty for nothing.
        broken: paths whose sessions get an edit that no contract of docstrings allows.
        gone: paths whose sessions are refused for good.
        silent: paths whose sessions get nothing.
    """

    latency: float = 0.0
    crowded: bool = False
    retry_after: str = ""
    broken: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    usage: Mapping[str, int] = field(default_factory=lambda: dict(USED))


class ShardServer:
    """Answers for a `ChatServer`.

    Attributes:
        times: when each request came, on the monotonic clock, and whether it was refused as crowded.
        most: how many were served at once.
    """

    def __init__(self, chat: ChatServer, manner: Manner) -> None:
        self.manner = manner
        self.times: list[tuple[float, bool]] = []
        self.most = 0
        self._chat = chat
        self._now = 0
        self._lock = threading.Lock()

    def next_answer(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Take a request and give its answer."""
        del headers
        asked: Json = json.loads(body)
        with self._lock:
            refused = self.manner.crowded and len(self.times) % 2 == 0
            self.times.append((time.monotonic(), refused))
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            self._chat.stopped.wait(self.manner.latency)
            return self._crowded() if refused else self._answer(asked["messages"])
        finally:
            with self._lock:
                self._now -= 1

    def _crowded(self) -> Answer:
        waiting = {"retry-after": self.manner.retry_after, "retry-after-ms": ""} if self.manner.retry_after else {}
        return refusal(429, {"error": {"message": "too many requests"}}, **waiting)

    def _answer(self, messages: list[Json]) -> Answer:
        path = self._path(messages)
        if path in self.manner.silent:
            self._chat.stopped.wait(20)
        if path in self.manner.gone:
            return refusal(401, {"error": {"message": "no such key"}})
        done = sum(message["role"] == "assistant" for message in messages)
        usage = dict(self.manner.usage)
        if done == 0:
            calls = [tool_call("r", "read_file", path=path)]
        elif done == 1:
            new = "def f(a, b=1):\n" if path in self.manner.broken else NEW
            calls = [tool_call("e", "edit_file", path=path, old_string=OLD, new_string=new)]
        else:
            return completion({"role": "assistant", "content": f"Document {path}"}, usage=usage)
        return completion({"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls", usage=usage)

    @staticmethod
    def _path(messages: list[Json]) -> str:
        told = next(str(message["content"]) for message in messages if message["role"] == "user")
        found = _SCOPE.search(told)
        return found[0] if found else ""
