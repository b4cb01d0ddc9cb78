"""Reads the symbols of many files: few at once in this process, many on all cores in processes of their own.

What comes out depends on the files alone, and stands in their order. A file that makes its process die is read a second
time, in case something else killed it, and then counts as one without symbols; no other file is lost. Where no process
can be started at all, everything is read here.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Self

from .extraction import MAX_BYTES, symbols_of
from .parser_process import Died, ParserProcess
from .symbol_rows import EMPTY, Row, row_of

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

FEW_FILES, FEW_BYTES = 150, 1 << 20
"""Below either of them, starting processes takes longer than it saves."""
_READ_BYTES, _READ_FILES = 4 << 20, 2000
"""What is read from git in one call."""
_BATCH_BYTES, _BATCH_FILES = 1 << 18, 100
"""What a process is asked for at once: the less, the more evenly they end."""
_FIRST_BYTES, _FIRST_FILES = 2 * _BATCH_BYTES, 2 * _BATCH_FILES
"""What is read at first: so much that the processes have something to do while more is read."""
_SECONDS_BETWEEN_SIGNALS = 0.2

Read = Callable[[Sequence[str]], Sequence["bytes | None"]]
"""Gives the contents of blobs by their ids, in order; None where one is missing."""
_Batch = Sequence[tuple["Wanted", bytes]]
_Rows = list[tuple["Wanted", Row]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file to read.

    Attributes:
        key: by which it is kept.
        blob: the id of its content.
        path: one of its paths, which tells its language.
        size: of its content, in bytes.
    """

    key: str
    blob: str
    path: str
    size: int


def parse_all(
    files: Sequence[Wanted], read: Read, workers: int | None = None, start: Callable[[], ParserProcess] = ParserProcess
) -> Iterator[tuple[Wanted, Row]]:
    """The row of each file, in the order of the files; those whose content is missing are left out.

    Args:
        files: of any size; contents above the limit are not even read.
        read: called in this thread only.
        workers: processes at once; as many as there are cores where it is None.
        start: starts one.

    Raises:
        GitFailed: as `read` does. Nothing of ours runs on then, nor when the caller ends early.
    """
    with Parsers(len(files), workers, start) as parsers:
        yield from parsers.rows(files, read)


class Parsers:
    """What reads files; as a context it starts processes where many may come, before it is known which."""

    def __init__(
        self, most: int, workers: int | None = None, start: Callable[[], ParserProcess] = ParserProcess
    ) -> None:
        """Start nothing yet; `most` is how many files may come, the rest as for `parse_all`."""
        self._count = 0 if most < FEW_FILES else workers or _cores()
        self._pool = _Pool(start)
        self._executor: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Start the processes, and wait for none."""
        if self._count:
            from concurrent.futures import ThreadPoolExecutor

            self._executor = ThreadPoolExecutor(self._count)
            for _ in range(self._count):
                self._executor.submit(self._pool.prepare)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End all processes and threads."""
        if self._executor:
            try:
                if kind is None:
                    self._pool.finish()
            finally:
                self._pool.stop()
                self._executor.shutdown(cancel_futures=True)
                self._pool.close()

    def rows(self, files: Sequence[Wanted], read: Read) -> Iterator[tuple[Wanted, Row]]:
        """As `parse_all`."""
        batches = _batches(files, read)
        if not self._executor or len(files) < FEW_FILES or sum(file.size for file in files) < FEW_BYTES:
            for batch in batches:
                yield from _parse_here(batch)
            return
        waiting: deque[Future[_Rows]] = deque()
        for batch in batches:
            waiting.append(self._executor.submit(self._pool.parse, batch))
            if len(waiting) > 2 * self._count:
                yield from _result(waiting.popleft())
        while waiting:
            yield from _result(waiting.popleft())


def _cores() -> int:
    # Those that we may use, which in a container are fewer; macOS can't tell.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _result(future: Future[_Rows]) -> _Rows:
    from concurrent.futures import wait

    while not wait([future], _SECONDS_BETWEEN_SIGNALS).done:
        pass  # a signal that comes just before a long wait would be noticed only at its end
    return future.result()


def _batches(files: Sequence[Wanted], read: Read) -> Iterator[_Batch]:
    first = next(portions(files, _FIRST_FILES, _FIRST_BYTES), list[Wanted]())
    for group in chain([first], portions(files[len(first) :], _READ_FILES, _READ_BYTES)):
        # What is too long is never read; as something binary it has no symbols either.
        short = [file for file in group if file.size <= MAX_BYTES]
        found = dict(zip((file.blob for file in short), read([file.blob for file in short]), strict=True))
        for batch in portions(group, _BATCH_FILES, _BATCH_BYTES):
            contents = [(file, found.get(file.blob, b"\0")) for file in batch]
            yield [(file, data) for file, data in contents if data is not None]


def portions(files: Sequence[Wanted], most_files: int, most_bytes: int) -> Iterator[list[Wanted]]:
    """The files in order, in groups of at most so many files and bytes; one that is longer stands alone."""
    group: list[Wanted] = []
    size = 0
    for file in files:
        if group and (len(group) == most_files or size + file.size > most_bytes):
            yield group
            group, size = [], 0
        group.append(file)
        size += min(file.size, MAX_BYTES)
    if group:
        yield group


def _parse_here(batch: _Batch) -> _Rows:
    return [(file, row_of(symbols_of(data, file.path))) for file, data in batch]


class _Pool:
    """The processes that are free; threads take one, use it, and give it back."""

    def __init__(self, start: Callable[[], ParserProcess]) -> None:
        self._start = start
        self._free: SimpleQueue[ParserProcess] = SimpleQueue()
        self._every: list[ParserProcess] = []
        self._is_over = False
        self._can_start = True

    def parse(self, batch: _Batch) -> _Rows:
        """The rows of a batch."""
        done: _Rows = []
        suspect: Wanted | None = None
        while len(done) < len(batch) and not self._is_over:
            left = batch[len(done) :]
            process = self._take()
            if process is None:
                return done + _parse_here(left)
            try:
                for row in process.parse([(file.path, data) for file, data in left]):
                    done.append((batch[len(done)][0], row))
                self._free.put(process)
            except Died:
                process.kill()
                file = batch[len(done)][0]
                if file is suspect:
                    done.append((file, EMPTY))
                suspect = file
        return done

    def prepare(self) -> None:
        """Start a process that is free."""
        process = self._start_one()
        if process is not None:
            self._free.put(process)

    def _take(self) -> ParserProcess | None:
        """A free process, else a new one; None where none can be started."""
        with suppress(Empty):
            return self._free.get_nowait()
        return self._start_one()

    def _start_one(self) -> ParserProcess | None:
        process: ParserProcess | None = None
        if self._can_start:
            try:
                process = self._start()
                self._every.append(process)
                if self._is_over:
                    process.kill()
            except Died:
                self._can_start = False
        return process

    def finish(self) -> None:
        """Let all of them end by themselves, now that none has anything to do."""
        for process in self._every:
            process.finish()
        for process in self._every:
            process.close()

    def stop(self) -> None:
        """End all of them, the busy ones too; whoever waits for one notices."""
        self._is_over = True
        for process in self._every:
            process.kill()

    def close(self) -> None:
        """Close their pipes, when no thread is left."""
        for process in self._every:
            process.close()
