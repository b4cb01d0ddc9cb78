"""Programs that build the contexts of many sessions, one after the other.

To load what one needs takes a hundred times as long as to build the context of a small file. Each is the program of
`worker.py`, asked line by line. It reads what strangers wrote, so that its answer is read as a stranger's, and waited
for in short turns and for so long only. One that crashed is started again for the next session.
"""

from __future__ import annotations

import os
import queue
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO

_TURN = 0.2
"""Seconds after which the caller is asked whether to go on."""
_LARGEST = 64 << 20
"""Bytes of an answer; a context has some thousand."""


class ContextServers:
    """So many programs that build contexts; any thread may ask."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], most: int) -> None:
        self._free: queue.SimpleQueue[_Server] = queue.SimpleQueue()
        self._all = [_Server(command, environment) for _ in range(most)]
        for server in self._all:
            self._free.put(server)

    def ask(self, request: bytes, seconds: float, cancelled: Callable[[], bool]) -> bytes:
        """Have one context built.

        Args:
            request: a JSON object on one line.
            seconds: wall time from when one of them is free.

        Returns:
            The answer's line; empty where there is none: the program crashed, took too long, or the caller stopped.
        """
        while not cancelled():
            try:
                server = self._free.get(timeout=_TURN)
            except queue.Empty:
                continue
            try:
                return server.ask(request, time.monotonic() + seconds, cancelled)
            finally:
                self._free.put(server)
        return b""

    def close(self) -> None:
        """End them; nobody may ask any more."""
        for server in self._all:
            server.close()


class _Server:
    """One program, started when it is first asked."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: bytes, end: float, cancelled: Callable[[], bool]) -> bytes:
        """Ask; one that gave no answer in time, or half of one, is not asked again."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        answer = b""
        try:
            answer = _exchange(process.stdin, process.stdout, request + b"\n", end, cancelled)
        finally:
            if not answer:
                self.close()
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            env=self._environment,
            cwd="/",
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A Ctrl-C is for the caller, who ends it.
            process_group=0,
        )
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        return process

    def close(self) -> None:
        """End the program and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with process:
            process.wait()


def _exchange(stdin: IO[bytes], stdout: IO[bytes], request: bytes, end: float, cancelled: Callable[[], bool]) -> bytes:
    """Write the request and read one line; empty where that came to no good end."""
    left, answer = memoryview(request), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(stdin, selectors.EVENT_WRITE)
        selector.register(stdout, selectors.EVENT_READ)
        while time.monotonic() < end and len(answer) <= _LARGEST and not cancelled():
            for key, _ in selector.select(_TURN):
                if key.fileobj is stdin:
                    try:
                        left = left[os.write(stdin.fileno(), left) :]
                    except BrokenPipeError:
                        return b""
                    if not left:
                        selector.unregister(stdin)
                    continue
                piece = os.read(stdout.fileno(), 1 << 16)
                answer += piece
                if not piece:
                    return b""
                if answer.endswith(b"\n"):
                    return bytes(answer)
    return b""
