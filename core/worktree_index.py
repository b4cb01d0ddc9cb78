"""The symbols of a run's worktree as the model has made it until now, for the tools that ask for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from .request import Prepared
from .tools.base import Workspace

if TYPE_CHECKING:
    from .index.symbol_index import SymbolIndex


def worktree_index(prepared: Prepared, workspace: Workspace) -> Callable[[], SymbolIndex]:
    """Opens the index of the base with the changed files over it; each call anew, since calls run side by side."""

    def opened() -> SymbolIndex:
        from .index.stored_index import open_index

        changed = {path: _content(workspace.root, path) for path in list(workspace.touched)}
        return open_index(prepared.repository, prepared.base.tree, changed)

    return opened


def _content(root: Root, path: str) -> bytes | None:
    """What a file holds now; None where it is gone."""
    try:
        return root.read(path).data
    except Refused:
        return None
