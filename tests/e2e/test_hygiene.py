"""The command's own hygiene: its secrets stay in it, and its files are closed to others."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from chat_server import Answer, ChatServer, as_stream, completion, serving, tool_call
from conftest import PYTEST_INI, MakeRepository, call, calls
from e2e.processes import finish, start
from e2e.scenes import FILES, TASK, run_folders, trace

import orefactor.cli.main
from orefactor.sandbox.bwrap import find_bwrap

FixtureFile = Callable[..., Path]
SECRETS = {"AN_ODD_NAME": "correct-horse-battery-staple", "MY_TOKEN": "hush-hush-hush-hush"}
SLOW_TEST = "import os, time\n\n\ndef test_it():\n    time.sleep(0.6)\n    assert 'horse' not in str(os.environ)\n"
GIT = shutil.which("git") or "git"


class Shim:
    """A `git` that writes down what it was started with, then is git."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "bin", folder / "log"
        for made in (self.folder, self.log):
            made.mkdir(parents=True)
        program = self.folder / "git"
        write = f'{{ tr "\\0" "\\n" < /proc/$$/environ; printf "%s\\n" "$@"; }} > {self.log}/$$-$(date +%N)'
        program.write_text(f'#!/bin/sh\n{write}\nexec {GIT} "$@"\n')
        program.chmod(0o755)

    @property
    def started_with(self) -> list[str]:
        return [path.read_text(errors="replace") for path in self.log.iterdir()]


def descendants(ancestor: int) -> Iterator[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [ancestor]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    yield from found[1:]


def looked_at(process: subprocess.Popen[bytes]) -> list[str]:
    """Environment and command line of every child that is seen while the command runs."""
    seen: dict[str, None] = {}
    words = cast("Sequence[str]", process.args)
    own = b"".join(os.fsencode(word) + b"\0" for word in words)
    while process.poll() is None:
        for child in descendants(process.pid):
            try:
                parts = [Path("/proc", str(child), name).read_bytes() for name in ("cmdline", "environ")]
            except OSError:
                continue
            # Until it has become another program, a child is a copy of the command, and as closed. The command line is
            # read first: once that is another's, so is the environment.
            if parts[0] != own:
                seen[b"\0".join(parts).replace(b"\0", b"\n").decode(errors="replace")] = None
        time.sleep(0.002)
    return list(seen)


def script(server: ChatServer, *, with_check: bool) -> None:
    def reply(*made: dict[str, Any]) -> Answer:
        return completion({"role": "assistant", "content": None, "tool_calls": list(made)}, "tool_calls")

    edit = tool_call("2", "edit_file", path="src/shapes.py", old_string="2 * a", new_string="a + a")
    check = [reply(tool_call("3", "run_check", command="pytest tests"))] if with_check else []
    replies = [reply(tool_call("1", "read_file", path="src/shapes.py")), reply(edit), *check]
    server.script(*replies, as_stream({"content": "Add in place of doubling"}))


@pytest.mark.sandbox
@pytest.mark.skipif(find_bwrap() is None, reason="no bubblewrap here")
def test_no_child_has_a_secret(make_repository: MakeRepository, tmp_path: Path) -> None:
    repository = make_repository({**FILES, "tests/test_it.py": SLOW_TEST, "pytest.ini": PYTEST_INI})
    shim = Shim(tmp_path / "shim")
    environment = {
        **SECRETS,
        "PATH": f"{shim.folder}:{os.environ['PATH']}",
        "OREFACTOR_KEY_VARIABLE": "AN_ODD_NAME",
        "no_proxy": "127.0.0.1",
    }
    words = ["--provider", "openai-compatible", "--model", "m", "--branch", "auto", "--python", sys.executable]
    with serving() as server:
        script(server, with_check=True)
        process = start(repository, TASK, "src", *words, "--base-url", server.url, environment=environment)
        children = looked_at(process)
        code, _, said = finish(process)
        keys = {headers["authorization"] for headers in server.headers}
    assert code == 0, said
    assert keys == {f"Bearer {SECRETS['AN_ODD_NAME']}"}
    kept = trace(repository)
    assert [entry["status"] for entry in kept["tool_calls"]] == ["executed"] * 3
    assert [(module["name"], module["in_tree"]) for module in kept["origins"]["modules"]] == [("shapes", True)]
    assert any("bwrap" in child and "pytest" in child for child in children)
    assert len(shim.started_with) > 10
    for secret in SECRETS.values():
        assert [child for child in (*children, *shim.started_with) if secret in child] == []
    indexes = re.findall(r"^GIT_INDEX_FILE=(.*)$", "\n".join(shim.started_with), re.MULTILINE)
    cache = str(Path(os.environ["XDG_CACHE_HOME"], "git-orefactor"))
    assert indexes
    assert [index for index in indexes if not index.startswith(cache)] == []


def test_a_secret_is_redacted_although_it_is_not_in_the_environment_any_more(
    make_repository: MakeRepository, tmp_path: Path
) -> None:
    repository = make_repository(FILES)
    with serving() as server:
        script(server, with_check=False)
        wrong = str(tmp_path / SECRETS["MY_TOKEN"] / "out")
        words = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url, "--trace", wrong]
        process = start(repository, TASK, *words, environment={**SECRETS, "no_proxy": "127.0.0.1"})
        code, _, said = finish(process)
    assert code == 2
    assert "[REDACTED:environment]" in said
    assert SECRETS["MY_TOKEN"] not in said


