"""Watching the memory of a command and of all that it started."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from orefactor.sandbox.memory import MemoryWatch, below, proportional, resident, written
from orefactor.sandbox.process import run_process

# What shows nowhere is counted for the whole machine.
pytestmark = pytest.mark.alone

MEBIBYTE = 1 << 20
SIZE = 50 * MEBIBYTE
HOLD = f"held = bytearray(b'x') * {SIZE}; print('ready', flush=True); import sys; sys.stdin.read()"
FORKS = r"""
import os, sys
held = bytearray(b'x') * (50 << 20)
for _ in range(3):
    if os.fork() == 0:
        break
os.write(1, b'ready\n')
sys.stdin.read()
"""


@pytest.fixture(params=[HOLD, f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLD!r}])"])
def holder(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds fifty mebibytes, or whose child does, started by a shell."""
    argv = ["sh", "-c", '"$@"; true', "sh", sys.executable, "-c", request.param]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.communicate()


def look(watch: MemoryWatch, process: int) -> bool:
    """The second look: the first never counts."""
    assert not watch.is_exceeded(process)
    threading.Event().wait(0.26)
    return watch.is_exceeded(process)


@pytest.mark.parametrize(("limit", "exceeded"), [(SIZE // 2, True), (SIZE * 4, False)])
def test_all_that_a_process_started_counts(holder: subprocess.Popen[bytes], limit: int, exceeded: bool) -> None:
    assert look(MemoryWatch(limit), holder.pid) is exceeded


def test_between_two_looks_nothing_is_read(holder: subprocess.Popen[bytes]) -> None:
    watch = MemoryWatch(1)
    assert look(watch, holder.pid)
    assert not watch.is_exceeded(holder.pid)


def test_shared_pages_count_once() -> None:
    argv = ["sh", "-c", '"$@"; true', "sh", sys.executable, "-c", FORKS]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(4):
            assert process.stdout.readline() == b"ready\n"
        found = list(below(process.pid))
        assert len(found) == 4
        assert sum(map(resident, found)) > 3 * SIZE
        assert SIZE < sum(map(proportional, found)) < 2 * SIZE
        assert not look(MemoryWatch(2 * SIZE), process.pid)
        process.communicate()


def test_a_process_that_is_gone_holds_nothing() -> None:
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()
    assert (resident(process.pid), proportional(process.pid), list(below(process.pid))) == (0, 0, [])
    assert written([process.pid], Path("/")) == 0


def test_what_is_written_is_seen_through_a_process(holder: subprocess.Popen[bytes]) -> None:
    assert written([holder.pid], Path("/")) > 0
    assert look(MemoryWatch(SIZE * 4, place=Path("/")), holder.pid)


def test_too_much_ends_a_command() -> None:
    code = f"held = bytearray(b'x') * {2 * SIZE}; import time; time.sleep(60)"
    argv = [sys.executable, "-c", code]
    result = run_process(argv, env={}, cwd=Path("/"), timeout=20, memory=MemoryWatch(SIZE))
    assert (result.ended_by, result.returncode) == ("memory", None)
    assert result.seconds < 10


def test_enough_lets_it_be() -> None:
    result = run_process(["sleep", "0.6"], env={"PATH": "/bin"}, cwd=Path("/"), timeout=20, memory=MemoryWatch(SIZE))
    assert (result.ended_by, result.returncode) == (None, 0)


@pytest.mark.parametrize(
    "hide",
    [
        "file = os.memfd_create('x'); [os.write(file, bytes(1 << 20)) for _ in range(300)]",
        """
libc.shmat.restype = ctypes.c_void_p
shared = libc.shmget(0, 300 << 20, 0o1600)
at = libc.shmat(shared, None, 0)
libc.shmctl(shared, 0, None)
ctypes.memset(at, 1, 300 << 20)
""",
    ],
)
def test_memory_that_no_process_shows_counts(hide: str) -> None:
    code = f"import ctypes, os, time\ntime.sleep(0.5)\nlibc = ctypes.CDLL(None)\n{hide}\ntime.sleep(60)"
    argv = [sys.executable, "-c", code]
    result = run_process(argv, env={}, cwd=Path("/"), timeout=20, memory=MemoryWatch(150 * MEBIBYTE))
    assert (result.ended_by, result.stderr) == ("memory", b"")
