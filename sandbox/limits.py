"""How much one check may use, and the words that say so to the kernel."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20
# What is left of the machine's memory for everything else.
LARGEST_SHARE = 3, 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What one check may use. Sizes in bytes; `cpu` in seconds.

    Attributes:
        cpu: processor time of one process.
        processes: processes and threads at a time.
        files: open files of a process.
        file_size: size of one file.
        memory: address space of one process.
        temporary: all of /tmp.
        shared: all of /dev/shm.
        tree: what is written into the view of the tree that is thrown away.
        total_memory: resident memory of all processes together.
    """

    cpu: int = 600
    processes: int = 512
    files: int = 1024
    file_size: int = 256 * MEBIBYTE
    memory: int = 8192 * MEBIBYTE
    temporary: int = 512 * MEBIBYTE
    shared: int = 64 * MEBIBYTE
    tree: int = 512 * MEBIBYTE
    total_memory: int = 8192 * MEBIBYTE

    @property
    def total_memory_here(self) -> int:
        """`total_memory`, or three quarters of what the machine has."""
        here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return min(self.total_memory, here * LARGEST_SHARE[0] // LARGEST_SHARE[1])

    @property
    def of_a_process(self) -> dict[str, int]:
        """Those that the kernel holds for each process, by the names of `resource.RLIMIT_…`."""
        return {
            "CPU": self.cpu,
            "NOFILE": self.files,
            "FSIZE": self.file_size,
            "AS": self.memory,
            "CORE": 0,
            "MEMLOCK": 65536,
        }


PRLIMIT = Path("/usr/bin/prlimit")


def sandbox_words(limits: Limits) -> list[str]:
    """Begins a command line inside a sandbox, where the count of processes is its own."""
    return _words(limits, f"--nproc={limits.processes}")


def limit_words(limits: Limits) -> list[str]:
    """Begins a command line outside, where that count is all of the user's; nothing where the program is missing."""
    return _words(limits) if PRLIMIT.exists() else []


def _words(limits: Limits, *others: str) -> list[str]:
    values = {name.lower(): value for name, value in limits.of_a_process.items()}
    return [str(PRLIMIT), *(f"--{name}={value}" for name, value in values.items()), *others, "--"]
