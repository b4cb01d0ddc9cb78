"""Where checks run: one tree in a throwaway worktree, and the tree that its findings are compared with.

The main job's workshop and a review stand on one each. What is worked on there is not known here.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from orefactor.sandbox.build_products import BuildProducts, copy_build_products
from orefactor.sandbox.files import Root
from orefactor.sandbox.worktree import BASE_MARK, Worktree, throwaway_worktree

from .checks.baseline import Baseline, Keeping
from .checks.baseline_store import BaselineStore
from .checks.host import CheckHost, HostSettings
from .checks.offered import offered
from .checks.result import ChangedFiles, CheckResult
from .errors import UserError
from .limits import Ledger
from .request import Prepared

if TYPE_CHECKING:
    from .sharding.share import Share


@dataclass(frozen=True, slots=True)
class Compared:
    """The commit, with its tree, whose findings are old."""

    commit: str
    tree: str


@dataclass(frozen=True, slots=True)
class Bench:
    """A worktree with its checks.

    Attributes:
        host: the checks at it.
        products: what was built in the user's tree and copied for the checks.
        on_demand: checks that a model may ask for, as the project uses them; none of them is required.
        base_host: checks at the tree that it is compared with, which is made when first asked for.
        baseline: what the checks gave there.
        abort: makes calls in other threads end soon.
        is_stopping: whether they should end.
    """

    worktree: Worktree
    root: Root
    host: CheckHost
    products: BuildProducts
    on_demand: tuple[str, ...]
    base_host: Callable[[], CheckHost]
    baseline: Baseline
    abort: Callable[[], None]
    is_stopping: Callable[[], bool]

    def run_required(
        self, names: Sequence[str], changed: ChangedFiles, ended: Callable[[CheckResult], None] = lambda _result: None
    ) -> list[CheckResult]:
        """Run checks that are required; see `checks.required.run_required`."""
        from .checks.required import run_required

        return run_required(names, changed, self.host, self.base_host, self.abort, self.baseline, ended)

    def run_undecided(self, requested: Collection[str], changed: ChangedFiles) -> list[CheckResult]:
        """Run the checks that a model was offered and didn't get to, as it gave no reply that could decide.

        Args:
            requested: the names of the tools that it called.

        Raises:
            ToolError, UserError: the tree that is compared with could not be checked.
        """
        from .checks.required import run_deferred
        from .tools.on_demand import tool_name

        names = [name for name in self.on_demand if name not in requested and tool_name(name) not in requested]
        return run_deferred(names, changed, self.host, self.base_host, self.abort, self.baseline)


@contextmanager
def open_bench(
    prepared: Prepared,
    run_id: str,
    ledger: Ledger,
    cancelled: Callable[[], bool],
    compared: Compared,
    always_offered: Sequence[str] = (),
    share: Share | None = None,
) -> Generator[Bench]:
    """Make the worktree at the base of what is prepared, and its checks; all of it is gone when the block ends.

    Args:
        always_offered: checks that a model may ask for, whether or not the project is known to use them.
        share: what shards have together, where this is one's; among it what the checks gave at the base.
    """
    with ExitStack() as stack:
        worktree = stack.enter_context(
            throwaway_worktree(prepared.repository, prepared.base.commit, run_id, sweeps=not prepared.request.part_of)
        )
        root = Root(worktree.path)
        aborted = threading.Event()

        def is_stopping() -> bool:
            return aborted.is_set() or cancelled()

        products = copy_build_products(prepared.repository, root)
        host = _host(root, worktree, _host_settings(prepared, ledger, is_stopping), share)
        stack.enter_context(_warming_up(host, aborted))
        # What still runs at the other tree must have ended before that goes.
        own_base = _BaseHost(prepared, compared, run_id, host, stack.enter_context(ExitStack()))
        base_host = share.base_host if share else own_base.get
        on_demand = _on_demand(prepared, host, always_offered)
        baseline = Baseline(host, base_host, (*prepared.checks, *on_demand), _keeping(prepared, compared, products))
        stack.callback(baseline.close)
        yield Bench(worktree, root, host, products, on_demand, base_host, baseline, aborted.set, is_stopping)


def _host(root: Root, worktree: Worktree, settings: HostSettings, share: Share | None) -> CheckHost:
    if share is not None:
        return share.host.beside(root, lambda: worktree.scratch, settings)
    return CheckHost(root, lambda: worktree.scratch, settings)


def _on_demand(prepared: Prepared, host: CheckHost, always: Sequence[str]) -> tuple[str, ...]:
    """The checks that the project uses, and the person's own commands, as far as they can run and aren't required."""
    own = [command.name for command in prepared.own_checks if command.name not in prepared.checks]
    first = [name for name in always if name not in prepared.checks]
    try:
        shown = offered(host, (*prepared.checks, *first))
        return (*first, *shown, *(own if own and host.isolation.isolated else ()))
    except UserError:
        # Whoever needs a check says why it can't run; without one the work goes on.
        return tuple(first)


def _keeping(prepared: Prepared, compared: Compared, products: BuildProducts) -> Keeping:
    """Where baselines are kept; what was built besides the tree is told by name, size and time."""
    built = [os.stat(prepared.repository.place / path, follow_symlinks=False) for path in products.paths]
    facts = [(path, s.st_size, s.st_mtime_ns) for path, s in zip(products.paths, built, strict=True)]
    besides = hashlib.sha256(repr((facts, products.left_out)).encode()).hexdigest() if facts else ""
    return Keeping(BaselineStore(prepared.repository.common_dir), compared.tree, besides)


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


def _host_settings(prepared: Prepared, ledger: Ledger, is_stopping: Callable[[], bool]) -> HostSettings:
    python = prepared.settings.python
    return HostSettings(
        place=Path(os.path.realpath(prepared.repository.place)),
        mode=prepared.settings.sandbox,
        python=Path(python) if python else None,
        seconds=lambda: ledger.tool_seconds,
        cancelled=is_stopping,
        own=prepared.own_checks,
    )


class _BaseHost:
    """Checks the other tree out, the first time that a comparison needs it."""

    def __init__(self, prepared: Prepared, compared: Compared, run_id: str, host: CheckHost, stack: ExitStack) -> None:
        self._prepared = prepared
        self._compared = compared
        self._run_id = run_id
        self._host = host
        self._stack = stack
        self._made: CheckHost | None = None
        self._lock = threading.Lock()

    def get(self) -> CheckHost:
        """The checks at that tree."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def _make(self) -> CheckHost:
        made = throwaway_worktree(
            self._prepared.repository, self._compared.commit, f"{self._run_id}{BASE_MARK}", sweeps=False
        )
        worktree = self._stack.enter_context(made)
        root = Root(worktree.path)
        copy_build_products(self._prepared.repository, root)
        return self._host.elsewhere(root, worktree.scratch)
