"""The filter of system calls for `bwrap --seccomp`: a classic BPF program, assembled without any library.

A list of what is denied, as Flatpak has it (projects need the rest): what reaches other processes, keys, the
kernel's own tables, mounts, or the host through socket families that a network namespace doesn't hold
(vsock). The namespaces hold without it; this narrows the kernel that checks can reach.

EPERM where a caller should hear no; ENOSYS where libraries ask first and have another way (clone3, io_uring).
"""

from __future__ import annotations

import os
import platform
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
EPERM, ENOSYS, EAFNOSUPPORT = ERRNO | 1, ERRNO | 38, ERRNO | 97

# Offsets in `struct seccomp_data`. Of arguments the low 32 bits are compared, as these are what the kernel
# reads (CVE-2019-10063).
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24

X32_BIT = 0x4000_0000
CLONE_NEWUSER = 0x1000_0000
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
PERSONALITY_DEFAULT, PERSONALITY_QUERY = 0, 0xFFFF_FFFF
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16


@dataclass(frozen=True, slots=True)
class Instruction:
    """One `struct sock_filter`; `yes` and `no` count the instructions that are skipped."""

    code: int
    operand: int
    yes: int = 0
    no: int = 0

    def encode(self) -> bytes:
        """Its eight bytes."""
        return struct.pack("<HBBI", self.code, self.yes, self.no, self.operand)


class Numbers(NamedTuple):
    """A system call's number on each machine; None where it doesn't exist."""

    x86_64: int | None
    aarch64: int | None


AUDIT_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

NOT_PERMITTED = {
    "ptrace": Numbers(101, 117),
    "process_vm_readv": Numbers(310, 270),
    "process_vm_writev": Numbers(311, 271),
    "kcmp": Numbers(312, 272),
    "pidfd_getfd": Numbers(438, 438),
    "add_key": Numbers(248, 217),
    "request_key": Numbers(249, 218),
    "keyctl": Numbers(250, 219),
    "bpf": Numbers(321, 280),
    "perf_event_open": Numbers(298, 241),
    "userfaultfd": Numbers(323, 282),
    "mount": Numbers(165, 40),
    "umount2": Numbers(166, 39),
    "pivot_root": Numbers(155, 41),
    "chroot": Numbers(161, 51),
    "unshare": Numbers(272, 97),
    "setns": Numbers(308, 268),
    "open_by_handle_at": Numbers(304, 265),
    "name_to_handle_at": Numbers(303, 264),
    "init_module": Numbers(175, 105),
    "finit_module": Numbers(313, 273),
    "delete_module": Numbers(176, 106),
    "kexec_load": Numbers(246, 104),
    "kexec_file_load": Numbers(320, 294),
    "acct": Numbers(163, 89),
    "quotactl": Numbers(179, 60),
    "quotactl_fd": Numbers(443, 443),
    "syslog": Numbers(103, 116),
    "swapon": Numbers(167, 224),
    "swapoff": Numbers(168, 225),
    "reboot": Numbers(169, 142),
    "settimeofday": Numbers(164, 170),
    "clock_settime": Numbers(227, 112),
    "clock_adjtime": Numbers(305, 266),
    "adjtimex": Numbers(159, 171),
    "sethostname": Numbers(170, 161),
    "setdomainname": Numbers(171, 162),
    "iopl": Numbers(172, None),
    "ioperm": Numbers(173, None),
    "modify_ldt": Numbers(154, None),
    "uselib": Numbers(134, None),
    "_sysctl": Numbers(156, None),
    "lookup_dcookie": Numbers(212, 18),
    "vhangup": Numbers(153, 58),
    "fanotify_init": Numbers(300, 262),
    "mbind": Numbers(237, 235),
    "migrate_pages": Numbers(256, 238),
    "move_pages": Numbers(279, 239),
    "set_mempolicy": Numbers(238, 237),
}

