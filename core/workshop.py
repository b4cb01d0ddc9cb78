"""The place where one run works: the worktree with its tools and checks, and what the change amounts to there."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.build_products import BuildProducts, copy_build_products
from orefactor.sandbox.files import Root
from orefactor.sandbox.patch import Change, list_changes
from orefactor.sandbox.result_tree import write_result_tree
from orefactor.sandbox.worktree import Worktree, throwaway_worktree

from .checks.baseline import Baseline, Keeping
from .checks.baseline_store import BaselineStore
from .checks.host import CheckHost, HostSettings
from .checks.offered import offered
from .checks.result import ChangedFiles
from .checks.targets import changed_files
from .errors import ExitCode, ToolError, UserError
from .limits import Ledger
from .redact import Redactor, printable
from .request import Prepared
from .tools import offered as offered_tools
from .tools.base import AnyTool, Scope, Workspace
from .tools.toolbox import Toolbox
from .worktree_index import worktree_index


@dataclass(frozen=True, slots=True)
class Workshop:
    """One run's worktree and what works in it.

    Attributes:
        abort: makes calls in other threads end soon.
        products: what was built in the user's tree and copied for the checks.
        on_demand: checks that the model may ask for, as the project uses them; none of them is required.
        base_host: checks at the base's tree, which is made when first asked for.
        baseline: what the checks gave at the base.
        seconds_left: wall time that the run has left.
    """

    prepared: Prepared
    worktree: Worktree
    root: Root
    toolbox: Toolbox
    host: CheckHost
    products: BuildProducts
    on_demand: tuple[str, ...]
    base_host: Callable[[], CheckHost]
    baseline: Baseline
    seconds_left: Callable[[], float]
    abort: Callable[[], None]

    @property
    def scope(self) -> Scope:
        """The paths that may change."""
        return self.toolbox.workspace.scope

    def require_ready(self) -> None:
        """Say before the model is asked what the work would miss.

        Raises:
            UserError: a path outside the sparse checkout, no such interpreter, or a required check that can't run here.
        """
        for path in self.prepared.paths:
            if not os.path.lexists(self.worktree.path / path):
                raise UserError(
                    f"`{printable(path)}` lies outside this repository's sparse checkout",
                    hint=f"widen it: `git sparse-checkout add {printable(os.path.dirname(path)) or '.'}`",
                    exit_code=ExitCode.ENVIRONMENT,
                )
        if self.prepared.settings.python is not None:
            _ = self.host.environment
        for name in self.prepared.checks:
            self.host.require(name)

    def result_tree(self) -> str:
        """The tree that the base and the tools' changes give."""
        return write_result_tree(self.worktree.git, self.prepared.base.commit, self.toolbox.workspace.touched)

    def changes(self, tree: str) -> tuple[Change, ...]:
        """What differs between the base and a tree."""
        return list_changes(self.worktree.git, self.prepared.base.commit, tree)

    def changed_files(self, changes: tuple[Change, ...]) -> ChangedFiles:
        """The changed files that exist now, with where each stood in the base."""
        return changed_files(self.root, changes)


@contextmanager
def open_workshop(
    prepared: Prepared, run_id: str, ledger: Ledger, redactor: Redactor, cancelled: Callable[[], bool]
) -> Generator[Workshop]:
    """Make the worktree and put tools and checks into it; all of it is gone when the block ends."""
    with ExitStack() as stack:
        worktree = stack.enter_context(throwaway_worktree(prepared.repository, prepared.base.commit, run_id))
        root = Root(worktree.path)
        aborted = threading.Event()

        def stopping() -> bool:
            return aborted.is_set() or cancelled()

        products = copy_build_products(prepared.repository, root)
        host = CheckHost(root, lambda: worktree.scratch, _host_settings(prepared, ledger, stopping))
        stack.enter_context(_warming_up(host, aborted))
        # What still runs at the base must have ended before the base's tree goes.
        base = _BaseHost(prepared, run_id, host, stack.enter_context(ExitStack()))
        on_demand = _on_demand(prepared, host)
        baseline = Baseline(host, base.get, (*prepared.checks, *on_demand), _keeping(prepared, products))
        stack.callback(baseline.close)
        guard = _FileGuard(worktree, products)
        workspace = Workspace(root, Scope(prepared.paths), host, may_change=guard, cancelled=stopping)
        workspace.index = worktree_index(prepared, workspace)
        toolbox = Toolbox(_tools(on_demand, host, baseline), workspace, redactor)
        yield Workshop(
            prepared,
            worktree,
            root,
            toolbox,
            host,
            products,
            on_demand,
            base.get,
            baseline,
            lambda: ledger.seconds_left,
            aborted.set,
        )


