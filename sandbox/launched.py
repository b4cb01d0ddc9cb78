"""A command that runs under `launcher.py`: its start, its streams, and its certain end."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from .capture import Capture
from .errors import ExitCode, UserError

Ending = Literal["time", "output", "memory", "cancelled"]
Question = Callable[[], tuple[Ending | None, float]]

# What a launcher gets to kill and reap; only processes that the kernel can't kill take longer.
SECONDS_TO_END = 10.0
PIECE = 1 << 16
LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass(frozen=True, slots=True)
class Stream:
    """One of our ends of the command's pipes.

    Attributes:
        file: the pipe's end, unbuffered.
        event: `EVENT_READ` or `EVENT_WRITE`.
        move: moves what can be moved without waiting; true when that was the last.
    """

    file: IO[bytes]
    event: int
    move: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Launched:
    """A running launcher.

    Attributes:
        process: the launcher's process id.
        lifeline: closing it ends the command and all that it started.
        streams: those that are still open.
        stdout: what the command said.
        stderr: what it complained about.
        said: the launcher's own line, see there.
    """

    process: int
    lifeline: IO[bytes]
    streams: list[Stream]
    stdout: Capture
    stderr: Capture
    said: Capture

    def serve(self, reason_to_end: Question) -> Ending | None:
        """Move bytes until all streams are at their end (None), or until there is a reason to stop.

        The launcher holds its streams as long as it lives, so their end proves that nothing is left.

        Args:
            reason_to_end: asked before each wait: the reason or None, and the seconds to wait at most.
        """
        with selectors.DefaultSelector() as selector:
            for stream in self.streams:
                selector.register(stream.file, stream.event, stream)
            while any(stream.event == selectors.EVENT_READ for stream in self.streams):
                ending, pause = reason_to_end()
                if ending:
                    return ending
                for key, _ in selector.select(pause):
                    ready: Stream = key.data
                    if ready.move():
                        selector.unregister(ready.file)
                        self.streams.remove(ready)
                        ready.file.close()
        return None


@contextmanager
def launch(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: bytes,
    output_limit: int,
    pass_fds: Sequence[int],
) -> Generator[Launched]:
    """Start a command; at the end of the block, however it comes, all that it started ends.

    Raises:
        UserError: the launcher can't be started.
    """
    (watched, lifeline), (status, reported) = _pipe(), _pipe()
    with watched, lifeline, status, reported:
        pipes = [watched.fileno(), reported.fileno()]
        words = [str(LAUNCHER), *map(str, pipes), env.get("LC_CTYPE", ""), "--", *argv]
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", *words],
                env=env,
                cwd=cwd,
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[*pipes, *pass_fds],
                start_new_session=True,  # Ctrl-C at the terminal is for us, who end the launcher in order
            )
        except (OSError, ValueError) as error:
            raise cannot_start(argv[0], getattr(error, "strerror", None) or str(error)) from error
        try:
            watched.close()
            reported.close()
            yield _launched(process, lifeline, status, stdin, output_limit)
        finally:
            lifeline.close()
            _let_go(process)


def cannot_start(program: str, why: str) -> UserError:
    """The error for a command that can't be started."""
    return UserError(
        f"can't start `{program}`: {why}",
        hint="check that it is installed and may be executed",
        exit_code=ExitCode.ENVIRONMENT,
    )


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    """Both ends of a pipe, unbuffered: reading, writing."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", buffering=0), os.fdopen(writing, "wb", buffering=0)


def _launched(
    process: subprocess.Popen[bytes], lifeline: IO[bytes], status: IO[bytes], stdin: bytes, limit: int
) -> Launched:
    stdout, stderr, said = Capture(limit), Capture(limit), Capture(PIECE)
    assert process.stdout
    assert process.stderr
    streams = [_reader(process.stdout, stdout), _reader(process.stderr, stderr), _reader(status, said)]
    if process.stdin:
        streams.append(_writer(process.stdin, stdin))
    return Launched(process.pid, lifeline, streams, stdout, stderr, said)


def _reader(file: IO[bytes], capture: Capture) -> Stream:
    def move() -> bool:
        piece = os.read(file.fileno(), PIECE)
        capture.add(piece)
        return not piece

    return Stream(file, selectors.EVENT_READ, move)


def _writer(file: IO[bytes], value: bytes) -> Stream:
    left = memoryview(value)
    os.set_blocking(file.fileno(), False)

    def move() -> bool:
        nonlocal left
        try:
            left = left[os.write(file.fileno(), left[:PIECE]) :]
        except BrokenPipeError:  # the command doesn't want to read it
            return True
        return not left

    return Stream(file, selectors.EVENT_WRITE, move)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Wait for the launcher, which is ending what it started, and close our ends."""
    try:
        process.wait(SECONDS_TO_END)
    finally:
        process.kill()  # does nothing when it has ended
        process.wait()
        for file in (process.stdin, process.stdout, process.stderr):
            if file:
                file.close()
