"""`list_dir`: the names in one folder."""

from __future__ import annotations

from .base import Arguments, Tool, Workspace
from .paging import note, page


class ListDir(Arguments):
    """List a folder."""

    path: str = "."
    offset: int = 0


def run(arguments: ListDir, workspace: Workspace) -> str:
    """One name a line, sorted; links end with `@`."""
    endings = {"directory": "/", "link": "@", "file": "", "other": "?"}
    names = [entry.name + endings[entry.kind] for entry in workspace.root.list(arguments.path)]
    return page(names, max(0, arguments.offset)) if names else note("the folder is empty")


TOOL = Tool("list_dir", "observe", ListDir, run)