def _on_demand(prepared: Prepared, host: CheckHost) -> tuple[str, ...]:
    """The checks that the project uses, and the person's own commands, as far as they can run and aren't required."""
    own = [command.name for command in prepared.own_checks if command.name not in prepared.checks]
    try:
        shown = offered(host, prepared.checks)
        return (*shown, *(own if own and host.isolation.isolated else ()))
    except UserError:
        # Whoever needs a check says why it can't run; without one the work goes on.
        return ()


def _tools(on_demand: tuple[str, ...], host: CheckHost, baseline: Baseline) -> Mapping[str, AnyTool]:
    tools = offered_tools("index")
    if not on_demand:
        return tools
    from .tools.on_demand import on_demand_tools

    return {**tools, **on_demand_tools(on_demand, host, baseline)}


def _keeping(prepared: Prepared, products: BuildProducts) -> Keeping:
    """Where baselines are kept; what was built besides the tree is told by name, size and time."""
    built = [os.stat(prepared.repository.place / path, follow_symlinks=False) for path in products.paths]
    facts = [(path, s.st_size, s.st_mtime_ns) for path, s in zip(products.paths, built, strict=True)]
    besides = hashlib.sha256(repr((facts, products.left_out)).encode()).hexdigest() if facts else ""
    return Keeping(BaselineStore(prepared.repository.common_dir), prepared.base.tree, besides)


@contextmanager
def _warming_up(host: CheckHost, aborted: threading.Event) -> Generator[None]:
    """Prepare the checks beside the first model call; the thread has ended before the worktree goes."""
    thread = threading.Thread(target=host.warm_up, daemon=True)
    thread.start()
    try:
        yield
    finally:
        aborted.set()
        thread.join()


def _host_settings(prepared: Prepared, ledger: Ledger, stopping: Callable[[], bool]) -> HostSettings:
    python = prepared.settings.python
    return HostSettings(
        place=Path(os.path.realpath(prepared.repository.place)),
        mode=prepared.settings.sandbox,
        python=Path(python) if python else None,
        seconds=lambda: ledger.tool_seconds,
        cancelled=stopping,
        own=prepared.own_checks,
    )


class _BaseHost:
    """Checks out the base a second time, the first time that a comparison needs it."""

    def __init__(self, prepared: Prepared, run_id: str, host: CheckHost, stack: ExitStack) -> None:
        self._prepared = prepared
        self._run_id = run_id
        self._host = host
        self._stack = stack
        self._made: CheckHost | None = None
        self._lock = threading.Lock()

    def get(self) -> CheckHost:
        """The checks at the base's tree."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def _make(self) -> CheckHost:
        base = self._prepared.base.commit
        made = throwaway_worktree(self._prepared.repository, base, f"{self._run_id}-base")
        worktree = self._stack.enter_context(made)
        root = Root(worktree.path)
        copy_build_products(self._prepared.repository, root)
        return self._host.elsewhere(root, worktree.scratch)


class _FileGuard:
    """Refuses files that can't be part of a change.

    These are files that a filter such as LFS stands for (what the worktree holds is only their pointer), and what was
    built in the user's tree.
    """

    def __init__(self, worktree: Worktree, products: BuildProducts) -> None:
        self._git = worktree.git
        self._products = frozenset(products.paths)

    def __call__(self, path: str) -> None:
        if path in self._products:
            raise ToolError(f"`{path}` is built, and git ignores it; change what it is built from")
        asked = self._git.run("check-attr", "-z", "filter", "--", path)
        value = asked.split(b"\0")[2:3]
        if value and value[0] not in (b"unspecified", b"unset"):
            name = value[0].decode(errors="replace")
            raise ToolError(f"`{path}` is stored through the filter `{name}`; its content can't be changed here")
