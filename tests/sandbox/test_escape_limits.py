"""The escape suite's second half: attacks on the machine's time, memory and disk, and on being ended."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from attacks import NEIGHBOURS
from isolated_world import PYTHON, USERS, Checks, alive, checks_of

from orefactor.sandbox.bwrap import find_bwrap
from orefactor.sandbox.process import ProcessResult

MEBIBYTE = 1 << 20
LIMITS = {
    "cpu": 2, "processes": 120, "file_size": 32 * MEBIBYTE, "memory": 700 * MEBIBYTE, "temporary": 64 * MEBIBYTE,
    "shared": 16 * MEBIBYTE, "tree": 48 * MEBIBYTE, "total_memory": 400 * MEBIBYTE,
}  # fmt: skip
MARK = f"orefactor-mark-{os.getpid()}"

pytestmark = [
    pytest.mark.alone,
    pytest.mark.sandbox,
    pytest.mark.skipif(find_bwrap() is None or not PYTHON.exists(), reason="no bubblewrap here"),
]


class Attack(NamedTuple):
    """What is tried, how it ends, and what it says until then.

    Attributes:
        ended_by: why the product ended it, or None where it ended by itself.
        said: a regular expression.
        timeout: seconds.
    """

    code: str
    ended_by: str | None
    said: str = ""
    timeout: float = 15
    writable: bool = False


FILL = """
try:
    for number in range(10000):
        with open(f'{folder}/{{number}}', 'wb') as file: file.write(bytes(8 << 20))
except OSError as error: print(number < 12, error)
"""
DAEMON = f"""
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv('/usr/bin/sleep', ['{MARK}', '60'])
    os._exit(0)
