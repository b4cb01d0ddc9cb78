"""The order of findings, the weightiest first, and which of them block.

The order is total over what findings hold, so that it depends on nothing but the findings themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .finding import FailOn, ReviewFinding, Severity

_RANKS: tuple[Severity, ...] = ("error", "warning", "note")


def ranked(findings: Iterable[ReviewFinding]) -> tuple[ReviewFinding, ...]:
    """The findings without exact repetitions, by severity, path, line, rule and message, then by all the rest."""
    return tuple(sorted(set(findings), key=_weight))


def blocks(finding: ReviewFinding, fail_on: FailOn) -> bool:
    """Whether the finding is as severe as what `--fail-on` names; notes never are."""
    return fail_on != "never" and _RANKS.index(finding.severity) <= _RANKS.index(fail_on)


def _weight(finding: ReviewFinding) -> tuple[Any, ...]:
    edit = finding.suggestion
    return (
        _RANKS.index(finding.severity),
        finding.path,
        finding.start_line,
        finding.rule,
        finding.message,
        finding.end_line,
        finding.origin,
        -1.0 if finding.confidence is None else finding.confidence,
        ("", "") if edit is None else (edit.old_string, edit.new_string),
    )
