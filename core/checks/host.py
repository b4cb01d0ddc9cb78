"""Runs one check at one tree: finds the project's Python, isolates, measures, and words the report for the model."""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from orefactor.sandbox.bwrap import Layout
from orefactor.sandbox.cache import cache_folder
from orefactor.sandbox.environment import PythonEnvironment, find_python, find_tool, inspect
from orefactor.sandbox.files import Root
from orefactor.sandbox.isolation import Isolation, Mode, open_isolation
from orefactor.sandbox.origins import Modules, Origins, find_origins, project_modules
from orefactor.sandbox.process import ProcessResult

from ..errors import ExitCode, ToolError, UserError
from .catalogue import CHECKS, PYTHON_SUFFIXES, Check, Circumstances
from .command import CheckName, CheckRequest, parse_command
from .outcome import CheckRun, merged, read_result
from .targets import has_ruff_config
from .under_test import require_tree, with_search_path

SandboxMode = Mode

_MOST_FILES = 2000
_BATCH = 400
"""Paths of one command line."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How checks run.

    Attributes:
        place: the path that the tree has inside the isolation: the original repository's.
        mode: what the user allows.
        python: the project's interpreter, where the user names one.
        seconds: gives the time limit of the next check, in seconds.
        cancelled: asked while a check runs.
    """

    place: Path
    mode: SandboxMode = "auto"
    python: Path | None = None
    seconds: Callable[[], float] = lambda: 300.0
    cancelled: Callable[[], bool] = lambda: False


