"""Describes the machine that a figure was measured on, so that a kept result can be read later.

No address, user or folder is in it; the name is what the processor calls itself, as results are published.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_NAME = 40


@dataclass(frozen=True, slots=True)
class Machine:
    """What a figure depends on.

    Attributes:
        cores: processors that this process may use.
        processor: its model.
        memory_mb: of the whole machine.
        kernel: the system and its version.
        python: the version of this interpreter.
        git: its version.
        load: of the last minute, when the measuring began.
    """

    cores: int
    processor: str
    memory_mb: int
    kernel: str
    python: str
    git: str
    load: float

    @property
    def name(self) -> str:
        """A name for files: cores and processor."""
        words = re.sub(r"\((?:R|TM)\)|@.*", "", self.processor)
        return f"{self.cores}x-{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')[:_NAME].strip('-') or 'unknown'}"

    @property
    def is_busy(self) -> bool:
        """Whether others were at work."""
        return self.load > 0.5


def describe_machine() -> Machine:
    """Look at this machine."""
    version = subprocess.run(["git", "version"], capture_output=True, text=True, check=True).stdout
    return Machine(
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        processor=processor_in(_text("/proc/cpuinfo")) or platform.processor() or platform.machine(),
        memory_mb=memory_in(_text("/proc/meminfo")),
        kernel=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        git=version.removeprefix("git version").strip(),
        load=round(os.getloadavg()[0], 2),
    )


def processor_in(cpuinfo: str) -> str:
    """The model that Linux names; empty where it names none."""
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def memory_in(meminfo: str) -> int:
    """Megabytes of memory; 0 where Linux doesn't say."""
    found = re.search(r"^MemTotal:\s*(\d+) kB$", meminfo, re.MULTILINE)
    return int(found[1]) // 1024 if found else 0


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
