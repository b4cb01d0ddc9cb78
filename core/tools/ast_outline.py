"""`ast_outline`: the structure of a source file or a document, read with tree-sitter."""

from __future__ import annotations

from ..code.outline import outline, render
from .base import Arguments, Tool, Workspace
from .paging import page


class AstOutline(Arguments):
    """Outline a file: classes, functions, signatures, docstring starts, headings, line ranges."""

    path: str
    offset: int = 0


def run(arguments: AstOutline, workspace: Workspace) -> str:
    """One symbol a line; a broken file gives what can be given."""
    path = workspace.root.normalize(arguments.path)
    data = workspace.root.read(path).data
    workspace.mark_seen(path)
    lines = render(outline(data, path), path).split("\n")
    return page(lines, max(0, arguments.offset))


TOOL = Tool("ast_outline", "observe", AstOutline, run)
