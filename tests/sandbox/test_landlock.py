"""Attacks on the second choice, and the work that must go on in it, for root and for others."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from isolated_world import USERS, Checks, alive, checks_of

from orefactor.sandbox import landlock
from orefactor.sandbox.seccomp import program


def has_landlock() -> bool:
    """Whether this kernel can do what the tier needs."""
    try:
        version = landlock.check(landlock.libc.syscall(landlock.SYS_CREATE_RULESET, None, 0, 1))
    except OSError:
        return False
    return version >= landlock.ABI_NEEDED and program() is not None


pytestmark = pytest.mark.skipif(not has_landlock(), reason="this kernel's Landlock is too old")


@pytest.fixture(scope="module", params=USERS)
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    with checks_of(request.param, "landlock") as running:
        assert running.tier == "landlock", running.failures
        yield running


ATTACKS = {
    "read the home": ("print(open('{home}/secret').read())", "Permission denied"),
    "list the home": ("print(os.listdir('{home}'))", "Permission denied"),
    "read an ignored file": ("print(open('{repository}/.env').read())", "Permission denied"),
    "read the repository's own code": ("print(open('{repository}/a.py').read())", "Permission denied"),
    "read the git directory": ("print(os.listdir('{git}'))", "Permission denied"),
    "read the environment of others": ("print(open('/proc/{process}/environ').read())", "Permission denied"),
    "see processes": ("print(os.listdir('/proc'))", "Permission denied"),
    "end processes": ("os.kill({process}, 9)", "not permitted"),
    "limit processes": ("import resource; resource.prlimit({process}, resource.RLIMIT_CPU, (1, 1))", "not permitted"),
    "trace processes": (
        "import ctypes; print(ctypes.CDLL(None, use_errno=True).ptrace(16, {process}, 0, 0), ctypes.get_errno())",
        "^-1 1\n",
    ),
    "write the tree": ("open('a.py', 'w')", "Permission denied"),
    "make a file in the tree": ("open('pkg/new', 'w')", "Permission denied"),
    "make a link in the tree": ("os.symlink('a.py', 'link')", "Permission denied"),
    "remove a file of the tree": ("os.remove('a.py')", "Permission denied"),
    "cut a file of the tree": ("os.truncate('a.py', 0)", "Permission denied"),
    "change a mode": ("os.chmod('a.py', 0o777)", "not permitted"),
    "change a mode by descriptor": ("os.fchmod(os.open('a.py', os.O_RDONLY), 0o777)", "not permitted"),
    "open the home to all": ("os.chmod('{home}', 0o777)", "not permitted"),
    "give files away": ("os.chown('{home}/secret', os.getuid(), os.getgid())", "not permitted"),
    "set an attribute": ("os.setxattr('{home}/secret', 'user.x', b'x')", "not permitted"),
    "link a secret to where it may be read": (
        "os.link('{home}/secret', os.path.join(os.environ['TMPDIR'], 'x'))",
        "Permission denied|cross-device",
    ),
    "write the environment": ("open('{prefix}/sitecustomize.py', 'w')", "Permission denied"),
    "write to the host's folders": (
        """
        for path in ('/tmp/x-orefactor', '/var/tmp/x-orefactor', '/dev/shm/x-orefactor', '/run/x-orefactor', '/etc/x'):
            try: os.close(os.open(path, os.O_WRONLY | os.O_CREAT)); print('WROTE', path)
            except OSError: pass
        print('done')
        """,
        "^done\n$",
    ),
    "write a sysctl": ("open('/proc/sys/kernel/core_pattern', 'w')", "Permission denied"),
    "make a device": ("os.mknod(os.environ['TMPDIR'] + '/x', 0o60600, os.makedev(8, 0))", "not permitted|denied"),
    "connect to the host": (
        "import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
        "not permitted",
    ),
    "connect to an abstract socket": (
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0{abstract}')",
        "not permitted",
    ),
    "reach the hypervisor": ("import socket; socket.socket(40, 1)", "not permitted"),
    "make a pair of another family": ("import socket; socket.socketpair(socket.AF_INET)", "not supported"),
    "use shared memory of the host": (
        "import ctypes; print(ctypes.CDLL(None, use_errno=True).shmget(1, 4096, 0o1600), ctypes.get_errno())",
        "^-1 1\n",
    ),
    "use the keyring": (
        "import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(250, 0, -3, 0), ctypes.get_errno())",
        "^-1 (1|9|22)\n$",
    ),
    "make namespaces": (
        "import subprocess; print(subprocess.run(['unshare', '-Urm', 'true'], capture_output=True).stderr)",
        "not permitted|failed",
    ),
    "gain privileges": (
        """
        import ctypes
        held = (ctypes.c_uint32 * 6)()
        ctypes.CDLL(None).capget((ctypes.c_uint32 * 2)(0x20080522, 0), held)
        print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0), list(held))
        """,
        r"1 \[0, 0, 0, 0, 0, 0\]",
    ),
    "become another user": ("os.setuid(os.getuid() + 1)", "not permitted"),
    "take all memory": ("bytearray(20 << 30)", "MemoryError"),
    "write a large file": (
        "open(os.environ['TMPDIR'] + '/x', 'wb').truncate(1 << 30)",
        "File too large|^$",
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails(checks: Checks, name: str) -> None:
    code, expected = ATTACKS[name]
    world = checks.world
    before, mode = world.content(), world.home.stat().st_mode
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0orefactor-landlock-{os.getpid()}")
        abstract.listen()
        facts = {
            "home": world.home,
            "git": world.git,
            "prefix": world.prefix,
            "repository": world.repository,
            "process": checks.process,
            "port": server.getsockname()[1],
            "abstract": f"orefactor-landlock-{os.getpid()}",
        }
        result = checks.python("import os\n" + textwrap.dedent(code).format(**facts))
    said = (result.stdout + result.stderr).decode()
    assert "HOSTSECRET" not in said
    assert re.search(expected, said), said
    assert world.content() == before
    assert world.home.stat().st_mode == mode


WORKS = {
    "see the tree": ("import pkg; print(pkg.VALUE, pkg.__file__)", False, "2 {tree}/pkg"),
    "use the environment": ("import sys; print(sys.prefix)", False, "{prefix}"),
    "use threads": (
        "import concurrent.futures as c; print(list(c.ThreadPoolExecutor(4).map(abs, [-4])))",
        False,
        "[4]",
    ),
    "use an event loop": ("import asyncio; print(asyncio.run(asyncio.sleep(0, 5)))", False, "5"),
    "start programs": ("import subprocess; print(subprocess.check_output(['sh', '-c', 'echo 6']))", False, "b'6"),
    "use temporary files and a home": (
        """
        import pathlib, pwd, tempfile
        tempfile.mkdtemp()
        (pathlib.Path.home() / 'x').write_text('x')
        print(pwd.getpwuid(0).pw_name)
        """,
        False,
        "root",
    ),
    "write beside itself": (
        """
        import os, pathlib
        pathlib.Path('pkg/new.txt').write_text('x')
        pathlib.Path('a.py').write_text('changed')
        os.makedirs('deep/er')
        os.rename('pkg/new.txt', 'deep/new.txt')
        print(pathlib.Path('deep/new.txt').read_text())
        """,
        True,
        "x",
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", WORKS)
def test_honest_work_succeeds(checks: Checks, name: str) -> None:
    code, writable, expected = WORKS[name]
    world = checks.world
    before = world.content()
    result = checks.python(code, writable=writable)
    assert (result.returncode, result.stderr) == (0, b"")
    assert expected.format(tree=world.tree, prefix=world.prefix) in result.stdout.decode()
    assert world.content() == before
    assert list(world.scratch.iterdir()) == []


@pytest.mark.sandbox
def test_daemons_end(checks: Checks) -> None:
    marker = f"orefactor-landlock-daemon-{os.getpid()}"
    code = f"import os\nif os.fork() == 0:\n os.setsid()\n os.execv('/usr/bin/sleep', ['{marker}', '300'])"
    assert checks.python(code).returncode == 0
    assert alive(marker) == []


@pytest.mark.sandbox
def test_a_copys_path_is_not_shown(checks: Checks) -> None:
    result = checks.python("import os; print(os.getcwd())", writable=True)
    assert result.stdout.decode() == f"{checks.world.tree}\n"


@pytest.mark.sandbox
def test_each_step_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "closed").touch()
    filter_program = program(confined=True)
    assert filter_program is not None
    code = f"""
    import os, sqlite3
    from orefactor.sandbox import landlock
    base = {str(tmp_path)!r}
    landlock.set_limits({{"CORE": 0, "NOFILE": 1 << 40}})
    read = ["/usr", "/etc", "/proc", "/lib", "/lib64", "/no/such", *os.sys.path, os.sys.base_prefix]
    measured = os.path.dirname(os.path.abspath(os.environ.get("COVERAGE_FILE", "x")))
    landlock.restrict([*read, base + "/open"], [measured], ["/dev/null"])
    landlock.drop_capabilities()
    landlock.set_filter(bytes.fromhex({filter_program.hex()!r}))
    os.close(os.open("/dev/null", os.O_WRONLY))
    os.listdir(base + "/open")
    for step in (lambda: open(base + "/closed"), lambda: os.chmod(base, 0o777)):
        try:
            step()
        except PermissionError as error:
            print(error.errno)
    """
    argv = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout == "13\n1\n", done.stderr


def test_what_cannot_be_started_is_said() -> None:
    rules = '{"read": ["/"], "write": [], "devices": [], "limits": {}, "filter": ""}'
    argv = [sys.executable, "-I", "-S", "-B", landlock.__file__, rules, "/no/such"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("orefactor-landlock: ")


def test_a_failed_call_is_an_error() -> None:
    with pytest.raises(OSError, match=r"Errno|Error"):
        landlock.check(-1)
