"""Required checks: run at the end on what changed; only what the base did not already have counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from ..errors import ToolError
from .catalogue import is_python
from .command import CheckName, CheckRequest
from .findings import Finding, new_findings
from .host import CheckHost
from .outcome import CheckRun
from .under_test import InstalledCopy

CheckOutcome = Literal["passed", "failed", "not_installed", "not_run"]
CheckTime = Literal["baseline", "final", "on_demand"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check's result as the trace and the gate see it.

    Attributes:
        new: findings that the base did not have.
        old: how many findings the base had already.
        detail: why it did not run, or what it said, for people and the model.
        isolated: whether it ran in isolation.
    """

    name: CheckName
    outcome: CheckOutcome
    when: CheckTime = "final"
    required: bool = True
    new: tuple[Finding, ...] = ()
    old: int = 0
    detail: str = ""
    seconds: float = 0.0
    isolated: bool = False


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """What the checks look at.

    Attributes:
        paths: files that exist after the change.
        before: for each that existed in the base, its path there.
    """

    paths: tuple[str, ...]
    before: Mapping[str, str]


def run_required(
    names: Sequence[CheckName],
    changed: ChangedFiles,
    host: CheckHost,
    base_host: Callable[[], CheckHost],
    abort: Callable[[], None] = lambda: None,
) -> list[CheckResult]:
    """Run the required checks on the result, side by side; on the base too where one finds something.

    Args:
        base_host: makes the host at the base's tree; asked only where a comparison is needed.
        abort: makes checks that still run end soon, where a signal stops the run.
    """
    if not names:
        return []
    run_one = partial(_run_one, changed=changed, host=host, base_host=base_host)
    with ThreadPoolExecutor(len(names)) as pool:
        try:
            return list(pool.map(run_one, names))
        except BaseException:
            abort()
            raise


def _run_one(
    name: CheckName, changed: ChangedFiles, host: CheckHost, base_host: Callable[[], CheckHost]
) -> CheckResult:
    request = _request(name, changed.paths)
    if request is None:
        return CheckResult(name, "not_run", detail="no Python file changed")
    try:
        after = host.perform(request)
    except InstalledCopy as error:
        return CheckResult(name, "not_run", detail=str(error))
    except ToolError as error:
        return CheckResult(name, "not_installed", detail=str(error))
    if after.outcome == "passed":
        return CheckResult(name, "passed", seconds=after.seconds, isolated=after.isolated)
    return _compare(name, after, _run_on_base(name, changed, base_host))


def _request(name: CheckName, paths: Sequence[str]) -> CheckRequest | None:
    if name == "pytest":
        return CheckRequest("pytest")
    python = tuple(path for path in paths if is_python(path))
    return CheckRequest(name, python) if python else None


def _run_on_base(name: CheckName, changed: ChangedFiles, base_host: Callable[[], CheckHost]) -> CheckRun | None:
    request = _request(name, tuple(changed.before.values()))
    if request is None:
        return None
    try:
        ran = base_host().perform(request)
    except InstalledCopy:  # the change put the modules where they are found
        return None
    moved = {old: new for new, old in changed.before.items()}
    findings = tuple(replace(finding, path=moved.get(finding.path, finding.path)) for finding in ran.findings)
    return replace(ran, findings=findings)


def _compare(name: CheckName, after: CheckRun, before: CheckRun | None) -> CheckResult:
    known = before.findings if before is not None else ()
    fresh = tuple(new_findings(after.findings, known))
    result = CheckResult(
        name,
        "failed",
        new=fresh,
        old=len(after.findings) - len(fresh),
        seconds=after.seconds,
        isolated=after.isolated,
        detail=after.output,
    )
    if after.outcome == "failed":
        return result if fresh else replace(result, outcome="passed", detail="")
    if before is not None and before.outcome == after.outcome:
        # It didn't work before the change either, so it says nothing about the change.
        return replace(result, outcome="not_run", new=())
    return result
