"""The filter of system calls for bubblewrap and Landlock: a classic BPF program, assembled without any library.

A list of what is denied (`system_calls.py`), as Flatpak has it: projects need the rest. The namespaces hold without it;
this narrows the kernel that checks can reach, and socket families that a network namespace doesn't hold (vsock). Where
there are no namespaces but Landlock alone, more is denied.
"""

from __future__ import annotations

import os
import platform
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .system_calls import (
    AUDIT_ARCHITECTURES,
    CLONE,
    CONFINED_NOT_PERMITTED,
    IOCTL,
    NOT_PERMITTED,
    NOT_THERE,
    PERSONALITY,
    PRLIMIT,
    SOCKET,
    SOCKETPAIR,
    Numbers,
)

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
OURSELVES = 0


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


def program(machine: str | None = None, *, confined: bool = False) -> bytes | None:
    """The filter as the kernel reads it, eight bytes an instruction.

    Args:
        machine: as `uname -m` says it; this machine by default.
        confined: for a check without namespaces.

    Returns:
        None for a machine whose system calls aren't in the tables.
    """
    machine = machine or platform.machine()
    if machine not in AUDIT_ARCHITECTURES:
        return None
    return b"".join(instruction.encode() for instruction in _instructions(machine, confined))


def memfd(program: bytes) -> int:
    """An anonymous file that holds the program and stands at its beginning; the caller closes it."""
    descriptor = os.memfd_create("seccomp")
    os.write(descriptor, program)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _instructions(machine: str, confined: bool) -> Iterator[Instruction]:
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
    if confined:
        for numbers in CONFINED_NOT_PERMITTED.values():
            yield from _when(numbers, machine, [Instruction(RETURN, EPERM)])
        yield from _when(PRLIMIT, machine, _only(FIRST_ARGUMENT, (OURSELVES,), EPERM))
    families = (AF_UNIX,) if confined else (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
    for numbers, body in (
        (CLONE, _unless_bit(CLONE_NEWUSER)),
        (IOCTL, _none_of(SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX))),
        (PERSONALITY, _only(FIRST_ARGUMENT, (PERSONALITY_DEFAULT, PERSONALITY_QUERY), EPERM)),
        (SOCKET, _only(FIRST_ARGUMENT, families, EAFNOSUPPORT)),
        (SOCKETPAIR, _only(FIRST_ARGUMENT, families, EAFNOSUPPORT)),
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
