"""Running a command to its end, and ending it with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.process import ProcessResult, run_process

PATH = {"PATH": "/usr/bin:/bin"}
# Starts three daemons, each in a session of its own, deaf to SIGTERM, one of them stopped, then does `then`.
DAEMONS = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for index in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if index == 0:
                os.kill(os.getpid(), signal.SIGSTOP)
            os.execv("/bin/sleep", ["{marker}", "300"])
        os._exit(0)
time.sleep(0.1)
{then}
"""


def run(*argv: str, timeout: float = 20, **options: object) -> ProcessResult:
    return run_process(argv, **{"env": PATH, "cwd": Path("/"), "timeout": timeout, **options})  # type: ignore[arg-type]


def alive(marker: str) -> list[str]:
    """The processes whose command line has a word in it; zombies have none."""
    found: list[str] = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and process.name != str(os.getpid()):
            try:
                if marker.encode() in (process / "cmdline").read_bytes():
                    found.append(process.name)
            except OSError:
                continue
    return found


def gone(marker: str) -> bool:
    deadline = time.monotonic() + 10
    while alive(marker) and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    return not alive(marker)


@pytest.fixture
def marker(request: pytest.FixtureRequest) -> Iterator[str]:
    word = f"orefactor-test-{os.getpid()}-{abs(hash(request.node.name))}"
    yield word
    for process in alive(word):
        os.kill(int(process), signal.SIGKILL)


@pytest.mark.parametrize(
    ("script", "code", "stdout", "stderr"),
    [
        ("true", 0, b"", b""),
        ("exit 3", 3, b"", b""),
        ("kill -TERM $$", -15, b"", b""),
        ("echo out; echo err >&2", 0, b"out\n", b"err\n"),
        ("cat", 0, b"", b""),
        ("trap", 0, b"", b""),
    ],
)
def test_what_a_command_says(script: str, code: int, stdout: bytes, stderr: bytes) -> None:
    result = run("sh", "-c", script)
    assert (result.returncode, result.stdout, result.stderr) == (code, stdout, stderr)
    assert (result.truncated, result.ended_by) == (False, None)
    assert 0 < result.seconds < 10


def test_signals_are_as_a_shell_expects_them() -> None:
    ignored = "import signal; print([s.name for s in signal.Signals if signal.getsignal(s) is signal.SIG_IGN])"
    script = f"{sys.executable} -I -S -c '{ignored}'"
    assert run("sh", "-c", script).stdout == run("sh", "-c", f"exec {script}").stdout
    assert run("sh", "-c", "grep SigIgn /proc/self/status").stdout.split() == [b"SigIgn:", b"0" * 16]


@pytest.mark.parametrize("env", [{}, {"A": "1"}, {"LC_CTYPE": "C", "A": "ü"}, {"LC_ALL": "C"}])
def test_the_environment_is_what_was_given(env: dict[str, str]) -> None:
    assert run("/usr/bin/env", env=env).stdout == b"".join(f"{name}={value}\n".encode() for name, value in env.items())


def test_only_given_descriptors_are_inherited(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"passed")
    with file.open("rb") as given:
        number = given.fileno()
        result = run("sh", "-c", f"cat /proc/self/fd/{number}; ls /proc/self/fd", pass_fds=[number])
    assert result.stdout.startswith(b"passed")
    assert set(result.stdout.removeprefix(b"passed").split()) <= {
        b"0",
        b"1",
        b"2",
        b"3",
        str(number).encode(),
    }
    assert len(run("ls", "/proc/self/fd").stdout.split()) == 4


def test_stdin_may_be_long_and_unread() -> None:
    long = bytes(range(256)) * 4000
    assert run("cat", stdin=long).stdout == long
    assert run("true", stdin=long).returncode == 0
    assert run("sh", "-c", "head -c 3", stdin=b"abcdef").stdout == b"abc"


def test_where_it_starts(tmp_path: Path) -> None:
    assert run("pwd", cwd=tmp_path).stdout == f"{tmp_path}\n".encode()


