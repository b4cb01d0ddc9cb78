"""A program of the user's own: only its own end is waited for, and it has to have one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.user_program import find_user_program, run_user_program


def _run(*command: str, seconds: float = 30, stdin: bytes = b"", interactive: bool = False) -> tuple[int, bytes, bytes]:
    ended = run_user_program(
        command, environment=os.environ, folder="/", seconds=seconds, stdin=stdin, interactive=interactive
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_what_it_reads_and_writes() -> None:
    assert _run("sh", "-c", "cat; echo bad >&2; exit 3", stdin=b"in") == (3, b"in", b"bad\n")


def test_a_helper_that_stays_does_not_keep_us() -> None:
    started = time.monotonic()
    assert _run("sh", "-c", "sleep 20 & echo done")[:2] == (0, b"done\n")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("interactive", [False, True])
def test_time_is_limited(tmp_path: Path, interactive: bool) -> None:
    mark = tmp_path / "alive"
    with pytest.raises(UserError, match="`sh` was not done after 0 seconds") as caught:
        _run("sh", "-c", f"touch '{mark}'; exec sleep 20", seconds=0, interactive=interactive)
    assert caught.value.exit_code is ExitCode.PROVIDER


def test_what_does_not_listen_is_killed() -> None:
    code = "import signal,time; signal.signal(15, signal.SIG_IGN); time.sleep(20)"
    started = time.monotonic()
    with pytest.raises(UserError, match="was not done"):
        _run(sys.executable, "-c", code, seconds=0)
    assert time.monotonic() - started < 10


def test_output_is_limited() -> None:
    with pytest.raises(UserError, match="`sh` writes without end"):
        _run("sh", "-c", "while :; do head -c 9000000 /dev/zero; done")


def test_one_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be started: No such file"):
        _run(str(tmp_path / "gone"))


def test_it_is_found_on_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here/tool", "there/tool"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{tmp_path}/empty")
    assert find_user_program("tool") is None
    monkeypatch.setenv("PATH", f".{os.pathsep}{tmp_path}/there")
    assert find_user_program("tool") == f"{tmp_path}/there/tool"
