"""One tool for each check that a project uses and that isn't required: `check_mypy`, `check_pytest`, and so on.

They are made for one run, since what is offered depends on the project, so they don't stand in the table of tools. The
model decides whether one is worth its cost, which the description says; those that it never asks for are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from pydantic import Field, create_model

from ..checks.baseline import Baseline
from ..checks.check import Check
from ..checks.command import CheckRequest, parse_command, request_for_tests
from ..checks.comparison import tell_new
from ..checks.host import CheckHost
from ..checks.outcome import CheckRun
from ..checks.targets import validated_request
from ..errors import ToolError
from ..messages import ToolCall
from ..result_limits import RESULT_LIMIT
from .base import AnyTool, Arguments, Tool, Workspace
from .costs import costs
from .validation import load_object

_WHAT = {
    "ruff-format": "Check whether files are formatted as the project has it.",
    "mypy": "Check the types with mypy.",
    "pyright": "Check the types with pyright.",
    "pytest": "Run the project's tests.",
}


class CheckAll(Arguments):
    """Run one of the project's own checks."""


class CheckPaths(Arguments):
    """Run one check on files."""

    paths: list[str] = Field(default_factory=list[str], description="Files or folders; none for the whole project.")


class CheckTests(CheckPaths):
    """Run tests."""

    nodes: list[str] = Field(default_factory=list[str], description="Single tests, as `path::test`.")
    keyword: str | None = Field(default=None, description="An expression that a test's name must match, as after `-k`.")


def tool_name(check: str) -> str:
    """The tool's name, as the model calls it."""
    return f"check_{check.replace('-', '_')}"


def on_demand_tools(names: Sequence[str], host: CheckHost, baseline: Baseline) -> dict[str, AnyTool]:
    """The tools for these checks, by name.

    Args:
        baseline: tells which findings are old.

    Raises:
        UserError: there is no such check.
    """
    tools = [_tool(host.check(name), host, baseline) for name in names]
    return {tool.name: tool for tool in tools}


def not_requested(offered: Iterable[str], calls: Iterable[ToolCall]) -> tuple[str, ...]:
    """Those of the offered checks that no call asked for, by their own tool or by `run_check`."""
    asked = {name for call in calls for name in _asked_for(call)}
    return tuple(name for name in offered if tool_name(name) not in asked and name not in asked)


def _asked_for(call: ToolCall) -> tuple[str, ...]:
    if call.name != "run_check":
        return (call.name,)
    try:
        return (parse_command(str(load_object(call.arguments).get("command"))).check,)
    except ToolError:
        return ()


def _tool(check: Check, host: CheckHost, baseline: Baseline) -> AnyTool:
    kind = CheckTests if check.name == "pytest" else CheckPaths if check.name in _WHAT else CheckAll
    what = _WHAT.get(check.name, f"Run the project's own check `{check.name}`.")
    limit = min(check.cost.result_kib * 1024, RESULT_LIMIT)
    run: Callable[[Arguments, Workspace], str] = partial(_run, check=check, host=host, baseline=baseline)
    tool: AnyTool = Tool(tool_name(check.name), "verify", kind, run, f"about {check.cost.seconds} s", limit)
    words = f"{what} Costs {costs(tool)}. Findings that the code had before the change are counted as old."
    return replace(tool, arguments=create_model(f"Check_{check.name}", __base__=kind, __doc__=words))


def _run(arguments: Arguments, _workspace: Workspace, *, check: Check, host: CheckHost, baseline: Baseline) -> str:
    """Run it and word its report, whose first line says passed or failed.

    Raises:
        ToolError: a path isn't there, it can't run here, or it ran out of time.
    """
    request = _request(arguments, check, host)
    ran = host.perform(request)
    name = tool_name(check.name)
    if ran.outcome == "timeout":
        raise ToolError(f"{name} ran out of time after {ran.seconds:.0f} s; check a smaller part")
    if ran.outcome == "passed":
        return f"passed: {name}\n{ran.output}".rstrip("\n")
    if ran.outcome == "broken":
        return f"failed: {name} (the check itself did not work)\n{ran.output}".rstrip("\n")
    return _told_apart(name, ran, baseline.of_request(request).run)


def _request(arguments: Arguments, check: Check, host: CheckHost) -> CheckRequest:
    if isinstance(arguments, CheckTests):
        return validated_request(host.root, request_for_tests(arguments.paths, arguments.nodes, arguments.keyword))
    paths = tuple(arguments.paths) if isinstance(arguments, CheckPaths) else ()
    if paths or not check.covers_project(host.root):
        return validated_request(host.root, CheckRequest(check.name, paths or (".",)))
    return CheckRequest(check.name)


def _told_apart(name: str, ran: CheckRun, before: CheckRun | None) -> str:
    fresh = tell_new(ran, before)
    count, old = len(ran.findings), len(ran.findings) - len(fresh)
    known = f", {old} of them old" if old else ""
    shown = ["new:", *map(str, fresh), ""] if old and fresh else []
    return "\n".join([f"failed: {name}: {count} finding(s){known}", *shown, ran.output]).rstrip("\n")
