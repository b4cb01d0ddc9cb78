"""The launcher's parts, called in this process; `test_process.py` runs it as the program that it is."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orefactor.sandbox import launcher

PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """Lifeline and status: both ends of each. This process becomes no subreaper for longer than the test."""
    descriptors = (*os.pipe(), *os.pipe())
    yield descriptors
    for descriptor in descriptors:
        try:
            os.close(descriptor)
        except OSError:
            continue
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["/bin/true"], b"exited 0\n"),
        (["sh", "-c", "exit 4"], b"exited 1024\n"),
        (["sh", "-c", "kill -KILL $$"], b"exited 9\n"),
        (["no-such-program"], b"failed 2\nexited 32512\n"),
        (["sh", "-c", "setsid sleep 300 & exit 0"], b"exited 0\n"),
    ],
)
def test_what_is_reported(pipes: tuple[int, int, int, int], command: list[str], said: bytes) -> None:
    lifeline, _, status, reported = pipes
    launcher.main([str(lifeline), str(reported), "", "--", *command])
    assert os.read(status, 100) == said
    assert launcher.descendants(os.getpid()) == []


def test_the_end_of_the_lifeline_ends_the_command(pipes: tuple[int, int, int, int]) -> None:
    lifeline, ours, status, reported = pipes
    os.close(ours)
    launcher.main([str(lifeline), str(reported), "", "--", "sleep", "300"])
    os.close(reported)
    assert os.read(status, 100) == b""


def test_the_locale_is_as_it_was_given(pipes: tuple[int, int, int, int]) -> None:
    lifeline, _, status, reported = pipes
    launcher.main([str(lifeline), str(reported), "C", "--", "sh", "-c", 'test "$LC_CTYPE" = C'])
    assert os.read(status, 100) == b"exited 0\n"
    os.environ.pop("LC_CTYPE")


def test_nobody_listens_any_more(pipes: tuple[int, int, int, int]) -> None:
    _, _, status, reported = pipes
    os.close(status)
    launcher.say(reported, "exited 0")


def test_a_process_that_is_gone() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    launcher.deliver(process.pid, signal.SIGKILL)
    assert launcher.parent(str(process.pid)) == 0
    assert launcher.parent(str(os.getpid())) == os.getppid()


def test_a_name_with_parentheses_is_read_right(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 (b"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "60"]) as process:
        assert launcher.parent(str(process.pid)) == os.getpid()
        process.kill()


def test_it_imports_nothing_that_is_slow() -> None:
    code = f"import sys; sys.argv = ['x']; exec(open({launcher.__file__!r}).read().split('if __name__')[0])"
    names = "print(sorted({'enum', 're', 'signal', 'subprocess', 'orefactor'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-I", "-S", "-c", f"{code}; {names}"], capture_output=True, check=True)
    assert result.stdout == b"[]\n"
