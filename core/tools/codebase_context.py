"""`codebase_context`: what hangs together with a path or a symbol, so that a change is made with its users in view."""

from __future__ import annotations

from .base import Arguments, Tool, Workspace


class CodebaseContext(Arguments):
    """Callers, callees, importers and tests of a path or symbol."""

    target: str


def run(arguments: CodebaseContext, workspace: Workspace) -> str:
    """Lists of `path:line symbol`, each with its count; a name that means several things gives all of them."""
    from .surroundings import surroundings

    return surroundings(workspace.require_index(), workspace.root, arguments.target)


TOOL = Tool("codebase_context", "observe", CodebaseContext, run, cost="about 1 s", needs="index")
