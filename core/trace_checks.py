"""The parts of `trace.json` that tell how a change was judged. `trace_model` has the whole."""

from __future__ import annotations

from typing import Literal

from .trace_rounds import Count, Part


class FindingPart(Part):
    """One thing that a check found in the result."""

    path: str
    line: Count
    """From 1; 0 where the check names none."""
    rule: str
    text: str
    symbol: str = ""
    is_new: bool = True
    """Whether the base did not have it."""
    mark: str = ""
    """What stays the same when lines move."""


class CheckPart(Part):
    """One check."""

    name: str
    required: bool
    when: Literal["baseline", "final", "on_demand"]
    outcome: Literal["passed", "failed", "not_installed", "not_run"]
    findings_new: Count
    findings_old: Count
    detail: str = ""
    duration_ms: Count = 0
    isolated: bool = False
    counts: bool = True
    """Whether it speaks about the change: where it runs the project's code, isolated and on the change's code."""
    baseline: Literal["kept", "measured", "none"] = "none"
    lost: tuple[str, ...] = ()
    """Tests that passed at the base and are gone or don't count now."""
    flaky: tuple[str, ...] = ()
    """Tests that failed, passed when they were run again alone, and so don't count."""
    command: tuple[str, ...] = ()
    findings: tuple[FindingPart, ...] = ()
    """New ones first; where there are many, only the first."""


class SparePart(Part):
    """A hunk that neither the task nor an edit names, and that nothing named needs."""

    path: str
    line: Count
    symbol: str
    why: str


class MinimizedPart(Part):
    """Hunks that were dropped, since their removal keeps all checks green."""

    dropped: tuple[tuple[str, Count], ...] = ()
    """Path and line of each."""
    trials: Count = 0
    minimal: bool = True
    """Whether no further single one could go."""


class GuardPart(Part):
    """One guard."""

    name: str
    ok: bool
    detail: str


class ContractPart(Part):
    """What kind of change was promised."""

    kinds: tuple[str, ...] = ("any",)
    ok: bool = True
    detail: str = ""
