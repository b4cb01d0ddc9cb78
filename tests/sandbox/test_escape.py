"""The escape suite: what a hostile test tries in the sandbox, as root and as an ordinary user.

Each attack names the honest neighbour that must still work, right afterwards and in the same sandbox. Attacks on the
machine's resources are in `test_escape_limits.py`.
"""

from __future__ import annotations

import os
import platform
import re
import socket
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attacks import ATTACKS, CALLING, CALLS, HOST, NEIGHBOURS, WRITING, Attack
from isolated_world import PYTHON, USERS, Checks, checks_of

from orefactor.sandbox.bwrap import find_bwrap

needs_bwrap = pytest.mark.skipif(find_bwrap() is None or not PYTHON.exists(), reason="no bubblewrap here")


@pytest.fixture(scope="module", params=USERS)
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    with checks_of(request.param, "bwrap") as running:
        assert running.tier == "bwrap", running.failures
        yield running


@pytest.fixture
def facts(checks: Checks) -> Iterator[dict[str, Any]]:
    """What is around the sandbox: servers that listen, and a process that must not be reached."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract, unix = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        abstract.bind(f"\0orefactor-escape-{os.getpid()}")
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix="orefactor-socket-"))
        Path(place).chmod(0o755)
        unix.bind(f"{place}/socket")
        for listening in (abstract, unix):
            listening.listen()
        world = checks.world
        yield {
            "home": world.home, "git": world.git, "prefix": str(world.prefix), "repository": world.repository,
            "port": server.getsockname()[1], "abstract": f"orefactor-escape-{os.getpid()}",
            "socket": f"{place}/socket", "process": checks.process, "host": HOST,
        }  # fmt: skip


def assert_held(checks: Checks, facts: dict[str, Any], attack: Attack, *, writable: bool) -> None:
    """The attack fails as expected, nothing of it is left, and the neighbour works."""
    code, expected, neighbour = attack
    world, start = checks.world, "import os, sys\n"
    before, home = world.content(), sorted(world.home.rglob("*"))
    result = checks.python(start + textwrap.dedent(code).format(**facts), writable=writable)
    said = (result.stdout + result.stderr).decode(errors="replace")
    assert "HOSTSECRET" not in said
    assert re.search(expected.format(**facts) if "{prefix}" in expected else expected, said.strip()), said
    assert world.content() == before
    assert sorted(world.home.rglob("*")) == home
    assert [path for path in HOST if Path(path, "orefactor-escape").exists()] == []
    os.kill(checks.process, 0)
    works = checks.python(start + textwrap.dedent(NEIGHBOURS[neighbour]).format(**facts), writable=writable)
    assert (works.returncode, works.stderr) == (0, b"")
    assert world.content() == before
    assert {path.name for path in world.scratch.iterdir()} <= {"etc", "layer", "stage"}


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails_and_its_neighbour_works(checks: Checks, facts: dict[str, Any], name: str) -> None:
    assert_held(checks, facts, ATTACKS[name], writable=False)


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", WRITING)
def test_an_attack_that_may_write_fails_too(checks: Checks, facts: dict[str, Any], name: str) -> None:
    assert_held(checks, facts, WRITING[name], writable=True)


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_neighbours_work_where_a_check_may_write(checks: Checks, facts: dict[str, Any], neighbour: str) -> None:
    if neighbour != "tree":
        code = textwrap.dedent(NEIGHBOURS[neighbour]).format(**facts)
        result = checks.python(f"import os, sys\n{code}", writable=True)
        assert (result.returncode, result.stderr) == (0, b"")


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", CALLS if platform.machine() == "x86_64" else [])
def test_a_dangerous_system_call_does_nothing(checks: Checks, name: str) -> None:
    result = checks.run("python", "-c", CALLING, str(CALLS[name]))
    assert re.fullmatch(rb"-1 (1|9|14|22|38)\n", result.stdout), (result.stdout, result.returncode)


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code of x86-64")
def test_another_calling_convention_is_ended(checks: Checks) -> None:
    """`int 0x80` means the 32-bit numbers, which the filter doesn't know."""
    code = """
    import ctypes, mmap
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")
    print("CALLED", ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())
    """
    result = checks.python(code)
    assert b"CALLED" not in result.stdout
    assert result.returncode in (128 + 31, -31)
