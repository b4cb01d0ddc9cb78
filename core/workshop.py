"""The place where one run works: the worktree with its tools and checks, and what the change amounts to there."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orefactor.sandbox.build_products import BuildProducts
from orefactor.sandbox.files import Root
from orefactor.sandbox.patch import Change, list_changes
from orefactor.sandbox.result_tree import write_result_tree
from orefactor.sandbox.worktree import Worktree

from .bench import Bench, Compared, open_bench
from .checks.baseline import Baseline
from .checks.host import CheckHost
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

if TYPE_CHECKING:
    from .sharding.share import Share


@dataclass(frozen=True, slots=True)
class Workshop:
    """One run's worktree and what works in it.

    Attributes:
        bench: the worktree with its checks, compared with the base.
        seconds_left: wall time that the run has left.
    """

    prepared: Prepared
    bench: Bench
    toolbox: Toolbox
    seconds_left: Callable[[], float]

    @property
    def worktree(self) -> Worktree:
        """The worktree."""
        return self.bench.worktree

    @property
    def root(self) -> Root:
        """The only way to its files."""
        return self.bench.root

    @property
    def host(self) -> CheckHost:
        """The checks at it."""
        return self.bench.host

    @property
    def baseline(self) -> Baseline:
        """What the checks gave at the base."""
        return self.bench.baseline

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

    def adopt(self, tree: str) -> None:
        """Make the worktree hold a tree that was made elsewhere, as if tools had made it here."""
        git = self.worktree.git
        changed = list_changes(git, self.prepared.base.commit, tree)
        git.result("read-tree", "-m", "-u", tree, umask=0o022)
        for path in {path for change in changed for path in (change.path, change.old_path) if path}:
            self.toolbox.workspace.note_touched(path, None)

    def changes(self, tree: str) -> tuple[Change, ...]:
        """What differs between the base and a tree."""
        return list_changes(self.worktree.git, self.prepared.base.commit, tree)

    def changed_files(self, changes: tuple[Change, ...]) -> ChangedFiles:
        """The changed files that exist now, with where each stood in the base."""
        return changed_files(self.root, changes)


@contextmanager
def open_workshop(
    prepared: Prepared,
    run_id: str,
    ledger: Ledger,
    redactor: Redactor,
    cancelled: Callable[[], bool],
    share: Share | None = None,
) -> Generator[Workshop]:
    """Make the worktree and put tools and checks into it; all of it is gone when the block ends.

    Args:
        share: what shards have together, where this is one's.
    """
    compared = Compared(prepared.base.commit, prepared.base.tree)
    with open_bench(prepared, run_id, ledger, cancelled, compared, share=share) as bench:
        guard = _FileGuard(bench.worktree, bench.products)
        workspace = Workspace(
            bench.root, Scope(prepared.paths), bench.host, may_change=guard, cancelled=bench.is_stopping
        )
        workspace.index = worktree_index(prepared, workspace)
        toolbox = Toolbox(_tools(bench), workspace, redactor)
        yield Workshop(prepared, bench, toolbox, lambda: ledger.seconds_left)


def _tools(bench: Bench) -> Mapping[str, AnyTool]:
    tools = offered_tools("index")
    if not bench.on_demand:
        return tools
    from .tools.on_demand import on_demand_tools

    return {**tools, **on_demand_tools(bench.on_demand, bench.host, bench.baseline)}


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
