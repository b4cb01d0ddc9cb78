"""Watches how much memory a command and all that it started hold, because the kernel limits only each process.

A memory cgroup would be exact, but needs rights that most users don't have. Memory can also be held where no process
shows it (`memfd_create`, System V's shared memory, millions of empty files), so what the whole machine gained of these
kinds counts too, by itself.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS_BETWEEN_LOOKS = 0.25
PAGE = os.sysconf("SC_PAGE_SIZE")
KIBIBYTE = 1024


@dataclass(slots=True)
class MemoryWatch:
    """Looks every quarter of a second.

    Attributes:
        limit: bytes.
        place: a folder as the command sees it whose file system is memory too and has no size of its own; or None.
    """

    limit: int
    place: Path | None = None
    _next: float = 0.0
    _hidden_before: int = 0

    def is_exceeded(self, ancestor: int) -> bool:
        """Whether the processes below `ancestor` hold more than the limit; false between two looks."""
        now = time.monotonic()
        if sys.platform != "linux" or now < self._next:
            return False
        first, self._next = not self._next, now + SECONDS_BETWEEN_LOOKS
        gained = hidden()
        # The kernel takes its time to give back what the check before held.
        self._hidden_before = gained if first else min(gained, self._hidden_before)
        if first:  # most checks are over before the first look
            return False
        if gained - self._hidden_before > self.limit:
            return True
        processes = list(below(ancestor))
        files = written(processes, self.place) if self.place else 0
        if sum(map(resident, processes)) + files <= self.limit:
            return False
        # Pages that forked processes share are counted once now, which costs more.
        return sum(map(proportional, processes)) + files > self.limit


def below(ancestor: int) -> Iterator[int]:
    """The processes that `ancestor` started, directly or not."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            children.setdefault(_parent(name), []).append(int(name))
    waiting = list(children.get(ancestor, []))
    while waiting:
        process = waiting.pop()
        yield process
        waiting += children.get(process, [])


def resident(process: int) -> int:
    """Bytes in memory, shared ones too; 0 when it is gone."""
    fields = _read(process, "statm").split()
    return int(fields[1]) * PAGE if fields else 0


def proportional(process: int) -> int:
    """Bytes in memory, shared ones in parts; as `resident` where the kernel doesn't tell."""
    for line in _read(process, "smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * KIBIBYTE
    return resident(process)


def written(processes: list[int], place: Path) -> int:
    """Bytes of the file system at `place`, asked through one of the processes that see it."""
    for process in reversed(processes):
        try:
            status = os.statvfs(f"/proc/{process}/root{place}")
        except OSError:
            continue
        return (status.f_blocks - status.f_bfree) * status.f_frsize
    return 0


def hidden() -> int:
    """Bytes of the whole machine that belong to files in memory and to the kernel's own objects."""
    with open("/proc/meminfo", "rb") as file:
        rows = dict(line.split(b":") for line in file)
    return sum(int(rows[name].split()[0]) * KIBIBYTE for name in (b"Shmem", b"SUnreclaim"))


def _parent(process: str) -> int:
    stat = _read(int(process), "stat")
    return int(stat[stat.rindex(b")") + 2 :].split()[1]) if stat else 0  # the name before it may hold anything


def _read(process: int, name: str) -> bytes:
    try:
        with open(f"/proc/{process}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""