CLOSED = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("main", sys.argv[1])
main = importlib.util.module_from_spec(spec)
spec.loader.exec_module(main)
if sys.argv[2] == "closed":
    main.close_to_others()
print("ready", flush=True)
sys.stdin.read()
"""
READ = "import sys; print('hush' in open(f'/proc/{sys.argv[1]}/environ').read())"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
@pytest.mark.parametrize(("how", "answer"), [("open", "True"), ("closed", "Permission denied")])
def test_the_users_other_processes_can_not_look_into_the_command(tmp_path: Path, how: str, answer: str) -> None:
    """With the neighbour that shows that they could otherwise; root always can, so it is tried as another user."""
    as_user = ["setpriv", "--reuid=23456", "--regid=23456", "--clear-groups"] if os.geteuid() == 0 else []
    python = [*as_user, "/usr/bin/python3" if as_user else sys.executable]
    program = Path("/dev/shm", f"orefactor-test-{os.getpid()}.py")
    shutil.copyfile(orefactor.cli.main.__file__, program)
    program.chmod(0o644)
    words = [*python, "-c", CLOSED, str(program), how]
    try:
        with subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**SECRETS, "PATH": os.environ["PATH"]}, cwd="/"
        ) as process:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            command = [*python, "-c", READ, str(process.pid)]
            done = subprocess.run(command, capture_output=True, cwd="/", check=False)
            process.communicate()
    finally:
        program.unlink()
    assert answer in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_our_files_are_closed_and_the_users_are_as_the_user_wants(
    make_repository: MakeRepository, fixture_file: FixtureFile, tmp_path: Path, umask: int
) -> None:
    repository = make_repository({"old.py": "x = 1\n"})
    new = calls(call("write_file", path="new/n.py", content="y = 1\n"))
    fixture = fixture_file(calls(call("read_file", path="old.py")), new, {"content": "Add n"})
    out, copied = tmp_path / "out.patch", tmp_path / "trace.json"
    words = [TASK, "--apply", "--no-check", "-o", str(out), "--trace", str(copied), "--fixture", str(fixture)]
    done = subprocess.run(
        [sys.executable, "-m", "orefactor", *words], cwd=repository, umask=umask, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    mine = {path: stat.S_IMODE(path.stat().st_mode) for path in (out, copied, repository / "new" / "n.py")}
    assert set(mine.values()) == {0o666 & ~umask}
    assert stat.S_IMODE((repository / "new").stat().st_mode) == 0o777 & ~umask
    (run,) = run_folders(repository)
    cache = Path(os.environ["XDG_CACHE_HOME"], "git-orefactor")
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (run, cache, *cache.iterdir())} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in run.iterdir()} == {0o600}
