"""The table of guards: a new one is one file and one line here. The other modules of the folder are parts of guards.

`contracts/` promises a kind of change and is judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..checks.result import CheckResult
from ..code.edits import Edit
from ..gate import GuardResult
from ..tools.base import Scope
from . import bytes_kept, placeholders, scope, secrets, size, syntax, tests_kept
from .change import FileChange
from .outcomes_kept import judge_outcomes


@dataclass(frozen=True, slots=True)
class Inspection:
    """What guards are shown.

    Attributes:
        scope: the paths that may change.
        requested: what the tools wrote to each path, in order; None where that isn't known.
        renames: names that the contract lets change, old to new.
    """

    changes: Sequence[FileChange]
    scope: Scope
    requested: Mapping[str, Sequence[Edit]] | None = None
    renames: Mapping[str, str] | None = None


GUARDS: dict[str, Callable[[Inspection], GuardResult]] = {
    "scope": lambda seen: scope.judge(seen.changes, seen.scope),
    "bytes": lambda seen: bytes_kept.judge(seen.changes, seen.requested),
    "syntax": lambda seen: syntax.judge(seen.changes),
    "placeholders": lambda seen: placeholders.judge(seen.changes),
    "secrets": lambda seen: secrets.judge(seen.changes),
    "tests": lambda seen: tests_kept.judge(seen.changes, seen.renames or {}),
    "size": lambda seen: size.judge(seen.changes),
}

_FAILING = ("failed", "error")


def judge_all(seen: Inspection, allowed: Sequence[str] = ()) -> tuple[GuardResult, ...]:
    """Let every guard look; what one objects to passes where its kind is allowed, and is said all the same."""
    return tuple(_unless_allowed(guard(seen), allowed) for guard in GUARDS.values())


def with_outcomes(
    guards: Sequence[GuardResult], seen: Inspection, checks: Sequence[CheckResult], allowed: Sequence[str] = ()
) -> tuple[GuardResult, ...]:
    """The same guards after the tests have run: what became of each test counts as well as what its source says."""
    for check in checks:
        if check.tests_before is None or check.tests_after is None:
            continue
        renamed = tests_kept.renamed_tests(seen.changes, seen.renames or {})
        # A test that fails is the check's to say; here it counts that it is still there and wasn't skipped.
        after = {node: "passed" if how in _FAILING else how for node, how in check.tests_after.items()}
        outcomes = judge_outcomes(check.tests_before, after, renamed)
        if not outcomes.ok:
            judged = _unless_allowed(outcomes, allowed)
            return tuple(judged if guard.name == judged.name and guard.ok else guard for guard in guards)
    return tuple(guards)


def _unless_allowed(result: GuardResult, allowed: Sequence[str]) -> GuardResult:
    if result.ok or result.name not in allowed:
        return result
    return replace(result, ok=True, detail=f"allowed: {result.detail}")
