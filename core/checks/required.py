"""Runs checks on the result, required ones at the end and others where no model asked; only what is new counts.

`CheckResult` and `ChangedFiles` live in `result`; they are named here too for those that only run checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from ..errors import ToolError
from .baseline import Baseline
from .command import CheckRequest
from .comparison import at_new_paths, compare
from .host import CheckHost
from .outcome import CheckRun
from .result import ChangedFiles, CheckOutcome, CheckResult, CheckTime
from .targets import there
from .under_test import InstalledCopy

__all__ = ["ChangedFiles", "CheckOutcome", "CheckResult", "CheckTime", "run_deferred", "run_required"]

_LONGEST_NODE = 4000
"""Characters of a node id on a command line."""


def run_required(
    names: Sequence[str],
    changed: ChangedFiles,
    host: CheckHost,
    base_host: Callable[[], CheckHost],
    abort: Callable[[], None] = lambda: None,
    baseline: Baseline | None = None,
    ended: Callable[[CheckResult], None] = lambda _result: None,
) -> list[CheckResult]:
    """Run the required checks on the result, side by side; on the base too where there is something to compare.

    Args:
        base_host: makes the host at the base's tree; asked only where a comparison is needed and there is no baseline.
        abort: makes checks that still run end soon, where a signal stops the run.
        baseline: what is known of the base, or will be; without it, lost tests are found only where others fail.
        ended: told of each when it has ended, by the thread that ran it.

    Raises:
        ToolError, UserError: the base could not be checked.
    """
    if not names:
        return []
    if baseline is None:
        with closing(Baseline(host, base_host)) as lazy:
            return run_required(names, changed, host, base_host, abort, lazy, ended)
    work = _Work(changed, host, baseline)

    def run_one(name: str) -> CheckResult:
        result = _run_one(name, work)
        ended(result)
        return result

    with ThreadPoolExecutor(len(names)) as pool:
        try:
            return list(pool.map(run_one, names))
        except BaseException:
            abort()
            raise


def run_deferred(
    names: Sequence[str],
    changed: ChangedFiles,
    host: CheckHost,
    base_host: Callable[[], CheckHost],
    abort: Callable[[], None] = lambda: None,
    baseline: Baseline | None = None,
) -> list[CheckResult]:
    """Run the checks that a model could have asked for, where none decided; as `run_required`, but not required."""
    results = run_required(names, changed, host, base_host, abort, baseline)
    return [replace(result, when="on_demand", required=False) for result in results]


@dataclass(frozen=True, slots=True)
class _Work:
    """What the checks of one verification share."""

    changed: ChangedFiles
    host: CheckHost
    baseline: Baseline


def _run_one(name: str, work: _Work) -> CheckResult:
    request = work.host.request(name, work.changed.paths)
    if request is None:
        return CheckResult(name, "not_run", detail="no Python file changed", counts=False)
    try:
        after = work.host.perform(request)
    except InstalledCopy as error:
        return CheckResult(name, "not_run", detail=str(error), counts=False, wrong_code=True)
    except ToolError as error:
        return CheckResult(name, "not_installed", detail=str(error), counts=False)
    result = _known_so_far(after, work)
    if after.outcome == "timeout":
        words = f"ran out of time after {after.seconds:.0f} s"
        return replace(result, outcome="failed", detail=f"{words}\n{after.output}".rstrip("\n"))
    if after.outcome == "passed" and not (after.tests is not None and work.baseline.expects(name)):
        return result
    measured = work.baseline.of(name, tuple(work.changed.before.values()))
    moved = {old: new for new, old in work.changed.before.items()}
    before = None if measured.run is None else at_new_paths(measured.run, moved)
    passes_alone = partial(_passes_alone, work.host) if name == "pytest" else None
    return compare(replace(result, baseline=measured.source), after, before, passes_alone)


def _known_so_far(after: CheckRun, work: _Work) -> CheckResult:
    return CheckResult(
        after.check,
        "passed",
        seconds=after.seconds,
        isolated=after.isolated,
        command=after.command,
        counts=after.isolated or work.host.check(after.check).kind == "static",
        tests_after=after.tests,
    )


def _passes_alone(host: CheckHost, node: str) -> bool:
    path, separator, rest = node.partition("::")
    request = CheckRequest("pytest", nodes=((path, rest),)) if separator else CheckRequest("pytest", (path,))
    known = there(host.root, request)
    if known is None or len(node) > _LONGEST_NODE or "\0" in node:
        return False
    try:
        return host.perform(known).outcome == "passed"
    except ToolError:
        return False
