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
from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.isolation import Isolation, Mode, open_isolation
from orefactor.sandbox.origins import Modules, Origins, find_origins, project_modules
from orefactor.sandbox.process import ProcessResult

from ..errors import ToolError, UserError
from .catalogue import catalogue, find_check
from .check import Check, Circumstances
from .command import CheckRequest, parse_command
from .fingerprints import located
from .outcome import CheckRun, merged, read_result
from .own import OwnCommand
from .ready import require_for_model, require_for_person
from .targets import has_ruff_config, validated_request, whole_request
from .under_test import require_tree, with_search_path

SandboxMode = Mode

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
        own: the project's own commands.
    """

    place: Path
    mode: SandboxMode = "auto"
    python: Path | None = None
    seconds: Callable[[], float] = lambda: 300.0
    cancelled: Callable[[], bool] = lambda: False
    own: tuple[OwnCommand, ...] = ()


class CheckHost:
    """Checks at one tree.

    Attributes:
        root: the tree.
    """

    def __init__(
        self, root: Root, scratch: Callable[[], Path], settings: HostSettings, like: CheckHost | None = None
    ) -> None:
        self.root = root
        self._like = like
        self._scratch = scratch
        self._settings = settings
        self._lock = threading.RLock()
        self._origins: dict[Modules, Origins] = {}
        self._checks = catalogue(settings.own)

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
        """The same checks at another tree, such as the base's; Python and isolation are found out once."""
        return CheckHost(root, lambda: scratch, self._settings, self)

    def beside(self, root: Root, scratch: Callable[[], Path], settings: HostSettings) -> CheckHost:
        """Checks at another tree of the same repository, side by side: Python and isolation are found out once."""
        return CheckHost(root, scratch, settings, self)

    def until(self, ended: Callable[[], bool]) -> CheckHost:
        """The same checks at the same tree, which end also when `ended` says so."""
        cancelled = self._settings.cancelled
        settings = replace(self._settings, cancelled=lambda: ended() or cancelled())
        return CheckHost(self.root, self._scratch, settings, self)

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
        if self._like is not None:
            return self._like.environment
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
        layout = Layout(self._settings.place, self.root.path, self.environment, self._scratch(), tools)
        if self._like is not None:
            return self._like.isolation.at(layout, self._settings.cancelled)
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
            modules = project_modules(self.root, self.environment.packages, self._settings.place)
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

    def require(self, name: str) -> None:
        """Make sure that a required check can run.

        Raises:
            UserError: there is no such check, it isn't installed, or it runs the project's code and there is no
                isolation.
        """
        check = self.check(name)
        if check.kind == "executing":
            require_for_person(check, self.environment, self.isolation)

    def run(self, command: str) -> str:
        """Run a command of the model and word its report.

        Raises:
            ToolError: not an accepted form, not installed, no isolation for it, or out of time.
        """
        ran = self.perform(validated_request(self.root, parse_command(command)))
        if ran.outcome == "timeout":
            raise ToolError(f"the check ran out of time after {ran.seconds:.0f} s; check a smaller part")
        verdict = {"passed": "passed", "failed": "failed", "broken": "failed (the check itself did not work)"}
        count = f": {len(ran.findings)} finding(s)" if ran.findings else ""
        return f"{verdict[ran.outcome]}: {command}{count}\n{ran.output}".rstrip("\n")

    def check(self, name: str) -> Check:
        """The check of that name, the project's own commands included.

        Raises:
            UserError: there is none; the hint has the nearest name.
        """
        return find_check(name, self._checks)

    def request(self, name: str, paths: Sequence[str]) -> CheckRequest | None:
        """What a check looks at at this tree, where these files are of interest; None where that is nothing.

        Raises:
            UserError: there is no such check.
        """
        return whole_request(self.check(name), self.root, paths)

    def perform(self, request: CheckRequest) -> CheckRun:
        """Run one check whose paths are known to be good.

        Raises:
            ToolError: not installed, or it runs the project's code and there is no isolation, or it would run
                another copy of it.
            UserError: there is no such check.
        """
        check = self.check(request.check)
        require_for_model(check, self.environment, self.isolation)
        origins = self._find_origins() if check.kind == "executing" else Origins()
        require_tree(origins)
        batches = [request.paths[start : start + _BATCH] for start in range(0, len(request.paths), _BATCH)] or [()]
        runs = [self._perform_batch(check, replace(request, paths=paths), origins) for paths in batches]
        run = runs[0] if len(runs) == 1 else merged(runs)
        return replace(run, findings=located(run.findings, self._read))

    def command(self, request: CheckRequest) -> list[str]:
        """The command line that a request means here.

        Raises:
            UserError: there is no such check.
        """
        circumstances = Circumstances(self.isolation.isolated, has_ruff_config(self.root, request.paths))
        return self.check(request.check).command(self.environment, request, circumstances)

    def _perform_batch(self, check: Check, request: CheckRequest, origins: Origins) -> CheckRun:
        command = self.command(request)
        tree = self._settings.place if self.isolation.tier == "bwrap" else None
        result = self.isolation.run(
            with_search_path(command, origins, tree),
            writable=check.writes,
            timeout=min(self._settings.seconds(), check.seconds),
            cancel=self._settings.cancelled,
        )
        top = str(self.isolation.place)
        return read_result(check, result, top, isolated=self.isolation.isolated, command=command)

    def _read(self, path: str) -> bytes | None:
        try:
            return self.root.read(path).data
        except Refused:  # a finding may name any file, such as one of a library
            return None
