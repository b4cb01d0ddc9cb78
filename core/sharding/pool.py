"""Runs shards in threads: sessions mostly wait for a server. What comes of them is given to the one thread that asked.

The threads are daemons: one that waits for a silent server can't be woken, and must not keep the program from ending.
`wake` breaks off what they wait for; who still doesn't end is left behind after some seconds.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from orefactor.sandbox.shield import shield

J = TypeVar("J")
R = TypeVar("R")

_TURN = 0.2
"""Seconds; how late a signal may be noticed."""
_PATIENCE = 2.0
"""Seconds that threads are given to end which have been told to stop."""


class Pool(Generic[J, R]):
    """Threads that work off a list of jobs.

    Attributes:
        stopping: set when nothing new shall begin, and what is under way shall end.
    """

    def __init__(
        self, jobs: Sequence[J], most: int, work: Callable[[J], R], wake: Callable[[], None] = lambda: None
    ) -> None:
        """Note what is to be done; nothing is started.

        Args:
            most: how many threads.
            work: does one job; what it raises ends the pool, and is raised by `results`.
            wake: called when what is under way shall end.
        """
        self.stopping = threading.Event()
        self._jobs = jobs
        self._work = work
        self._wake = wake
        self._left: queue.SimpleQueue[J] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[J, R | BaseException]] = queue.SimpleQueue()
        self._given = 0
        self._threads = [threading.Thread(target=self._work_off, daemon=True) for _ in range(min(most, len(jobs)))]

    @contextmanager
    def results(self, cancelled: Callable[[], bool]) -> Generator[Iterator[tuple[J, R]]]:
        """Start, and give each job with its result as they are done; the threads have ended when the block has.

        The results end early when `cancelled` says so.
        """
        for job in self._jobs:
            self._left.put(job)
        try:
            for thread in self._threads:
                thread.start()
            yield self._results(cancelled)
        finally:
            with shield():
                self.stopping.set()
                if self._given < len(self._jobs):
                    self._wake()
                self._await_all()

    def _await_all(self) -> None:
        end = time.monotonic() + _PATIENCE
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, end - time.monotonic()))

    def _results(self, cancelled: Callable[[], bool]) -> Iterator[tuple[J, R]]:
        while self._given < len(self._jobs) and not cancelled():
            try:
                job, result = self._done.get(timeout=_TURN)
            except queue.Empty:
                continue
            self._given += 1
            if isinstance(result, BaseException):
                raise result
            yield job, result

    def _work_off(self) -> None:
        while not self.stopping.is_set():
            try:
                job = self._left.get_nowait()
            except queue.Empty:
                return
            try:
                self._done.put((job, self._work(job)))
            except BaseException as error:  # noqa: BLE001 - it is raised again where the results are taken
                self._done.put((job, error))