@pytest.mark.parametrize(
    ("argv", "cwd", "why"),
    [
        (["no-such-program"], "/", "No such file"),
        ([__file__], "/", "Permission denied"),
        (["true"], "/no/such/folder", "No such file"),
        (["tr\0ue"], "/", "null byte"),
    ],
)
def test_what_cannot_be_started(argv: list[str], cwd: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as raised:
        run(*argv, cwd=Path(cwd))
    assert raised.value.exit_code == ExitCode.ENVIRONMENT


def test_long_output_keeps_both_ends() -> None:
    result = run("sh", "-c", "seq 1 5000; seq 1 9 >&2", output_limit=1000)
    assert result.truncated
    assert result.stdout.startswith(b"1\n2\n")
    assert result.stdout.endswith(b"\n5000\n")
    assert b"bytes left out" in result.stdout
    assert len(result.stdout) < 1100
    assert result.stderr == b"".join(b"%d\n" % number for number in range(1, 10))


@pytest.mark.parametrize("redirect", ["", ">&2"])
def test_endless_output_ends_the_command(redirect: str) -> None:
    result = run("sh", "-c", f"exec yes {redirect}", output_limit=1000)
    assert (result.ended_by, result.returncode, result.truncated) == ("output", None, True)


@pytest.mark.parametrize(
    ("then", "ended_by"),
    [
        ("print('done')", None),
        ("time.sleep(300)", "time"),
        ("os.kill(os.getpid(), signal.SIGSTOP)", "time"),
    ],
)
def test_no_daemon_outlives(marker: str, then: str, ended_by: str | None) -> None:
    started = time.monotonic()
    result = run(sys.executable, "-c", DAEMONS.format(marker=marker, then=then), timeout=1.5)
    assert result.ended_by == ended_by
    assert time.monotonic() - started < 8
    assert alive(marker) == []


@pytest.mark.alone
def test_a_fork_bomb_ends() -> None:
    bomb = """
    import os, resource
    resource.setrlimit(resource.RLIMIT_NPROC, (80, 80))
    if os.getuid() == 0:
        os.setuid(61234)
    while True:
        try:
            os.fork() or os.setsid()
        except OSError:
            pass
    """
    result = run("/usr/bin/python3", "-c", textwrap.dedent(bomb), timeout=0.5)
    assert result.ended_by == "time"
    assert alive("RLIMIT_NPROC") == []


def test_cancelling_ends_it(marker: str) -> None:
    cancelled = threading.Event()
    threading.Timer(0.3, cancelled.set).start()
    code = DAEMONS.format(marker=marker, then="time.sleep(300)")
    result = run(sys.executable, "-c", code, cancel=cancelled.is_set)
    assert (result.ended_by, result.returncode) == ("cancelled", None)
    assert alive(marker) == []


def test_an_exception_ends_it(marker: str) -> None:
    def cancel() -> bool:
        if alive(marker):
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run("sh", "-c", f"sleep 300; : {marker}", cancel=cancel)
    assert alive(marker) == []


def test_several_at_once_and_other_children_live() -> None:
    own = subprocess.Popen(["/bin/sleep", "60"])
    results: dict[int, ProcessResult] = {}

    def work(number: int) -> None:
        results[number] = run("sh", "-c", f"sleep 0.1; exit {number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: result.returncode for number, result in results.items()} == {n: n for n in range(8)}
    assert own.poll() is None
    own.kill()
    own.wait()


def test_it_ends_when_we_are_killed(marker: str) -> None:
    reading, writing = os.pipe()
    code = f"""
    from pathlib import Path
    from orefactor.sandbox.process import run_process
    script = "echo $$ > /proc/self/fd/{writing}; sleep 300; : {marker}"
    run_process(["sh", "-c", script], env={PATH!r}, cwd=Path("/"), timeout=99, pass_fds=[{writing}])
    """
    ours = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], pass_fds=[writing])
    os.close(writing)
    assert os.read(reading, 100)
    assert alive(marker)
    ours.kill()
    ours.wait()
    assert os.read(reading, 100) == b""  # nobody holds the pipe any more
    os.close(reading)
    assert gone(marker)


def test_the_command_dies_with_its_launcher(marker: str) -> None:
    result = run("sh", "-c", f"kill -KILL $PPID; exec sleep 300; : {marker}")
    assert (result.returncode, result.ended_by) == (-9, None)
    assert gone(marker)
