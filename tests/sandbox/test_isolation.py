"""Attacks on the real sandbox, as the user that runs the tests and, from root, as an ordinary user too."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import stat
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from isolated_world import PYTHON, USERS, Checks, World, alive, checks_of, open_folder

from orefactor.sandbox.bwrap import Layout, find_bwrap
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.isolation import open_isolation

needs_bwrap = pytest.mark.skipif(find_bwrap() is None or not PYTHON.exists(), reason="no bubblewrap here")


@pytest.fixture
def base() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="module", params=USERS)
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    with checks_of(request.param) as running:
        assert running.tier == "bwrap", running.failures
        yield running


# Where a repository lies and how many files stand at its top.
PLACES = [
    (where, count)
    for where, count in [
        ("/tmp", 0),
        ("/tmp", 100),
        ("/tmp", 450),
        ("/tmp", 2500),
        ("/var/tmp", 0),
        ("/dev/shm", 0),
        (str(Path.home()), 0),
    ]
    if os.access(where, os.W_OK)
]

ATTACKS = {
    "read the home": ("print(open('{home}/secret').read())", False, "No such file"),
    "list the home": ("import os; print(os.listdir('{home}'))", False, "['répo with space']\n"),
    "read an ignored file": ("print(open('.env').read())", False, "No such file"),
    "read the git directory": ("import os; print(os.listdir('{git}'))", False, "No such file"),
    "read the git pointer": ("import os; print(os.path.exists('.git'))", False, "False"),
    "read the git directory, writable": ("import os; print(os.listdir('{git}'))", True, "No such file"),
    "read any environment": (
        """
        import glob
        for path in glob.glob('/proc/*/environ'):
            try: print(path, open(path, 'rb').read())
            except OSError as error: print(path, error)
        """,
        False,
        "/proc/1/environ",
    ),
    "see processes": (
        "import os; print(len([p for p in os.listdir('/proc') if p.isdigit()]) < 6)",
        False,
        "True",
    ),
    "write the tree": ("open('a.py', 'w')", False, "Read-only|Permission"),
    "make a file in the tree": ("open('new', 'w')", False, "Read-only|Permission"),
    "make a file in a package": ("open('pkg/new', 'w')", False, "Read-only|Permission"),
    "change a mode": ("import os; os.chmod('a.py', 0o777)", False, "Read-only|not permitted"),
    "write the environment": ("open('{prefix}/sitecustomize.py', 'w')", False, "Read-only|Permission"),
    "write the environment, writable": ("open('{prefix}/x.py', 'w')", True, "Read-only|Permission"),
    "write elsewhere": (
        """
        import os
        sysctl = '/proc/sys/kernel/core_pattern'
        for path in ('/x', '/etc/x', '/usr/x', '/dev/x', '/run/x', '/home/x', '/var/x', sysctl):
            try: os.close(os.open(path, os.O_WRONLY | os.O_CREAT)); print('WROTE', path)
            except OSError: pass
        print('done')
        """,
        False,
        "^done\n$",
    ),
    "write a sysctl": ("open('/proc/sys/kernel/core_pattern', 'w')", False, "Read-only|Permission"),
    "connect to the host": (
        "import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
        False,
        "refused",
    ),
    "connect to the Internet": (
        "import socket; socket.create_connection(('192.0.2.1', 53), 2)",
        False,
        "unreachable",
    ),
    "connect to an abstract socket": (
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0{abstract}')",
        False,
        "refused",
    ),
    "reach the hypervisor": ("import socket; socket.socket(40, 1)", False, "not supported"),
    "use the keyring": (
        """
        import ctypes
        print(ctypes.CDLL(None, use_errno=True).syscall(250, 0, -3, 0), ctypes.get_errno())
        """,
        False,
        "^-1 (1|9|22)\n$",
    ),
    "make namespaces": (
        "import subprocess; print(subprocess.run(['unshare', '-Urm', 'true'], capture_output=True).stderr)",
        False,
        "not permitted|failed",
    ),
    "become root": ("import os; os.setuid(0)", False, "not permitted|Invalid"),
    "gain privileges": (
        """
        names = ('NoNewPrivs', 'CapEff', 'CapPrm')
        print([line.split()[1] for line in open('/proc/self/status') if line.startswith(names)])
        """,
        False,
        "'0000000000000000', '0000000000000000', '1'",
    ),
    "push input to a terminal": ("import fcntl; fcntl.ioctl(0, 0x5412, b'x')", False, "not permitted"),
    "use an inherited descriptor": (
        "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[3:])",
        False,
        r"\[3\]\n",
    ),
    "fill the disk": (
        """
        try:
            for number in range(99):
                with open(f'/tmp/{{number}}', 'wb') as file:
                    file.truncate(1 << 20)
                    os.posix_fallocate(file.fileno(), 0, 200 << 20)
        except OSError as error:
            print(error)
        """,
        False,
        "No space",
    ),
    "take all memory": ("bytearray(20 << 30)", False, "MemoryError"),
}


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails(checks: Checks, name: str) -> None:
    code, writable, expected = ATTACKS[name]
    world = checks.world
    before = world.content()
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0orefactor-attack-{os.getpid()}")
        abstract.listen()
        facts = {
            "home": world.home,
            "git": world.git,
            "prefix": world.prefix,
            "port": server.getsockname()[1],
            "abstract": f"orefactor-attack-{os.getpid()}",
        }
        result = checks.python("import os\n" + textwrap.dedent(code).format(**facts), writable=writable)
    said = (result.stdout + result.stderr).decode()
    assert "HOSTSECRET" not in said
    assert re.search(expected, said) or expected in said, said
    assert world.content() == before


WORKS = {
    "see the tree and not the original": (
        "import pkg; print(pkg.VALUE, pkg.__file__)",
        False,
        "2 {repository}/pkg",
    ),
    "use the environment": ("import sys; print(sys.prefix)", False, "{prefix}"),
    "serve on loopback": (
        """
        import socket
        server = socket.create_server(('localhost', 0))
        client = socket.create_connection(server.getsockname())
        server.accept()[0].send(b'hello')
        print(client.recv(9))
        """,
        False,
        "b'hello'",
    ),
    "use processes and locks": (
        """
        import multiprocessing
        with multiprocessing.get_context('fork').Pool(2) as pool:
            print(multiprocessing.Lock(), pool.map(abs, [-3]))
        """,
        False,
        "[3]",
    ),
    "use threads": (
        """
        import concurrent.futures
        print(list(concurrent.futures.ThreadPoolExecutor(4).map(abs, [-4])))
        """,
        False,
        "[4]",
    ),
    "use temporary files and a home": (
        """
        import getpass, pathlib, tempfile
        tempfile.mkdtemp()
        (pathlib.Path.home() / 'x').write_text('x')
        print(getpass.getuser())
        """,
        False,
        "",
    ),
    "write beside itself": (
        """
        import os, pathlib
        pathlib.Path('pkg/new.txt').write_text('x')
        pathlib.Path('a.py').write_text('changed')
        os.makedirs('deep/er')
        print(pathlib.Path('pkg/new.txt').read_text())
        """,
        True,
        "x",
    ),
}


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", WORKS)
def test_honest_work_succeeds(checks: Checks, name: str) -> None:
    code, writable, expected = WORKS[name]
    world = checks.world
    before = world.content()
    result = checks.python(code, writable=writable)
    assert (result.returncode, result.stderr) == (0, b"")
    assert expected.format(repository=world.repository, prefix=world.prefix) in result.stdout.decode()
    assert world.content() == before
    assert {path.name for path in world.scratch.iterdir()} <= {"etc", "layer", "stage"}


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize(("then", "ended_by"), [("", None), ("time.sleep(300)", "time")])
def test_daemons_end(checks: Checks, then: str, ended_by: str | None) -> None:
    marker = f"orefactor-daemon-{os.getpid()}"
    code = f"""
    import os, signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv('/usr/bin/sleep', ['{marker}', '300'])
        os._exit(0)
    {then}
    """
    result = checks.python(code, timeout=1.5)
    assert result.ended_by == ended_by
    assert alive(marker) == []


@needs_bwrap
@pytest.mark.alone
@pytest.mark.sandbox
def test_a_fork_bomb_is_bounded(checks: Checks) -> None:
    code = """
    import os
    while True:
        try: os.fork()
        except OSError: pass
    """
    result = checks.python(code, timeout=1)
    assert (result.ended_by, result.returncode) == ("time", None)


@needs_bwrap
@pytest.mark.sandbox
def test_killed_at_any_moment_nothing_is_left(checks: Checks) -> None:
    marker = f"300.{os.getpid()}"
    checks.run("true", writable=True)  # how it may write is known from here on
    checks.kill(200, "sleep", marker)
    deadline = time.monotonic() + 10
    while alive(marker) and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    assert alive(marker) == []


@needs_bwrap
@pytest.mark.sandbox
def test_timed_out_at_any_moment_nothing_is_left(base: Path) -> None:
    isolation = open_isolation("bwrap", World(base, os.geteuid()).layout)
    marker = f"301.{os.getpid()}"
    moments = random.Random(8)
    assert isolation.isolated
    for _ in range(30):
        result = isolation.run(["sleep", marker], writable=False, timeout=moments.uniform(0, 0.04))
        assert result.ended_by == "time"
        assert alive(marker) == []


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize(("where", "count"), PLACES)
def test_it_works_wherever_the_repository_lies(where: str, count: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="orefactor-test-", dir=where))  # closed to others
    try:
        world = World(folder, os.geteuid())
        for number in range(count):
            (world.tree / f"f{number}").touch()
        isolation = open_isolation("auto", world.layout)
        assert isolation.tier == "bwrap", isolation.failure
        for writable in (False, True):
            facts = "pkg.VALUE, len(os.listdir()), sys.prefix"
            code = f"import os, pkg, sys, tempfile; tempfile.mkdtemp(); print({facts})"
            result = isolation.run(["python", "-c", code], writable=writable, timeout=30)
            assert result.stdout.decode() == f"2 {count + 3} {world.prefix}\n", result.stderr
    finally:
        shutil.rmtree(folder)


@needs_bwrap
@pytest.mark.sandbox
def test_a_broad_tree_without_an_environment_inside(base: Path) -> None:
    world = World(base, os.geteuid())
    for number in range(3000):
        (world.tree / f"f{number}").touch()
    isolation = open_isolation("bwrap", Layout(world.repository, world.tree, None, world.scratch))
    result = isolation.run(["sh", "-c", "ls | wc -l; cat .git; touch x"], writable=False, timeout=20)
    assert result.stdout.split()[0] == b"3002"
    assert b"gitdir" not in result.stdout
    assert b"Read-only" in result.stderr


@needs_bwrap
@pytest.mark.sandbox
def test_a_link_in_the_place_of_the_environment_leads_nowhere(base: Path) -> None:
    """CVE-2026-87766: bwrap makes mount points through links, on the host."""
    world = World(base, os.geteuid())
    target = base / "target"
    target.mkdir()
    (world.tree / ".venv").symlink_to(f"/oldroot{target}/made")
    isolation = open_isolation("bwrap", world.layout)
    for writable in (False, True):
        assert isolation.run(["python", "-c", "pass"], writable=writable, timeout=20).returncode == 0
    assert list(target.iterdir()) == []
    assert (world.tree / ".venv").is_symlink()


@needs_bwrap
@pytest.mark.sandbox
def test_a_tree_that_is_closed_to_the_sandboxs_user_is_told(base: Path) -> None:
    """Checks of root run as nobody, those of others as themselves."""
    world = World(base, os.geteuid())
    (world.tree / "a.py").chmod(0o600)
    isolation = open_isolation("auto", world.layout)
    assert (isolation.tier == "bwrap") == (os.geteuid() != 0)
    if isolation.failure:
        assert "umask" in isolation.failure.fix
        assert "readable" in isolation.failure.error


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("mode", ["auto", "bwrap"])
def test_a_sandbox_that_does_not_start(base: Path, mode: Any) -> None:
    world = World(base, os.geteuid())
    environment = PythonEnvironment(base / "no-python", None, (3, 11), ())
    isolation = open_isolation(mode, Layout(world.repository, world.tree, environment, world.scratch))
    if mode == "auto":
        assert (isolation.tier, isolation.isolated, isolation.probe) == ("none", False, ())
        assert [failure.tried for failure in isolation.failures] == [str(find_bwrap()), "Landlock"]
        assert all("no-python" in failure.error for failure in isolation.failures)
        assert isolation.run(["pwd"], writable=False, timeout=20).stdout.decode() == f"{world.tree}\n"
    else:
        with pytest.raises(UserError, match=r"no working sandbox: .*no-python") as raised:
            isolation.run(["true"], writable=False, timeout=20)
        assert raised.value.exit_code == ExitCode.ENVIRONMENT


@needs_bwrap
@pytest.mark.sandbox
def test_it_is_probed_once_and_when_asked(base: Path) -> None:
    world = World(base, os.geteuid())
    isolation = open_isolation("auto", world.layout)
    assert list(world.scratch.iterdir()) == []
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(isolation.probe)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(probe) for probe in found}) == 1
    assert all(line.ok for line in isolation.probe)
    assert isolation.failure is None


def test_none_is_plain_by_choice(base: Path) -> None:
    world = World(base, os.geteuid())
    isolation = open_isolation("none", world.layout)
    assert (isolation.tier, isolation.isolated, isolation.probe, isolation.failure) == (
        "none",
        False,
        (),
        None,
    )
    result = isolation.run(["sh", "-c", "pwd; env"], writable=False, timeout=20)
    lines = result.stdout.decode().splitlines()
    assert lines[0] == str(world.tree)
    home = next(Path(line.removeprefix("HOME=")) for line in lines if line.startswith("HOME="))
    assert home.parent.parent == world.scratch
    assert not home.exists()
    assert not [line for line in lines if line.startswith(("PYTHONPATH", "API_KEY", "SSH_"))]


def test_plain_checks_that_write_work_on_a_copy(base: Path) -> None:
    world = World(base, os.geteuid())
    before = world.content()
    isolation = open_isolation("none", world.layout)
    result = isolation.run(["sh", "-c", "echo x > a.py && cat a.py"], writable=True, timeout=20)
    assert result.stdout == b"x\n"
    assert world.content() == before
    assert list(world.scratch.iterdir()) == []


def test_plain_checks_import_the_tree_although_the_project_is_installed_in_place(base: Path) -> None:
    world = World(base, os.geteuid())
    python = Path(os.path.realpath(sys.executable))
    environment = PythonEnvironment(python, None, (3, 11), (), installed_in_place=True)
    isolation = open_isolation("none", Layout(world.repository, world.tree, environment, world.scratch))
    code = "import sys; sys.path.remove(''); import pkg; print(pkg.VALUE)"
    assert isolation.run([str(python), "-c", code], writable=False, timeout=20).stdout == b"2\n"


def test_a_plain_check_can_be_cancelled(base: Path) -> None:
    isolation = open_isolation("none", World(base, os.geteuid()).layout)
    result = isolation.run(["sleep", "60"], writable=False, timeout=60, cancel=lambda: True)
    assert result.ended_by == "cancelled"


def test_the_scratch_folder_stays_closed(base: Path) -> None:
    world = World(base, os.geteuid())
    open_isolation("none", world.layout).run(["true"], writable=False, timeout=20)
    assert stat.S_IMODE(world.scratch.stat().st_mode) == 0o700
