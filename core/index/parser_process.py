"""One running `parsing_worker.py`, as its caller sees it: asked for the symbols of some files, and expected to die."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import orefactor

from ..keys import secrets_of
from .parsing_worker import HEADER, READY, request
from .symbol_rows import Row, unpacked

SECONDS_A_FILE = 60.0
"""Wall time after which a file is given up; the longest that is read takes about half a second."""
_SECONDS_TO_START = 30.0
_SECONDS_TO_END = 2.0
_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "200000000", "MALLOC_TOP_PAD_": "16000000"}
"""Each tree is freed before the next one is made; glibc would hand its memory back to the system in between."""
_PIECE = 1 << 16
_PROGRAM = Path(__file__).with_name("parsing_worker.py")
_PACKAGES = Path(orefactor.__file__).parent.parent


class Died(Exception):
    """The process has ended, or had to be ended, before it answered."""


class ParserProcess:
    """A worker. Not for several threads at once.

    Attributes:
        process: its process id.
    """

    def __init__(self, program: Path = _PROGRAM, seconds: float = SECONDS_A_FILE) -> None:
        """Start it.

        Args:
            program: what is run.
            seconds: that it may take for one file.

        Raises:
            Died: it can't be started, or doesn't come so far that it could answer.
        """
        self._seconds = seconds
        self._pending = bytearray()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(program), str(_PACKAGES)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=_environment(),
                cwd="/",
                start_new_session=True,  # Ctrl-C at the terminal is for us, who end it
            )
        except OSError as error:
            raise Died from error
        self.process = self._process.pid
        try:
            if self._read(len(READY), _SECONDS_TO_START) != READY:
                raise Died
        except BaseException:
            self.close()
            raise

    def parse(self, files: Sequence[tuple[str, bytes]]) -> Iterator[Row]:
        """The row of each file, path and content, in order.

        Raises:
            Died: while it read the file whose row would have been next.
        """
        stdin = _pipe(self._process.stdin)
        left = memoryview(request(files))
        try:
            while left:
                left = left[os.write(stdin, left) :]
        except OSError as error:
            raise Died from error
        for _ in files:
            names, symbols = HEADER.unpack(self._read(HEADER.size))
            families, positions = json.loads(self._read(names))
            yield Row(self._read(symbols), {name: unpacked(found) for name, found in families.items()}, positions)

    def finish(self) -> None:
        """Tell it that nothing more comes; it ends by itself."""
        assert self._process.stdin
        self._process.stdin.close()

    def kill(self) -> None:
        """End it, whatever it is doing. It keeps nothing, so there is nothing to wait for. Any thread may call."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close its pipes, and see to it that it ends, once no thread uses it.

        Not earlier: the numbers of the pipes may soon be those of other files.
        """
        try:
            self._process.wait(_SECONDS_TO_END if self._process.stdin and self._process.stdin.closed else 0)
        except subprocess.TimeoutExpired:
            self.kill()
        for file in (self._process.stdin, self._process.stdout):
            if file is not None:
                file.close()

    def _read(self, length: int, seconds: float | None = None) -> bytes:
        stdout = _pipe(self._process.stdout)
        pending = self._pending
        if len(pending) < length:
            poll = select.poll()
            poll.register(stdout, select.POLLIN)
            limit = (self._seconds if seconds is None else seconds) * 1000
            while len(pending) < length:
                piece = os.read(stdout, max(length - len(pending), _PIECE)) if poll.poll(limit) else b""
                if not piece:
                    raise Died
                pending += piece
        found = bytes(pending[:length])
        del pending[:length]
        return found


def _pipe(file: IO[bytes] | None) -> int:
    assert file is not None
    return file.fileno()


def _environment() -> Mapping[str, str]:
    """As ours, without what is secret: it reads what strangers wrote."""
    secret = secrets_of(os.environ)
    return {name: value for name, value in os.environ.items() if name not in secret} | _KEEP_MEMORY
