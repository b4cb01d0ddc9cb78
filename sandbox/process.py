"""Runs one command to its end, or ends it: time, output, memory, cancelling, an exception, or our own death.

Each command is started by `launcher.py`, which kills and reaps whatever the command started. The launcher
holds the reading end of a pipe, the lifeline; closing the other end is how a run is ended, and the kernel
closes it for us when we are killed. Nothing here depends on the calling thread (no `preexec_fn`, no
parent-death signal of ours) and only the launcher is waited for, so the caller's other children are left
alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .launched import SECONDS_TO_END, Ending, Launched, Question, cannot_start, launch
from .memory import SECONDS_BETWEEN_LOOKS, MemoryWatch

MEBIBYTE = 1 << 20
OUTPUT_LIMIT = 2 * MEBIBYTE
# Output that is this much longer than what is kept is a command gone wild.
FLOOD_FACTOR = 64
SECONDS_BETWEEN_CANCEL_CHECKS = 0.05


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a command ended.

    Attributes:
        returncode: the exit code, the negative signal number, or None when we ended it.
        stdout: all of it, or both halves of the limit around a line that says what is missing.
        stderr: the same of the other stream.
        truncated: whether something of either was left out.
        ended_by: why we ended it, or None when it ended by itself.
        seconds: from the start to the end of its last process.
    """

    returncode: int | None
    stdout: bytes
    stderr: bytes
    truncated: bool
    ended_by: Ending | None
    seconds: float


def run_process(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    timeout: float,
    stdin: bytes = b"",
    output_limit: int = OUTPUT_LIMIT,
    cancel: Callable[[], bool] | None = None,
    pass_fds: Sequence[int] = (),
    memory: MemoryWatch | None = None,
) -> ProcessResult:
    """Run a command, and return when none of its processes is left. Any thread may call, several at once.

    Args:
        argv: the command; a name without a slash is looked up on the PATH of `env`.
        env: the whole environment of the command.
        cwd: where it starts.
        timeout: seconds until it is ended.
        stdin: what it reads; then end of file.
        output_limit: bytes kept of each stream; 64 times as many end the command.
        cancel: asked every 50 ms; true ends the command.
        pass_fds: further descriptors that the command inherits.
        memory: watches what all its processes hold together; exceeding it ends the command.

    Raises:
        UserError: the command can't be started.
    """
    started = time.monotonic()
    with launch(argv, env=env, cwd=cwd, stdin=stdin, output_limit=output_limit, pass_fds=pass_fds) as launched:
        ended_by = launched.serve(_question(launched, started + timeout, FLOOD_FACTOR * output_limit, cancel, memory))
        if ended_by:
            launched.lifeline.close()
            launched.serve(_question(launched, time.monotonic() + SECONDS_TO_END))
    return ProcessResult(
        returncode=None if ended_by else _returncode(launched.said.value(), argv[0]),
        stdout=launched.stdout.value(),
        stderr=launched.stderr.value(),
        truncated=launched.stdout.truncated or launched.stderr.truncated,
        ended_by=ended_by,
        seconds=time.monotonic() - started,
    )


def _question(
    launched: Launched,
    deadline: float,
    flood: int | None = None,
    cancel: Callable[[], bool] | None = None,
    memory: MemoryWatch | None = None,
) -> Question:
    def ask() -> tuple[Ending | None, float]:
        left = deadline - time.monotonic()
        if left <= 0:
            return "time", 0
        if flood is not None and max(launched.stdout.total, launched.stderr.total) > flood:
            return "output", 0
        if memory and memory.is_exceeded(launched.process):
            return "memory", 0
        pause = min(left, SECONDS_BETWEEN_LOOKS) if memory else left
        if cancel is None:
            return None, pause
        return ("cancelled" if cancel() else None), min(pause, SECONDS_BETWEEN_CANCEL_CHECKS)

    return ask


def _returncode(said: bytes, program: str) -> int:
    """The command's exit code, from the launcher's line.

    Raises:
        UserError: the command was never started.
    """
    if not said:
        return -9  # the launcher itself was killed, and the command with it
    word, number = said.decode().split()[:2]
    if word == "failed":
        raise cannot_start(program, os.strerror(int(number)))
    return os.waitstatus_to_exitcode(int(number))
