"""Attacks on the real sandbox, as the user that runs the tests and, from root, as an ordinary user too.

An ordinary user's attacks run through a small server program: the system's Python with a copy of the package,
because what we run in may be closed to others.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orefactor
from orefactor.sandbox.bwrap import Layout, find_bwrap
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.isolation import open_isolation
from orefactor.sandbox.process import ProcessResult

PYTHON = Path("/usr/bin/python3")
ORDINARY_USER = 23456
needs_bwrap = pytest.mark.skipif(find_bwrap() is None or not PYTHON.exists(), reason="no bubblewrap here")

SERVER = """
import base64, dataclasses, json, sys
from pathlib import Path
from orefactor.sandbox.bwrap import Layout
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.isolation import open_isolation
repository, tree, scratch, python, prefix = map(Path, sys.argv[1:])
environment = PythonEnvironment(python, prefix, sys.version_info[:2], ())
isolation = open_isolation("auto", Layout(repository, tree, environment, scratch))
print(json.dumps([isolation.tier, repr(isolation.failure)]), flush=True)
for line in sys.stdin:
    result = dataclasses.asdict(isolation.run(**json.loads(line)))
    for name in ("stdout", "stderr"):
        result[name] = result[name].decode("latin-1")
    print(json.dumps(result), flush=True)
