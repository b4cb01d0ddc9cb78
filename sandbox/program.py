"""Runs one program of ours to its end, waiting in short turns.

Python handles a signal between two of its own steps. One that arrives just before a long wait would be noticed only
when that wait is over, so no wait is long.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .errors import ExitCode, UserError

_TURN = 0.2
"""Seconds; how late a signal may be noticed."""


def run_program(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path | str,
    stdin: bytes = b"",
    seconds: float,
    umask: int = -1,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program that starts nothing which outlives it.

    Args:
        seconds: limit of wall time.
        umask: of this program alone, where it isn't -1.

    Raises:
        UserError: time is over.
    """
    with _input_file(stdin) as given:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            umask=umask,
        )
    with process:
        try:
            stdout, stderr = _wait(process, time.monotonic() + seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise UserError(
                f"`{command[0]}` was not done after {seconds:g} seconds",
                hint="see whether the disk is slow or the repository locked, and try again",
                exit_code=ExitCode.ENVIRONMENT,
            ) from None
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


@contextmanager
def _input_file(data: bytes) -> Generator[IO[bytes] | int]:
    """Standard input as a nameless file: Python 3.11 forgets the rest of a pipe's input when a turn is over."""
    if not data:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _wait(process: subprocess.Popen[bytes], end: float) -> tuple[bytes, bytes]:
    while True:
        try:
            return process.communicate(timeout=_TURN)
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                raise


class Running:
    """A program that works beside the caller; see `program_beside`."""

    def __init__(self, process: subprocess.Popen[bytes], output: IO[bytes], errors: IO[bytes]) -> None:
        self._process = process
        self._output = output
        self._errors = errors

    def result(self, seconds: float) -> subprocess.CompletedProcess[bytes] | None:
        """Wait for its end; None where it isn't done after so many seconds."""
        end = time.monotonic() + seconds
        while self._process.poll() is None:
            if time.monotonic() > end:
                return None
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_TURN)
        self._output.seek(0)
        self._errors.seek(0)
        return subprocess.CompletedProcess(
            self._process.args, self._process.returncode, self._output.read(), self._errors.read()
        )


@contextmanager
def program_beside(command: Sequence[str], *, environment: Mapping[str, str], stdin: bytes) -> Generator[Running]:
    """Start a program of ours that works while the block does; it has ended when the block has.

    What it says goes to nameless files: nobody reads a pipe meanwhile, and a full one would stop it.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, _input_file(stdin) as given:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd="/",
            stdin=given,
            stdout=output,
            stderr=errors,
            # A Ctrl-C is for the caller, who ends it.
            process_group=0,
        )
        with process:
            try:
                yield Running(process, output, errors)
            finally:
                if process.poll() is None:
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