"""
ATTACKS = {
    "a fork bomb": Attack(
        "import time\ncount = 0\ntry:\n  while True:\n    if os.fork() == 0: time.sleep(60)\n    count += 1\n"
        "except OSError as error: print(count < 130, error)",
        None, "True .*temporarily unavailable",
    ),
    "a fork bomb that goes on": Attack(
        "while True:\n  try: os.fork()\n  except OSError: pass", "time", timeout=1.5
    ),
    "threads without end": Attack(
        "import threading, time\ncount = 0\ntry:\n  while True:\n"
        "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); count += 1\n"
        "except RuntimeError as error: print(count < 130, error, flush=True); os._exit(0)",
        None, "True can't start",
    ),
    "memory of one process": Attack("bytearray(2 << 30)", None, "MemoryError"),
    "memory of many processes": Attack(
        "import time\nfor _ in range(4):\n  if os.fork() == 0: break\nheld = b'x' * (250 << 20); time.sleep(60)",
        "memory",
    ),
    "memory that no process shows": Attack(
        "import time; time.sleep(0.5); held = [os.memfd_create(str(number)) for number in range(64)]\n"
        "for file in held:\n  for _ in range(31): os.write(file, bytes(1 << 20))\ntime.sleep(60)",
        "memory",
    ),
    "memory of System V": Attack(
        "import ctypes, time; time.sleep(0.5); libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p\n"
        "for _ in range(20):\n"
        "  shared = libc.shmget(0, 100 << 20, 0o1600); at = libc.shmat(shared, None, 0)\n"
        "  ctypes.memset(at, 1, 100 << 20); libc.shmdt(ctypes.c_void_p(at))\ntime.sleep(60)",
        "memory",
    ),
    "the disk at /tmp": Attack(FILL.format(folder="/tmp"), None, "True .*No space"),
    "the disk at /dev/shm": Attack(FILL.format(folder="/dev/shm"), None, "True .*No space"),
    "the disk at the home": Attack(FILL.format(folder="/tmp/home"), None, "True .*No space"),
    "the disk at the tree": Attack(FILL.format(folder="."), None, "True .*No space", writable=True),
    "a file without end": Attack("open('/tmp/x', 'wb').write(bytes(40 << 20))", None, "File too large|^$"),
    "a sparse file": Attack("open('/tmp/x', 'wb').truncate(1 << 40)", None, "File too large|^$"),
    "files without end": Attack(
        "for number in range(10**9): os.mknod(f'/tmp/{number}')", "memory", timeout=30
    ),
    "folders without end": Attack(
        "for _ in range(3000): os.mkdir('d'); os.chdir('d')\nprint('deep')", None, "deep", writable=True
    ),
    "a flood of output": Attack("while True: os.write(1, b'A' * 65536)", "output"),
    "a flood of errors": Attack("while True: os.write(2, b'A' * 65536)", "output"),
    "a flood from children": Attack(
        "for _ in range(5): os.fork()\nwhile True: os.write(1, b'A' * 65536)", "output"
    ),
    "time without end": Attack("import time; time.sleep(600)", "time", timeout=1),
    "processor time": Attack("while True: pass", None),
    "being deaf": Attack(
        "import signal, time\nfor number in range(1, 65):\n  try: signal.signal(number, signal.SIG_IGN)\n"
        "  except (OSError, ValueError): pass\ntime.sleep(600)",
        "time", timeout=1,
    ),
    "being stopped": Attack("os.kill(os.getpid(), 19)", "time", timeout=1),
    "stopping all": Attack(
        "if os.fork() == 0: os.execv('/usr/bin/sleep', ['sleep', '60'])\nos.kill(-1, 19); os.kill(os.getpid(), 19)",
        "time", timeout=1,
    ),
    "a core file": Attack(
        "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)); os.abort()", None, r"\(0, 0\)"
    ),
    "raising limits": Attack(
        "import resource\nfor name in ('CPU', 'NPROC', 'FSIZE', 'AS', 'CORE', 'NOFILE'):\n"
        "  number = getattr(resource, 'RLIMIT_' + name); soft, hard = resource.getrlimit(number)\n"
        "  try: resource.setrlimit(number, (hard + 1, hard + 1)); print('RAISED', name)\n"
        "  except (OSError, ValueError): pass\nprint('done')",
        None, "^done\n$",
    ),
    "outliving the check": Attack(
        DAEMON + "print('main is done')",
        None, "main is done",
    ),
    "outliving the time limit": Attack(
        DAEMON + "time.sleep(600)",
        "time", timeout=1,
    ),
    "holding the output open": Attack(
        f"if os.fork() == 0: os.setsid(); os.execv('/usr/bin/sleep', ['{MARK}', '60'])", None
    ),
}  # fmt: skip
WORST_SECONDS = 12
# A slow machine spends its processor time before the kernel's objects have grown past the memory limit.
EITHER: dict[str, tuple[None]] = {"files without end": (None,)}


@pytest.fixture(scope="module", params=USERS)
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    with checks_of(request.param, "bwrap", None, **LIMITS) as running:
        assert running.tier == "bwrap", running.failures
        yield running


def run(checks: Checks, attack: Attack) -> ProcessResult:
    return checks.python(f"import os\n{attack.code}", writable=attack.writable, timeout=attack.timeout)


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_bounded_and_leaves_nothing(checks: Checks, name: str) -> None:
    attack, world = ATTACKS[name], checks.world
    before = world.content()
    result = run(checks, attack)
    said = (result.stdout + result.stderr).decode(errors="replace")
    assert result.ended_by in (attack.ended_by, *EITHER.get(name, ())), said[-300:]
    assert re.search(attack.said, said), said[-300:]
    assert result.seconds < WORST_SECONDS
    assert len(said) < 5 * MEBIBYTE
    assert alive(MARK) == []
    assert world.content() == before
    assert {path.name for path in world.scratch.iterdir()} <= {"etc", "layer", "stage"}
    assert list(Path("/tmp").glob("core*")) == []


@pytest.mark.parametrize("neighbour", ["processes", "home", "network", "writable tree"])
def test_honest_work_fits_into_the_same_limits(checks: Checks, neighbour: str) -> None:
    code = textwrap.dedent(NEIGHBOURS[neighbour])
    result = checks.python(f"import os, sys\n{code}", writable=neighbour == "writable tree")
    assert (result.returncode, result.stderr) == (0, b"")


def test_processor_time_is_counted(checks: Checks) -> None:
    result = run(checks, ATTACKS["processor time"])
    assert result.returncode in (137, 152, -9, -24)
    assert 1 < result.seconds < 10
