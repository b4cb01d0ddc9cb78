"""`find_references`: every place that refers to a symbol, by syntax tree and imports rather than by letters."""

from __future__ import annotations

from .base import Arguments, Tool, Workspace
from .paging import page


class FindReferences(Arguments):
    """Every place that refers to a symbol."""

    symbol: str
    offset: int = 0


def run(arguments: FindReferences, workspace: Workspace) -> str:
    """Lines `path:line: source`, in pages; those that define it are marked, those that are only possible apart."""
    from .reference_lines import reference_lines

    return page(reference_lines(workspace, arguments.symbol), max(0, arguments.offset))


TOOL = Tool("find_references", "observe", FindReferences, run, cost="about 1 s", needs="index")