NOT_THERE = {
    "clone3": Numbers(435, 435),
    "io_uring_setup": Numbers(425, 425),
    "io_uring_enter": Numbers(426, 426),
    "io_uring_register": Numbers(427, 427),
    "open_tree": Numbers(428, 428),
    "move_mount": Numbers(429, 429),
    "fsopen": Numbers(430, 430),
    "fsconfig": Numbers(431, 431),
    "fsmount": Numbers(432, 432),
    "fspick": Numbers(433, 433),
    "mount_setattr": Numbers(442, 442),
    "memfd_secret": Numbers(447, 447),
    "open_tree_attr": Numbers(467, 467),
}

# Denied by their arguments.
CLONE = Numbers(56, 220)
IOCTL = Numbers(16, 29)
PERSONALITY = Numbers(135, 92)
SOCKET = Numbers(41, 198)
SOCKETPAIR = Numbers(53, 199)


def program(machine: str | None = None) -> bytes | None:
    """The filter as the kernel reads it, eight bytes an instruction.

    Args:
        machine: as `uname -m` says it; this machine by default.

    Returns:
        None for a machine whose system calls aren't in the tables.
    """
    machine = machine or platform.machine()
    if machine not in AUDIT_ARCHITECTURES:
        return None
    return b"".join(instruction.encode() for instruction in _instructions(machine))


def memfd(program: bytes) -> int:
    """An anonymous file that holds the program and stands at its beginning; the caller closes it."""
    descriptor = os.memfd_create("seccomp")
    os.write(descriptor, program)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _instructions(machine: str) -> Iterator[Instruction]:
    yield Instruction(LOAD, ARCHITECTURE)
    yield Instruction(EQUAL, AUDIT_ARCHITECTURES[machine], yes=1)
    yield Instruction(RETURN, KILL_PROCESS)
    yield Instruction(LOAD, NUMBER)
    if machine == "x86_64":  # the x32 ABI has the same architecture and other numbers
        yield Instruction(AT_LEAST, X32_BIT, no=1)
        yield Instruction(RETURN, ENOSYS)
    for table, verdict in ((NOT_PERMITTED, EPERM), (NOT_THERE, ENOSYS)):
        for numbers in table.values():
            yield from _when(numbers, machine, [Instruction(RETURN, verdict)])
    for numbers, body in (
        (CLONE, _unless_bit(CLONE_NEWUSER)),
        (IOCTL, _none_of(SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX))),
        (PERSONALITY, _only(FIRST_ARGUMENT, (PERSONALITY_DEFAULT, PERSONALITY_QUERY), EPERM)),
        (SOCKET, _only(FIRST_ARGUMENT, (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK), EAFNOSUPPORT)),
        (SOCKETPAIR, _only(FIRST_ARGUMENT, (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK), EAFNOSUPPORT)),
    ):
        yield from _when(numbers, machine, body)
    yield Instruction(RETURN, ALLOW)


def _when(numbers: Numbers, machine: str, body: Sequence[Instruction]) -> Iterator[Instruction]:
    """`body`, which ends in a return, for one system call; any other skips it."""
    number: int | None = getattr(numbers, machine)
    if number is not None:
        yield Instruction(EQUAL, number, no=len(body))
        yield from body


def _unless_bit(bit: int) -> list[Instruction]:
    return [
        Instruction(LOAD, FIRST_ARGUMENT),
        Instruction(ANY_BIT, bit, no=1),
        Instruction(RETURN, EPERM),
        Instruction(RETURN, ALLOW),
    ]


def _none_of(argument: int, values: Sequence[int]) -> list[Instruction]:
    return [
        Instruction(LOAD, argument),
        *(Instruction(EQUAL, value, yes=len(values) - index) for index, value in enumerate(values)),
        Instruction(RETURN, ALLOW),
        Instruction(RETURN, EPERM),
    ]


def _only(argument: int, values: Sequence[int], verdict: int) -> list[Instruction]:
    return [
        Instruction(LOAD, argument),
        *(Instruction(EQUAL, value, yes=len(values) - index) for index, value in enumerate(values)),
        Instruction(RETURN, verdict),
        Instruction(RETURN, ALLOW),
    ]