class CheckHost:
    """Checks at one tree."""

    def __init__(self, root: Root, scratch: Callable[[], Path], settings: HostSettings) -> None:
        self._root = root
        self._scratch = scratch
        self._settings = settings
        self._lock = threading.RLock()
        self._origins: dict[Modules, Origins] = {}

    @staticmethod
    def standalone(place: Path, root: Root, mode: SandboxMode = "auto") -> CheckHost:
        """A host for a folder that is not a run's worktree, with a scratch folder of its own."""

        @functools.cache
        def scratch() -> Path:
            folder = tempfile.mkdtemp(prefix="standalone-", dir=cache_folder())
            weakref.finalize(host, shutil.rmtree, folder, ignore_errors=True)
            return Path(folder)

        host = CheckHost(root, scratch, HostSettings(place, mode))
        return host

    def elsewhere(self, root: Root, scratch: Path) -> CheckHost:
        """The same checks at another tree, such as the base's."""
        return CheckHost(root, lambda: scratch, self._settings)

    @property
    def environment(self) -> PythonEnvironment:
        """The project's Python.

        Raises:
            UserError: it does not start.
        """
        with self._lock:
            return self._environment

    @functools.cached_property
    def _environment(self) -> PythonEnvironment:
        settings = self._settings
        python = find_python(
            settings.place,
            explicit=settings.python,
            virtual_env=os.environ.get("VIRTUAL_ENV"),
            path=os.environ.get("PATH", os.defpath),
        )
        return inspect(python, settings.place)

    @property
    def isolation(self) -> Isolation:
        """The isolation that checks run in; it probes itself at first use."""
        with self._lock:
            return self._isolation

    @functools.cached_property
    def _isolation(self) -> Isolation:
        ruff = find_tool(self.environment, "ruff")
        # Our own ruff serves projects that have none; it lies outside of their environment.
        tools = () if ruff is None else (ruff,)
        layout = Layout(self._settings.place, self._root.path, self.environment, self._scratch(), tools)
        return open_isolation(self._settings.mode, layout, cancel=self._settings.cancelled)

    @property
    def isolation_if_used(self) -> Isolation | None:
        """The isolation, where a check has run in it."""
        return self.__dict__.get("_isolation")

    @property
    def origins_if_asked(self) -> Origins | None:
        """Where the project's modules are imported from, where a check needed to know; as it was the last time."""
        return next(reversed(self._origins.values()), None)

    def _find_origins(self) -> Origins:
        """Where they are imported from now; asked again only when the tree has other modules."""
        with self._lock:
            modules = project_modules(self._root, self.environment.packages, self._settings.place)
            if modules not in self._origins:
                self._origins[modules] = find_origins(self._ask, self.environment.python, modules)
            return self._origins[modules]

    def _ask(self, command: Sequence[str]) -> ProcessResult:
        seconds, cancelled = self._settings.seconds(), self._settings.cancelled
        # As writable as pytest, which sees another place than other checks where the tree isn't mounted.
        return self.isolation.run(command, writable=True, timeout=seconds, cancel=cancelled)

    def warm_up(self) -> None:
        """Find the environment and probe the isolation while something else is waited for."""
        try:
            _ = self.isolation.isolated
        except UserError:
            # The first check that needs it says so.
            return

    def require(self, name: CheckName) -> None:
        """Make sure that a required check can run.

        Raises:
            UserError: it isn't installed, or it runs the project's code and there is no isolation.
        """
        check = CHECKS[name]
        if check.kind == "static" and name in ("py_compile", "ruff", "ruff-format"):
            return
        if not check.is_installed(self.environment):
            raise UserError(
                f"the check `{name}` is not installed in the project's environment (`{self.environment.python}`)",
                hint=f"install it there, name another interpreter with `--python`, or leave out `--check {name}`",
                exit_code=ExitCode.ENVIRONMENT,
            )
        if check.kind == "executing" and not self.isolation.isolated:
            raise UserError(
                f"the check `{name}` runs the project's code, and there is no isolation here: {self._why_not()}",
                hint=self._how_to_isolate(),
                exit_code=ExitCode.ENVIRONMENT,
            )

    def _why_not(self) -> str:
        failure = self.isolation.failure
        return failure.line if failure else "isolation was turned off"

    def _how_to_isolate(self) -> str:
        failure = self.isolation.failure
        fix = failure.fix if failure else "leave out `--sandbox none`"
        return f"{fix}; py_compile and ruff work without; see `git orefactor doctor`"

    def run(self, command: str) -> str:
        """Run a command of the model and word its report.

        Raises:
            ToolError: not an accepted form, not installed, no isolation for it, or out of time.
        """
        ran = self.perform(self._validated(parse_command(command)))
        if ran.outcome == "timeout":
            raise ToolError(f"the check ran out of time after {ran.seconds:.0f} s; check a smaller part")
        verdict = {"passed": "passed", "failed": "failed", "broken": "failed (the check itself did not work)"}
        count = f": {len(ran.findings)} finding(s)" if ran.findings else ""
        return f"{verdict[ran.outcome]}: {command}{count}\n{ran.output}".rstrip("\n")

    def _validated(self, request: CheckRequest) -> CheckRequest:
        paths = [self._existing(path, request.check) for path in request.paths]
        nodes = [(self._existing(path, "pytest"), node) for path, node in request.nodes]
        files = tuple(name for path in paths for name in self._expand(request.check, path))
        return replace(request, paths=files, nodes=tuple(nodes))

    def _existing(self, path: str, check: CheckName) -> str:
        name = self._root.normalize(path)
        kind = self._root.kind(name)
        if kind == "link":
            raise ToolError(f"`{path}` is a symbolic link; name what it points to")
        if kind not in ("file", "directory"):
            raise ToolError(f"`{path}` does not exist; name a file or folder to run {check} on")
        return name

    def _expand(self, check: CheckName, path: str) -> list[str]:
        if check != "py_compile" or self._root.kind(path) == "file":
            return [path]
        found = [name for name in self._root.walk(path, limit=_MOST_FILES) if name.endswith(PYTHON_SUFFIXES)]
        if not found:
            raise ToolError(f"`{path}` holds no Python file")
        return found

    def perform(self, request: CheckRequest) -> CheckRun:
        """Run one check whose paths are known to be good.

        Raises:
            ToolError: not installed, or it runs the project's code and there is no isolation, or it would run
                another copy of it.
        """
        check = CHECKS[request.check]
        if check.kind == "executing" and not self.isolation.isolated:
            raise ToolError(
                f"{check.name} runs the project's code, and there is no isolation here ({self._why_not()}); "
                "use py_compile and ruff"
            )
        if not check.is_installed(self.environment):
            raise ToolError(f"{check.name} is not installed in the project's environment; use another check")
        origins = self._find_origins() if check.kind == "executing" else Origins()
        require_tree(origins)
        batches = [request.paths[start : start + _BATCH] for start in range(0, len(request.paths), _BATCH)] or [()]
        runs = [self._perform_batch(check, replace(request, paths=paths), origins) for paths in batches]
        return runs[0] if len(runs) == 1 else merged(runs)

    def _perform_batch(self, check: Check, request: CheckRequest, origins: Origins) -> CheckRun:
        isolated = self.isolation.isolated
        circumstances = Circumstances(isolated, has_ruff_config(self._root, request.paths))
        tree = self._settings.place if self.isolation.tier == "bwrap" else None
        result = self.isolation.run(
            with_search_path(check.command(self.environment, request, circumstances), origins, tree),
            writable=check.writes,
            timeout=self._settings.seconds(),
            cancel=self._settings.cancelled,
        )
        return read_result(check, result, str(self.isolation.place), isolated=isolated)
