"""The profile for macOS's `sandbox-exec`, as text: values in, text out.

Apple calls the program deprecated, but there is no other without an entitlement. The profile denies everything and
allows what a Python program needs to start; there is no rule for the network, so there is none. Other processes'
arguments and environment (`kern.proc.all`, `kern.proc.pid`) are not readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SANDBOX_EXEC = Path("/usr/bin/sandbox-exec")
# Folders of the system that programs load from, and what the loader and the C library look at.
SYSTEM = ("/usr", "/bin", "/sbin", "/System", "/Library", "/private/var/db/timezone", "/private/etc/localtime")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
SYSCTLS = (
    "hw.activecpu",
    "hw.byteorder",
    "hw.cachelinesize_compat",
    "hw.logicalcpu",
    "hw.logicalcpu_max",
    "hw.machine",
    "hw.memsize",
    "hw.ncpu",
    "hw.pagesize",
    "hw.pagesize_compat",
    "hw.physicalcpu",
    "hw.physicalcpu_max",
    "kern.argmax",
    "kern.hostname",
    "kern.maxfilesperproc",
    "kern.osproductversion",
    "kern.osrelease",
    "kern.ostype",
    "kern.osvariant_status",
    "kern.osversion",
    "kern.version",
    "sysctl.proc_cputype",
    "vm.loadavg",
)


def profile(read: Sequence[Path], write: Sequence[Path]) -> str:
    """What a check may do.

    Args:
        read: files and folders that it may read and execute.
        write: folders that it may also write to.
    """
    readable = [*map(Path, SYSTEM), *read, *write]
    lines = [
        "(version 1)",
        "(deny default)",
        "(allow process-exec)",
        "(allow process-fork)",
        "(allow signal (target same-sandbox))",
        "(allow process-info* (target same-sandbox))",
        f"(allow sysctl-read {' '.join(f'(sysctl-name {_quoted(name)})' for name in SYSCTLS)})",
        "(allow ipc-posix-sem)",
        # `realpath` and the search for modules ask about folders whose content stays closed.
        "(allow file-read-metadata)",
        f"(allow file-read* {' '.join(map(_below, readable))})",
        f"(allow file-read* file-write-data {' '.join(f'(literal {_quoted(path)})' for path in DEVICES)})",
        f"(allow file-write* {' '.join(map(_below, write))})",
    ]
    return "\n".join(lines) + "\n"


def _below(path: Path) -> str:
    return f"(subpath {_quoted(str(path))})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
