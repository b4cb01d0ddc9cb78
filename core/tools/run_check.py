"""`run_check`: one check from a fixed list; the command is parsed into data, never given to a shell."""

from __future__ import annotations

from ..errors import ToolError
from .base import Arguments, Tool, Workspace


class RunCheck(Arguments):
    """Run one check: ruff check PATH, ruff format --check PATH, py_compile PATH, mypy PATH, pyright PATH,
    pytest [PATH] [-k EXPR].
    """  # noqa: D205 - the model reads it as one paragraph

    command: str


def run(arguments: RunCheck, workspace: Workspace) -> str:
    """The check's report; its first line says passed or failed."""
    if workspace.checks is None:
        raise ToolError("no check can run here; go on without")
    return workspace.checks.run(arguments.command)


TOOL = Tool("run_check", "verify", RunCheck, run, cost="seconds to minutes")
