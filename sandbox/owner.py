"""Tells whether the process that owns something is still alive, by its id and the time of its start.

A process id alone is not enough: it is given out again after the process has ended.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Owner:
    """A process.

    Attributes:
        pid: its id.
        started: when it started, in the system's own words, together with the boot that it belongs to.
        place: where the id means something: the machine and, in containers, the process namespace.
    """

    pid: int
    started: str
    place: str

    def to_text(self) -> str:
        """One line that `parse` reads back."""
        return json.dumps(asdict(self))

    @staticmethod
    def parse(text: str) -> Owner | None:
        """The owner that a line names; None where it names none."""
        try:
            read = json.loads(text)
            return Owner(int(read["pid"]), str(read["started"]), str(read["place"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return None

    @property
    def is_elsewhere(self) -> bool:
        """Whether it runs on another machine, or in another container, that shares files with us."""
        return self.place != _place()

    @property
    def is_alive(self) -> bool:
        """Whether this very process still runs."""
        return start_of(self.pid) == self.started


def current_owner() -> Owner:
    """This process."""
    return Owner(os.getpid(), start_of(os.getpid()) or "", _place())


def _place() -> str:
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return f"{platform.node()} {namespace}".strip()


def start_of(pid: int) -> str | None:
    """When the process started; None where there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None if Path("/proc/self/stat").exists() else _start_without_proc(pid)
    # proc_pid_stat(5): field 22 is the start in clock ticks since boot; fields here begin at the third.
    # A zombie has ended; only its parent hasn't looked.
    return None if fields[0] in ("Z", "X") else f"{boot}:{fields[19]}"


def _start_without_proc(pid: int) -> str | None:
    command = ["/bin/ps", "-o", "lstart=", "-p", str(pid)]
    asked = subprocess.run(command, env={"LC_ALL": "C"}, capture_output=True, text=True, timeout=10, check=False)
    return asked.stdout.strip() or None
