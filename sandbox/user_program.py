"""Runs a program of the user's own that talks to a network: his git with his credentials, `gh`, `glab`.

Such a program may leave a helper behind that keeps its output open (ssh's shared connection, a cache of credentials),
so its output goes to nameless files and only its own end is waited for. Without a terminal it gets a session of its
own: nothing that it starts can find a terminal to ask on, and all of it goes when time is over.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .errors import ExitCode, UserError

_TURN = 0.2
"""Seconds; how late a signal may be noticed, see `program`."""
_LARGEST_OUTPUT = 16 << 20
"""Bytes of each stream."""
_SECONDS_TO_END = 5.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended and what it wrote."""

    returncode: int
    stdout: bytes
    stderr: bytes


def find_user_program(name: str) -> str | None:
    """The program on PATH; folders that depend on where we stand don't count, a repository may hold such a name."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def run_user_program(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path | str,
    seconds: float,
    stdin: bytes = b"",
    interactive: bool = False,
) -> Ended:
    """Run it to its end.

    Args:
        seconds: limit of wall time.
        interactive: whether it may ask on the terminal.

    Raises:
        UserError: it can't be started, time is over, or it writes without end.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        streams = (given, out, err)
        process = _started(command, environment, folder, streams, has_session=not interactive)
        try:
            _wait(process, os.path.basename(command[0]), (out, err), seconds)
        except BaseException:
            _end(process, has_session=not interactive)
            raise
        return Ended(process.returncode, _content(out), _content(err))


def _started(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path | str,
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    *,
    has_session: bool,
) -> subprocess.Popen[bytes]:
    given, out, err = streams
    try:
        return subprocess.Popen(
            command, env=environment, cwd=folder, stdin=given, stdout=out, stderr=err, start_new_session=has_session
        )
    except OSError as error:
        raise UserError(
            f"`{command[0]}` can't be started: {error.strerror}",
            hint="see whether it runs by itself",
            exit_code=ExitCode.ENVIRONMENT,
        ) from error


def _wait(process: subprocess.Popen[bytes], name: str, outputs: Sequence[IO[bytes]], seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TURN)
            return
        if time.monotonic() > end:
            raise UserError(
                f"`{name}` was not done after {seconds:g} seconds",
                hint="see whether the server can be reached, and try again",
                exit_code=ExitCode.PROVIDER,
            )
        if any(os.fstat(output.fileno()).st_size > _LARGEST_OUTPUT for output in outputs):
            raise UserError(
                f"`{name}` writes without end", hint="see what the server answers", exit_code=ExitCode.PROVIDER
            )


def _end(process: subprocess.Popen[bytes], *, has_session: bool) -> None:
    if has_session:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        # git passes this on to what it has started; the others share our group, and the terminal's Ctrl-C.
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)
    process.kill()
    process.wait()


def _content(output: IO[bytes]) -> bytes:
    output.seek(0)
    return output.read(_LARGEST_OUTPUT)
