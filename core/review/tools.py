"""The tools of a review: those that only look, and one for each check that isn't required."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ..errors import ToolError
from ..result_limits import RESULT_LIMIT
from ..tools import TOOLS
from ..tools.base import AnyTool, Need, Workspace
from ..tools.codebase_context import CodebaseContext
from ..tools.codebase_context import run as run_codebase_context
from ..tools.schema import function_schema

_MOST_NAMED = 20


def observing(there: Collection[Need], paths: Collection[str]) -> dict[str, AnyTool]:
    """The tools that only look, with answers of at most 8 KiB.

    Args:
        there: the needs that are met.
        paths: those of the change, about which alone `codebase_context` tells.
    """
    tools = {name: tool for name, tool in TOOLS.items() if tool.effect == "observe"}
    if "codebase_context" in tools:
        tools["codebase_context"] = _of_the_change(tools["codebase_context"], frozenset(paths))
    offered = {name: tool for name, tool in tools.items() if tool.needs is None or tool.needs in there}
    return {name: replace(tool, result_limit=min(tool.result_limit, RESULT_LIMIT)) for name, tool in offered.items()}


def _of_the_change(tool: AnyTool, paths: frozenset[str]) -> AnyTool:
    def run(arguments: CodebaseContext, workspace: Workspace) -> str:
        if not _is_of_the_change(arguments.target, workspace, paths):
            named = ", ".join(sorted(paths)[:_MOST_NAMED])
            raise ToolError(f"codebase_context tells only about what this change touches: {named}; use grep for others")
        return run_codebase_context(arguments, workspace)

    return replace(tool, run=run)


def _is_of_the_change(target: str, workspace: Workspace, paths: frozenset[str]) -> bool:
    """Whether a target is a changed path, or a symbol that a changed file defines."""
    name = target.strip().strip("`").removesuffix("()")
    path, _, inner = name.partition("#" if "#" in name else "::")
    if path.removeprefix("./") in paths:
        return True
    if "/" in path or inner:
        return False
    last = path.rpartition(".")[2]
    places = workspace.require_index().defining([last]).get(last, ())
    return any(place in paths for place, _ in places)


def tool_list(tools: Iterable[AnyTool]) -> str:
    """Each tool with what it does, what a call costs and the most that it answers."""
    return "\n".join(map(_line, tools))


def _line(tool: AnyTool) -> str:
    what = function_schema(tool)["function"]["description"]
    return f"- {tool.name}: {what} Cost: {tool.cost}; result: up to {tool.result_size}."
