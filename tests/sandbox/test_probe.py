"""The probe itself: outside of a sandbox each attempt must succeed, or it would prove nothing inside."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from orefactor.sandbox import probe_inside
from orefactor.sandbox.bwrap import Layout
from orefactor.sandbox.probe import ProbeError, run_probe
from orefactor.sandbox.process import ProcessResult, run_process

ENV = {"PATH": "/usr/bin:/bin", "SECRET_KEY": "x"}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    for name in ("repo", "tree", "scratch"):
        (tmp_path / name).mkdir()
    (tmp_path / "repo" / ".git").mkdir()
    for name in ("repo", "tree"):
        (tmp_path / name / "a.py").write_text("")
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {tmp_path / 'repo' / '.git'}\n")
    return Layout(tmp_path / "repo", tmp_path / "tree", None, tmp_path / "scratch")


def plainly(argv: Sequence[str]) -> ProcessResult:
    return run_process(argv, env=ENV, cwd=Path("/"), timeout=20)


def test_without_a_sandbox_nearly_nothing_holds(layout: Layout) -> None:
    lines = run_probe(plainly, layout, ["PATH"])
    assert {line.name for line in lines if line.ok} <= {"readable", "tmp", "vsock", "sysctl", "privileges"}
    details = {line.name: line.detail for line in lines}
    assert details["secret"] == "can be read"
    assert details["tcp"] == "can be reached"
    assert details["abstract socket"] == "can be reached"
    assert details["git"].endswith("is visible")
    assert "can be written" in details["tree"]
    assert [line.name for line in lines] == list(probe_inside.ATTEMPTS)
    assert list(layout.scratch.iterdir()) == []


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["sh", "-c", "echo bwrap: no >&2; exit 1"], "bwrap: no"),
        (["sh", "-c", "exit 1"], r"no answer \(1\)"),
    ],
)
def test_no_answer_is_a_failure(layout: Layout, argv: list[str], said: str) -> None:
    with pytest.raises(ProbeError, match=said):
        run_probe(lambda _: plainly(argv), layout, [])


def test_a_tree_without_files_and_git(tmp_path: Path, layout: Layout) -> None:
    for file in layout.tree.iterdir():
        file.unlink()
    assert len(run_probe(plainly, layout, [])) == len(probe_inside.ATTEMPTS)


Attempt = Callable[[dict[str, Any]], str]


@pytest.mark.parametrize(
    ("attempt", "wrong"),
    [
        (probe_inside.secret, "can be read"),
        (probe_inside.home, "is the user's own"),
        (probe_inside.environment, "shows"),
        (probe_inside.tree, "can be written"),
        (probe_inside.git, "is visible"),
        (probe_inside.tcp, "can be reached"),
        (probe_inside.abstract_socket, "can be reached"),
        (probe_inside.unix_socket, "can be reached"),
        (probe_inside.privileges, ""),
        (probe_inside.namespaces, ""),
        (probe_inside.readable, ""),
        (probe_inside.tmp, ""),
    ],
)
def test_attempts_find_what_is_open(tmp_path: Path, attempt: Attempt, wrong: str) -> None:
    file = tmp_path / "file"
    file.write_text("")
    status = tmp_path.stat()
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0orefactor-test-{os.getpid()}")
        abstract.listen()
        with_file = stack.enter_context(socket.socket(socket.AF_UNIX))
        with_file.bind(str(tmp_path / "socket"))
        with_file.listen()
        questions: dict[str, Any] = {
            "secret": str(file),
            "home": str(tmp_path),
            "home_identity": [status.st_dev, status.st_ino],
            "variables": [],
            "repository": str(tmp_path),
            "sample": str(file),
            "read_only": [str(tmp_path)],
            "git": [str(tmp_path)],
            "port": server.getsockname()[1],
            "abstract": f"orefactor-test-{os.getpid()}",
            "socket": str(tmp_path / "socket"),
        }
        assert wrong in attempt(questions)


@pytest.mark.parametrize(
    ("attempt", "found"),
    [
        (probe_inside.secret, ""),
        (probe_inside.home, ""),
        (probe_inside.tree, ""),
        (probe_inside.git, ""),
        (probe_inside.readable, "No such file"),
    ],
)
def test_attempts_on_what_is_not_there(tmp_path: Path, attempt: Attempt, found: str) -> None:
    missing = str(tmp_path / "no" / "such")
    questions: dict[str, Any] = {
        **dict.fromkeys(("secret", "home", "repository", "sample"), missing),
        "home_identity": [1, 2],
        "read_only": [missing],
        "git": [missing],
    }
    assert found in attempt(questions)


def test_a_sample_that_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "can be written" in probe_inside.tree({"read_only": [], "sample": str(file)})


def test_a_tree_without_a_sample(tmp_path: Path) -> None:
    assert probe_inside.readable({"repository": str(tmp_path), "sample": ""}) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them")
@pytest.mark.parametrize("dropped", [False, True])
def test_rights_that_are_held(dropped: bool) -> None:
    code = f"""
    import ctypes
    from orefactor.sandbox import landlock, probe_inside
    ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
    if {dropped}:
        landlock.drop_capabilities()
    print(probe_inside.privileges({{}}))
    """
    argv = [sys.executable, "-c", textwrap.dedent(code)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    assert said.startswith("holds") == (os.geteuid() == 0 and not dropped)


def test_answers_are_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "none")
    questions: dict[str, Any] = {
        **dict.fromkeys(("secret", "home", "repository", "sample", "abstract", "socket"), missing),
        "home_identity": [],
        "variables": [],
        "read_only": [],
        "git": [],
        "port": 1,
    }
    probe_inside.main([json.dumps(questions)])
    assert set(json.loads(capsys.readouterr().out)) == set(probe_inside.ATTEMPTS)