"""


class World:
    """A repository with an environment, a worktree, a home with a secret, and somebody who runs checks."""

    def __init__(self, base: Path, user: int) -> None:
        self.base = base
        self.home = base / "home"
        self.repository = base / "home" / "répo with space"
        self.tree = base / "cache" / "tree"
        self.scratch = base / "cache" / "scratch"
        self.prefix = self.repository / ".venv"
        self.python = self.prefix / "bin" / "python"
        self.git = self.repository / ".git" / "worktrees" / "tree"
        self.user = user
        self._build()

    def _build(self) -> None:
        for folder in (self.git, self.tree / "pkg", self.scratch, self.prefix / "bin"):
            folder.mkdir(parents=True)
        (self.home / "secret").write_text("HOSTSECRET")
        (self.git / "HEAD").write_text("HOSTSECRET")
        (self.python).symlink_to(PYTHON)
        (self.prefix / "pyvenv.cfg").write_text(f"home = {PYTHON.parent}\n")
        for folder, value in ((self.repository, 1), (self.tree, 2)):
            (folder / "pkg").mkdir(exist_ok=True)
            (folder / "pkg" / "__init__.py").write_text(f"VALUE = {value}\n")
            (folder / "a.py").write_text("")
        (self.repository / ".env").write_text("HOSTSECRET")
        (self.tree / ".git").write_text(f"gitdir: {self.git}\n")
        for path in (self.base, *self.base.rglob("*")):
            os.lchown(path, self.user, self.user)
        self.scratch.chmod(0o700)
        self.home.chmod(0o700)

    @property
    def layout(self) -> Layout:
        environment = PythonEnvironment(self.python, self.prefix, (3, 11), ())
        return Layout(self.repository, self.tree, environment, self.scratch)

    def content(self) -> dict[str, tuple[bytes, int]]:
        files = [path for path in self.tree.rglob("*") if path.is_file()]
        return {str(path): (path.read_bytes(), path.stat().st_mode) for path in files}


class Checks:
    """Runs checks of a world in this process, or in a server process as its user."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._server: subprocess.Popen[str] | None = None
        if world.user == os.geteuid():
            self._isolation = open_isolation("auto", world.layout)
            self.tier: str = self._isolation.tier
            self.failure = repr(self._isolation.failure)
        else:
            self._server = self._start()
            self.tier, self.failure = self._answer()

    def _start(self) -> subprocess.Popen[str]:
        world = self.world
        package = world.base / "package"
        shutil.copytree(Path(orefactor.__file__).parent, package / "orefactor")
        places = (world.repository, world.tree, world.scratch, world.python, world.prefix)
        return subprocess.Popen(
            [PYTHON, "-c", SERVER, *map(str, places)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            user=world.user,
            group=world.user,
            extra_groups=[],
            cwd="/",
            env={
                "PYTHONPATH": str(package),
                "HOME": str(world.home),
                "API_KEY": "HOSTSECRET",
                "PATH": "/usr/bin",
            },
        )

    def _answer(self) -> Any:
        assert self._server
        assert self._server.stdout
        return json.loads(self._server.stdout.readline())

    def run(self, *command: str, writable: bool = False, timeout: float = 20) -> ProcessResult:
        if self._server is None:
            return self._isolation.run(command, writable=writable, timeout=timeout)
        assert self._server.stdin
        order = {"command": command, "writable": writable, "timeout": timeout}
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        answer = self._answer()
        for name in ("stdout", "stderr"):
            answer[name] = answer[name].encode("latin-1")
        return ProcessResult(**answer)

    def python(self, code: str, *, writable: bool = False, timeout: float = 20) -> ProcessResult:
        return self.run("python", "-c", textwrap.dedent(code), writable=writable, timeout=timeout)

    def close(self) -> None:
        if self._server:
            self._server.communicate("")


@pytest.fixture
def base() -> Iterator[Path]:
    """A folder that every user can enter; pytest's own is closed."""
    folder = Path(tempfile.mkdtemp(prefix="orefactor-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module", params=["ourselves", "an ordinary user"] if os.geteuid() == 0 else ["ourselves"])
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    folder = Path(tempfile.mkdtemp(prefix="orefactor-test-"))
    folder.chmod(0o755)
    running = Checks(World(folder, os.geteuid() if request.param == "ourselves" else ORDINARY_USER))
    assert running.tier == "bwrap", running.failure
    yield running
    running.close()
    shutil.rmtree(folder)


def alive(marker: str) -> list[int]:
    found: list[int] = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and process.name != str(os.getpid()):
            try:
                if marker.encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
    return found


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
    assert sorted(path.name for path in world.scratch.iterdir()) == ["etc"]


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
def test_killed_at_any_moment_nothing_is_left(base: Path) -> None:
    world = World(base, os.geteuid())
    marker = f"300.{os.getpid()}"
    isolation = open_isolation("bwrap", world.layout)
    assert isolation.isolated
    moments = random.Random(7)
    for _ in range(60):
        child = os.fork()
        if child == 0:
            isolation.run(["sleep", marker], writable=False, timeout=60)
            os._exit(0)
        threading.Event().wait(moments.uniform(0, 0.04))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
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
    assert isolation.isolated == (os.geteuid() != 0)
    if isolation.failure:
        assert "umask" in isolation.failure.fix
        assert [line.name for line in isolation.probe if not line.ok] == ["readable"]


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("mode", ["auto", "bwrap"])
def test_a_sandbox_that_does_not_start(base: Path, mode: Any) -> None:
    world = World(base, os.geteuid())
    environment = PythonEnvironment(base / "no-python", None, (3, 11), ())
    isolation = open_isolation(mode, Layout(world.repository, world.tree, environment, world.scratch))
    if mode == "auto":
        assert (isolation.tier, isolation.isolated, isolation.probe) == ("none", False, ())
        assert isolation.failure
        assert "no-python" in isolation.failure.error
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
    assert f"HOME={world.scratch}/plain/home" in lines
    assert not [line for line in lines if line.startswith(("PYTHONPATH", "API_KEY", "SSH_"))]


def test_plain_checks_that_write_work_on_a_copy(base: Path) -> None:
    world = World(base, os.geteuid())
    before = world.content()
    isolation = open_isolation("none", world.layout)
    result = isolation.run(["sh", "-c", "echo x > a.py && cat a.py"], writable=True, timeout=20)
    assert result.stdout == b"x\n"
    assert world.content() == before
    assert [path.name for path in world.scratch.iterdir()] == ["plain"]


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
