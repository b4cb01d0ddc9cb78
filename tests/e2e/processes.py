"""Runs the command: within this process for tables of many calls, as a process, or in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import chdir, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

from orefactor.cli.main import main

COMMAND = (sys.executable, "-m", "orefactor")
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
"""With the folder that holds `git-orefactor`, so that git finds it."""

_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Done:
    """How a call of the command ended and what it printed."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run_here(capture: pytest.CaptureFixture[bytes], folder: Path, *arguments: str) -> Done:
    """Call the command's entry in this process, which spares the start of Python."""
    capture.readouterr()
    with chdir(folder):
        code = main(arguments)
    printed = capture.readouterr()
    return Done(code, printed.out, printed.err)


def start(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start the command in a process group of its own, so that a signal can reach all of it."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,
    )


def finish(process: subprocess.Popen[bytes], seconds: float = 60) -> tuple[int, str, str]:
    """Wait for the end; give the exit code and what was printed."""
    try:
        stdout, stderr = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return process.returncode, stdout.decode(), stderr.decode()


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something outside of our reach has come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


def living(mark: str) -> list[str]:
    """The command lines of the processes that hold the mark."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if mark in words:
                found.append(words)
    return found


class Terminal:
    """A command in a terminal, as a person has it: the keys reach its whole foreground group."""

    def __init__(
        self, folder: Path, *command: str, environment: Mapping[str, str] | None = None, stdout: Path | None = None
    ) -> None:
        self._keys, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        with open(stdout, "wb") if stdout else nullcontext(screen) as out:
            self._process = subprocess.Popen(
                ["setsid", "--ctty", *command],
                cwd=folder,
                env={**os.environ, "TERM": "xterm", "PATH": PATH, **(environment or {})},
                stdin=screen,
                stdout=out,
                stderr=screen,
            )
        os.close(screen)
        self._seen = b""

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self._keys, keys)

    def wait_for(self, text: bytes) -> None:
        """Read on until the text has been shown."""
        while text not in self._seen:
            assert self._read(), f"ended before {text!r} was shown: {self._seen!r}"

    def _read(self) -> bool:
        try:
            piece = os.read(self._keys, 65536)
        except OSError:
            # Linux answers EIO when the last one that had the terminal open is gone.
            return False
        self._seen += piece
        return bool(piece)

    def finish(self) -> tuple[int, bytes]:
        """Read to the end; give the exit code and all that was shown."""
        while self._read():
            pass
        os.close(self._keys)
        return self._process.wait(30), self._seen


def without_escapes(shown: bytes) -> str:
    """What was shown, without colours and cursor movements."""
    return _ESCAPES.sub(b"", shown).decode().replace("\r", "")
