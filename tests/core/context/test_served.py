"""Programs that build contexts one after the other, some of which go wrong."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from orefactor.core.context.beside import ContextLater
from orefactor.core.context.served import ContextServers

ECHO = """
import os, sys
for line in sys.stdin:
    word = line.strip()
    if word == "crash":
        sys.exit(3)
    if word == "half":
        sys.stdout.write("half"); sys.stdout.flush(); sys.exit(0)
    if word == "slow":
        sys.stdin.read()
    print(os.getpid(), word, flush=True)
"""


@contextmanager
def serving(program: str = ECHO, most: int = 1) -> Generator[ContextServers]:
    servers = ContextServers([sys.executable, "-c", program], dict(os.environ), most)
    try:
        yield servers
    finally:
        servers.close()


def _ask(servers: ContextServers, word: str, seconds: float = 20.0) -> bytes:
    return servers.ask(word.encode(), seconds, lambda: False)


@pytest.mark.parametrize(("word", "seconds"), [("crash", 20), ("half", 20), ("slow", 0.1)])
def test_one_that_goes_wrong_is_started_anew(word: str, seconds: float) -> None:
    with serving() as servers:
        first, second = _ask(servers, "one").split(), _ask(servers, "two" * 99_999).split()
        assert (first[1], second[1]) == (b"one", b"two" * 99_999)
        assert first[0] == second[0]
        assert _ask(servers, word, seconds) == b""
        third = _ask(servers, "three").split()
    assert third[1] == b"three"
    assert third[0] != first[0]
    with pytest.raises(ProcessLookupError):
        os.kill(int(third[0]), 0)


def test_who_has_stopped_does_not_wait() -> None:
    stopped = threading.Event()
    with serving() as servers, ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(servers.ask, b"slow", 60, stopped.is_set) for _ in range(2)]
        stopped.set()
        assert [each.result(10) for each in waiting] == [b"", b""]
        assert servers.ask(b"one", 60, stopped.is_set) == b""


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        pytest.param(b'{"failure": "no git"}\n', "no git", id="failure"),
        pytest.param(b'["failure"]\n', "its answer can't be read", id="no-object"),
        pytest.param(b"[" * 100_000 + b"\n", "its answer can't be read", id="deep"),
        pytest.param(b"\xff\n", "its answer can't be read", id="no-text"),
    ],
)
def test_what_is_no_context(answer: bytes, failure: str) -> None:
    program = f"import sys\nfor _ in sys.stdin:\n    sys.stdout.buffer.write({answer!r}); sys.stdout.flush()"
    with serving(program) as servers:
        built = ContextLater(b"{}", 20, servers).result(lambda: False)
        assert (built.context, built.failure[: len(failure)]) == (None, failure)
        assert "did not come" in ContextLater(b"{}", 0, servers).result(lambda: False).failure


def test_a_program_that_never_reads_and_one_that_ends_at_once() -> None:
    with serving("import time\ntime.sleep(60)") as servers:
        began = time.monotonic()
        assert _ask(servers, "x" * 1_000_000, 0.3) == b""
        assert time.monotonic() - began < 20
    with serving("") as servers:
        assert _ask(servers, "x" * 1_000_000) == b""
