"""What happens when a change is judged: checks, guards, contract, repair. Part of the one stream of `events`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChecksStarted:
    """The required checks begin."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckEnded:
    """A required check has ended, while others may still run. It is passed on, not written to the trace."""

    name: str
    outcome: str


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One thing that a check found in the result.

    Attributes:
        line: counted from 1; 0 where the check names none.
        is_new: whether the base did not have it.
        mark: what stays the same when lines move, see `checks.marks`.
    """

    path: str
    line: int
    rule: str
    text: str
    symbol: str
    is_new: bool
    mark: str


@dataclass(frozen=True, slots=True)
class CheckFinished:
    """One check ended.

    Attributes:
        counts: whether it speaks about the change: where it runs the project's code, isolated and on the right code.
        baseline: where what the base gave came from: `kept`, `measured`, or `none`.
        lost: tests that passed at the base and are gone or don't count now.
        flaky: tests that failed, passed when they were run again alone, and so don't count.
        command: its command line; paths are those inside the isolation.
        findings: new ones first; where there are many, only the first.
    """

    name: str
    required: bool
    when: str
    outcome: str
    findings_new: int
    findings_old: int
    detail: str
    duration_ms: int
    isolated: bool
    counts: bool = True
    baseline: str = "none"
    lost: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    findings: tuple[CheckFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class GuardJudged:
    """One guard looked at the change."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ContractJudged:
    """The change was held against what kind of change is promised."""

    kinds: tuple[str, ...]
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SpareHunksFound:
    """Hunks that neither the task nor an edit names, and that nothing named needs: path, line, symbol, why."""

    hunks: tuple[tuple[str, int, str, str], ...]


@dataclass(frozen=True, slots=True)
class ChangeMinimized:
    """Hunks were dropped whose removal keeps all checks green; `minimal`: whether no further single one could go."""

    dropped: tuple[tuple[str, int], ...]
    trials: int
    minimal: bool


@dataclass(frozen=True, slots=True)
class RepairAsked:
    """The gate's failures went back to the model."""

    number: int
    text: str
