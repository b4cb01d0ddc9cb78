"""The system call filter: what the kernel would answer, from an interpreter of the program."""

from __future__ import annotations

import os
import struct

import pytest

from orefactor.sandbox import seccomp, system_calls
from orefactor.sandbox.seccomp import ALLOW, EAFNOSUPPORT, ENOSYS, EPERM, KILL_PROCESS

MACHINES = ["x86_64", "aarch64"]


def verdict(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Run a filter on one call, as the kernel does."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    instructions = list(struct.iter_unpack("<HBBI", program))
    position = accumulator = 0
    while True:
        code, yes, no, operand = instructions[position]
        position += 1
        if code == seccomp.RETURN:
            return int(operand)
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("<I", data, operand)
            continue
        holds = {
            seccomp.EQUAL: accumulator == operand,
            seccomp.AT_LEAST: accumulator >= operand,
            seccomp.ANY_BIT: bool(accumulator & operand),
        }[code]
        position += yes if holds else no


def ask(machine: str, number: int | None, *arguments: int, confined: bool = False) -> int:
    program = seccomp.program(machine, confined=confined)
    assert program is not None
    assert number is not None
    return verdict(program, system_calls.AUDIT_ARCHITECTURES[machine], number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("table", "expected"), [(system_calls.NOT_PERMITTED, EPERM), (system_calls.NOT_THERE, ENOSYS)])
def test_each_row_of_a_table_is_denied(machine: str, table: dict[str, system_calls.Numbers], expected: int) -> None:
    numbers = {name: getattr(row, machine) for name, row in table.items()}
    answers = {name: ask(machine, number) for name, number in numbers.items() if number is not None}
    assert set(answers.values()) == {expected}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("CLONE", [0x11], ALLOW),
        ("CLONE", [0x10000011], EPERM),
        ("IOCTL", [0, 0x5401], ALLOW),
        ("IOCTL", [0, 0x5412], EPERM),
        ("IOCTL", [0, 0x541C], EPERM),
        ("IOCTL", [0, 0xABCD_0000_5412], EPERM),
        ("PERSONALITY", [0], ALLOW),
        ("PERSONALITY", [0xFFFF_FFFF], ALLOW),
        ("PERSONALITY", [0x40000], EPERM),
        ("SOCKET", [1], ALLOW),
        ("SOCKET", [2], ALLOW),
        ("SOCKET", [10], ALLOW),
        ("SOCKET", [16], ALLOW),
        ("SOCKET", [40], EAFNOSUPPORT),
        ("SOCKET", [17], EAFNOSUPPORT),
        ("SOCKETPAIR", [1], ALLOW),
        ("SOCKETPAIR", [38], EAFNOSUPPORT),
    ],
)
def test_arguments_decide(machine: str, call: str, arguments: list[int], expected: int) -> None:
    assert ask(machine, getattr(getattr(system_calls, call), machine), *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_without_namespaces_more_is_denied(machine: str) -> None:
    for name, row in system_calls.CONFINED_NOT_PERMITTED.items():
        number = getattr(row, machine)
        if number is not None:
            arguments = [1] if name == "socket" else []
            assert ask(machine, number, *arguments) == ALLOW
            assert ask(machine, number, *arguments, confined=True) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("PRLIMIT", [0], ALLOW),
        ("PRLIMIT", [4711], EPERM),
        ("SOCKETPAIR", [1], ALLOW),
        ("SOCKETPAIR", [2], EAFNOSUPPORT),
        ("CLONE", [0x10000011], EPERM),
    ],
)
def test_arguments_decide_without_namespaces_too(machine: str, call: str, arguments: list[int], expected: int) -> None:
    number = getattr(getattr(system_calls, call), machine)
    assert ask(machine, number, *arguments, confined=True) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_pass_and_other_architectures_die(machine: str) -> None:
    assert ask(machine, {"x86_64": 0, "aarch64": 63}[machine]) == ALLOW
    program = seccomp.program(machine)
    assert program is not None
    assert verdict(program, 0x40000003, 0) == KILL_PROCESS


def test_x32_is_refused() -> None:
    assert ask("x86_64", 0x4000_0000 | 101) == ENOSYS


def test_an_unknown_machine_has_no_filter() -> None:
    assert seccomp.program("vax") is None


def test_memfd_is_read_from_its_beginning() -> None:
    descriptor = seccomp.memfd(b"12345678")
    try:
        assert os.read(descriptor, 100) == b"12345678"
        assert not os.get_inheritable(descriptor)
    finally:
        os.close(descriptor)


@pytest.mark.skipif(not os.path.exists("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), reason="no headers")
def test_numbers_are_those_of_the_headers() -> None:
    with open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h") as file:
        words = [line.split() for line in file if line.startswith("#define __NR_")]
    header = {name.removeprefix("__NR_"): int(number) for _, name, number in words}
    rows = {**system_calls.NOT_PERMITTED, **system_calls.NOT_THERE, **system_calls.CONFINED_NOT_PERMITTED}
    assert {name: header.get(name, row.x86_64) for name, row in rows.items()} == {
        name: row.x86_64 for name, row in rows.items()
    }
