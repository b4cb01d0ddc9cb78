"""The small program that confines itself by Landlock and a system call filter, and becomes a check.

    python -I -S -B landlock.py RULES COMMAND...

The second choice, for machines where bubblewrap can't make its namespaces. It needs no right at all, and holds less:
the host's files can't be opened but can be asked about (`stat`) and get another modification time, there are no
sockets (loopback neither), no /dev/shm, and the tree stands at its own path. Of root's rights nothing is left.

RULES is JSON: `read`, `write` and `devices` are paths, `limits` numbers by the names of `resource.RLIMIT_…`, `filter`
the system call filter in hexadecimal. What isn't there is left out. Constants are those of `linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import stat
import struct
import sys
from collections.abc import Iterable, Mapping
from typing import Any

# From this version on, abstract sockets and signals of other processes are out of reach.
ABI_NEEDED = 6
SYS_CREATE_RULESET, SYS_ADD_RULE, SYS_RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION, RULE_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_CHAR, MAKE_BLOCK = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 11
TRUNCATE, IOCTL_DEVICE = 1 << 14, 1 << 15
ALL_FILE_RIGHTS = (1 << 16) - 1
ALL_NETWORK_RIGHTS, ALL_SCOPES = 3, 3
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = ALL_FILE_RIGHTS & ~(MAKE_CHAR | MAKE_BLOCK)
DEVICE = READ_FILE | WRITE_FILE | TRUNCATE
RIGHTS_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 38, 22, 24, 47
SECCOMP_MODE_FILTER, PR_CAP_AMBIENT_CLEAR_ALL, CAPABILITY_VERSION_3 = 2, 4, 0x2008_0522
MOST_CAPABILITIES = 64

libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def main(words: list[str]) -> None:
    """Confine ourselves and become the command. Never returns."""
    rules: dict[str, Any] = json.loads(words[0])
    command = words[1:]
    try:
        set_limits(rules["limits"])
        restrict(rules["read"], rules["write"], rules["devices"])
        drop_capabilities()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # the interpreter ignores both, and a command would inherit that
        set_filter(bytes.fromhex(rules["filter"]))
    except OSError as error:
        sys.exit(f"orefactor-landlock: {error}")
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


def set_limits(limits: Mapping[str, int]) -> None:
    """Set what the kernel holds for each process; never more than is allowed already."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        allowed = resource.getrlimit(kind)[1]
        value = value if allowed == resource.RLIM_INFINITY else min(value, allowed)
        resource.setrlimit(kind, (value, value))


def restrict(read: Iterable[str], write: Iterable[str], devices: Iterable[str]) -> None:
    """Leave only these paths and what lies below them, no network, and no other process.

    Raises:
        OSError: the kernel has no Landlock, or one that holds too little.
    """
    version = check(libc.syscall(SYS_CREATE_RULESET, None, ctypes.c_size_t(0), CREATE_RULESET_VERSION))
    if version < ABI_NEEDED:
        raise OSError(f"this kernel's Landlock has version {version}, and {ABI_NEEDED} is needed")
    attributes = struct.pack("<QQQ", ALL_FILE_RIGHTS, ALL_NETWORK_RIGHTS, ALL_SCOPES)
    rules = check(libc.syscall(SYS_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))
    for paths, rights in ((read, READ), (write, WRITE), (devices, DEVICE)):
        for path in paths:
            allow(rules, path, rights)
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    check(libc.syscall(SYS_RESTRICT_SELF, rules, 0))
    os.close(rules)


def allow(rules: int, path: str, rights: int) -> None:
    """Add a path that exists; a link counts as what it leads to."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISDIR(os.fstat(opened).st_mode):
        rights &= RIGHTS_OF_A_FILE
    attributes = struct.pack("<Qi", rights, opened)
    check(libc.syscall(SYS_ADD_RULE, rules, RULE_PATH_BENEATH, attributes, 0))
    os.close(opened)


def drop_capabilities() -> None:
    """Give up every right that root has besides owning files; no program gets one back."""
    for capability in range(MOST_CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails without rights, and where there is no such one
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    check(libc.capset(struct.pack("<Ii", CAPABILITY_VERSION_3, 0), bytes(24)))


def set_filter(program: bytes) -> None:
    """Filter the system calls from here on."""
    text = ctypes.create_string_buffer(program, len(program))
    loaded = FilterProgram(len(program) // 8, ctypes.cast(text, ctypes.c_void_p))
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(loaded), 0, 0))


def check(returned: int) -> int:
    """The value of a call.

    Raises:
        OSError: it failed.
    """
    if returned < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return returned


if __name__ == "__main__":
    main(sys.argv[1:])
