"""Searches a folder with git's own grep, under a limit of time and output, so that no pattern can hang the caller."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from .errors import Refused
from .git import git_program, neutral_environment

_OUTPUT_LIMIT = 1 << 20
"""Bytes read of one search; far more than an answer shows."""
_POLL = 0.05
# A file's name may hold a newline; only the NUL behind it ends it.
_RECORD = re.compile(rb"([^\0]+)\0(\d+)\0([^\n]*)\n")
_CONFIG = (
    ("core.fsmonitor", "false"),
    ("grep.patternType", "default"),
    # Paths are relative to the folder searched, also where that lies inside a repository.
    ("grep.fullName", "false"),
    ("grep.column", "false"),
    ("submodule.recurse", "false"),
    ("color.ui", "false"),
    ("core.quotePath", "false"),
)

PatternKind = Literal["regex", "fixed"]


@dataclass(frozen=True, slots=True)
class Match:
    """One line that matches; `line` counts from 1."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Search:
    """What a search gave.

    Attributes:
        complete: False where the limit of output ended it.
    """

    matches: tuple[Match, ...]
    complete: bool


def search(
    top: Path,
    pattern: str,
    pathspecs: Sequence[str],
    *,
    kind: PatternKind = "regex",
    seconds: float,
    skip_ignored: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
) -> Search:
    """Search text files below `top` without following links; binary files and `.git` are left out.

    Args:
        pathspecs: git pathspecs relative to `top`.
        seconds: limit of wall time.

    Raises:
        Refused: the pattern is no regular expression, or time is over.
    """
    flags = ["-F"] if kind == "fixed" else ["-P"]
    code, output, errors, complete = _run(
        top, [*flags, "-e", pattern, "--", *pathspecs], seconds, skip_ignored, cancelled
    )
    if code == 128 and b"not compiled with" in errors:
        # git without PCRE: extended expressions are the nearest thing.
        code, output, errors, complete = _run(
            top, ["-E", "-e", pattern, "--", *pathspecs], seconds, skip_ignored, cancelled
        )
    if code not in (0, 1) and complete:
        said = errors.decode(errors="replace").strip().removeprefix("fatal: ")
        raise Refused(f"the search failed: {said}; check the regular expression (escape `(`, `[`, `.` and the like)")
    return Search(tuple(_parse(output)), complete)


def _parse(output: bytes) -> list[Match]:
    """Whole records only: the last one may be cut by the limit."""
    return [
        Match(os.fsdecode(path), int(number), text.decode(errors="replace").rstrip("\r"))
        for path, number, text in _RECORD.findall(output)
    ]


def _run(
    top: Path, arguments: Sequence[str], seconds: float, skip_ignored: bool, cancelled: Callable[[], bool]
) -> tuple[int, bytes, bytes, bool]:
    command = [git_program(), "grep", "--no-index", "-n", "-I", "-z", "--no-color"]
    if skip_ignored:
        command.append("--exclude-standard")
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=top,
        env=neutral_environment(_CONFIG),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        output, errors, complete = _drain(process.stdout, process.stderr, seconds, cancelled)
        if not complete:
            process.kill()
        return process.wait(), output, errors, complete
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def _drain(
    stdout: IO[bytes], stderr: IO[bytes], seconds: float, cancelled: Callable[[], bool]
) -> tuple[bytes, bytes, bool]:
    parts: dict[IO[bytes], bytearray] = {stdout: bytearray(), stderr: bytearray()}
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            selector.register(stream, selectors.EVENT_READ, stream)
        while selector.get_map():
            if cancelled() or time.monotonic() > end:
                raise Refused(f"the search was stopped after {seconds:g} s; use a simpler pattern or a narrower path")
            for key, _ in selector.select(_POLL):
                data = os.read(key.fd, 65536)
                parts[key.data] += data
                if not data:
                    selector.unregister(key.fileobj)
            if len(parts[stdout]) > _OUTPUT_LIMIT:
                return bytes(parts[stdout]), bytes(parts[stderr]), False
    return bytes(parts[stdout]), bytes(parts[stderr]), True
