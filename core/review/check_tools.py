"""Checks that the model may ask for in a review: each runs as the required ones do, once at most, and counts alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pydantic import create_model

from ..bench import Bench
from ..checks.check import Check
from ..checks.result import ChangedFiles, CheckResult
from ..errors import ToolError, UserError
from ..result_limits import RESULT_LIMIT
from ..tools.base import AnyTool, Arguments, Tool, Workspace
from ..tools.on_demand import tool_name
from .check_findings import speaks

_MOST_SHOWN = 100
"""New findings in one answer; the trace has more."""


class RunOnChange(Arguments):
    """Run one check on the change."""


class CheckTools:
    """One tool for each check that isn't required.

    Attributes:
        tools: by name.
    """

    def __init__(self, bench: Bench, changed: ChangedFiles, ended: Callable[[CheckResult], None]) -> None:
        """Offer the checks of a bench.

        Args:
            ended: told of each result once.
        """
        self._bench = bench
        self._changed = changed
        self._ended = ended
        self._lock = threading.Lock()
        self._results: dict[str, CheckResult] = {}
        self.tools: dict[str, AnyTool] = {}
        for name in bench.on_demand:
            tool = self._tool(bench.host.check(name))
            self.tools[tool.name] = tool

    @property
    def results(self) -> list[CheckResult]:
        """What the model asked for, in that order."""
        return list(self._results.values())

    def _tool(self, check: Check) -> AnyTool:
        limit = min(check.cost.result_kib * 1024, RESULT_LIMIT)
        run: Callable[[RunOnChange, Workspace], str] = partial(self._run, check.name)
        what = f"Run {check.name} on the change; findings that were there before it are counted as old."
        arguments = create_model(f"Check_{check.name}", __base__=RunOnChange, __doc__=what)
        return Tool(tool_name(check.name), "verify", arguments, run, f"about {check.cost.seconds} s", limit)

    def _run(self, name: str, _arguments: RunOnChange, _workspace: Workspace) -> str:
        """Run it and word its result.

        Raises:
            ToolError: it could not speak; the words say why.
        """
        with self._lock:
            if name not in self._results:
                self._results[name] = replace(self._result(name), when="on_demand", required=False)
                self._ended(self._results[name])
        result = self._results[name]
        if not speaks(result):
            raise ToolError(f"{tool_name(name)} could not run: {result.detail}")
        return told(result)

    def _result(self, name: str) -> CheckResult:
        try:
            (result,) = self._bench.run_required([name], self._changed)
        except (ToolError, UserError) as error:
            # The tree before the change could not be checked. The model asked, so the review has to say so.
            return CheckResult(name, "failed", detail=str(error), counts=False)
        return result


def told(result: CheckResult) -> str:
    """A result in words, whose first line says passed or failed."""
    old = f", {result.old} old" if result.old else ""
    if result.outcome == "not_run":
        return f"{result.name}: not run; {result.detail}"
    if not result.new:
        return f"{result.name}: {result.outcome}{old}" + (f"; {result.detail}" if result.outcome == "failed" else "")
    lines = [f"- {finding}" for finding in result.new[:_MOST_SHOWN]]
    more = [f"- and {len(result.new) - _MOST_SHOWN} more"] if len(result.new) > _MOST_SHOWN else []
    return "\n".join([f"{result.name}: failed, {len(result.new)} new{old}", *lines, *more])
