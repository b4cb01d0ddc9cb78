"""A program of ours is run to its end, and ended when time is over or a signal says so."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.program import program_beside, run_program
from orefactor.sandbox.shield import Stopped, stop_on_signals

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def run(*command: str, stdin: bytes = b"", seconds: float = 30) -> subprocess.CompletedProcess[bytes]:
    return run_program(command, environment=ENVIRONMENT, folder="/", stdin=stdin, seconds=seconds)


def test_what_it_gives() -> None:
    done = run("sh", "-c", "cat; echo no >&2; exit 3", stdin=b"in")
    assert (done.returncode, done.stdout, done.stderr) == (3, b"in", b"no\n")


def test_much_input_over_several_turns() -> None:
    data = b"x" * (1 << 20)
    assert run("sh", "-c", "sleep 0.5; cat", stdin=data).stdout == data


def test_its_own_umask(tmp_path: Path) -> None:
    run_program(["touch", str(tmp_path / "a")], environment=ENVIRONMENT, folder=tmp_path, seconds=9, umask=0o077)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_time_is_over() -> None:
    with pytest.raises(UserError, match="`sleep` was not done after") as caught:
        run("sleep", "60", seconds=0.1)
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


def test_a_signal_ends_it() -> None:
    started = time.monotonic()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGTERM]).start()
    with pytest.raises(Stopped), stop_on_signals():
        run(sys.executable, "-c", "import time; time.sleep(60)")
    assert time.monotonic() - started < 20


def test_a_program_beside() -> None:
    with program_beside(["sh", "-c", "cat; echo no >&2; exit 3"], environment=ENVIRONMENT, stdin=b"in") as running:
        done = running.result(30)
        assert done is not None
        assert (done.returncode, done.stdout, done.stderr) == (3, b"in", b"no\n")
        again = running.result(0)
        assert again is not None
        assert again.stdout == b"in"


def test_a_program_beside_ends_with_the_block_and_so_does_what_it_started() -> None:
    with program_beside(["sh", "-c", "sleep 98764 & sleep 98764"], environment=ENVIRONMENT, stdin=b"") as running:
        assert running.result(0.1) is None
    remaining = subprocess.run(["pgrep", "-f", "sleep 9876[4]"], capture_output=True, check=False)
    assert remaining.stdout == b""
