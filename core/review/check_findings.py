"""What checks say in a review: each new finding in the review's form, and the checks that could not speak.

Required checks, those that the model asked for, and deferred ones are read alike. What is new counts wherever it
stands, since a change breaks files that it doesn't touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..checks.findings import Finding
from ..checks.result import CheckResult
from ..guards.faults import one_line
from .finding import ReviewFinding

_LONGEST_RULE, _LONGEST_MESSAGE, _LONGEST_DETAIL = 200, 2000, 300


def found_by(checks: Iterable[CheckResult]) -> Iterator[ReviewFinding]:
    """The new findings of all checks."""
    for check in checks:
        yield from (_in_form(check.name, finding) for finding in check.new)


def speaks(check: CheckResult) -> bool:
    """Whether a check says something about the change: it ran to its end, or there was nothing for it to look at."""
    if check.wrong_code or check.outcome == "not_installed":
        return False
    if check.outcome == "not_run":
        # One with a command was started and didn't work, before the change as little as after it.
        return not check.command
    return check.outcome != "failed" or bool(check.new)


def silent(checks: Iterable[CheckResult]) -> Sequence[CheckResult]:
    """The checks that could not speak, the required ones first, then by name and why."""
    quiet = (check for check in checks if not speaks(check))
    return sorted(quiet, key=lambda check: (not check.required, check.name, why_silent(check)))


def why_silent(check: CheckResult) -> str:
    """What kept it from speaking, in one line."""
    detail = one_line(check.detail, _LONGEST_DETAIL) or "it failed and named nothing"
    return f"the check `{check.name}` says nothing about the change: {detail}"


def _in_form(check: str, finding: Finding) -> ReviewFinding:
    if "::" in finding.rule:
        # A test: its name would be a rule of its own, and some runners' classes stand where others have a file.
        rule, message = finding.text, f"{finding.rule} {finding.text}"
        is_place = finding.path.endswith(".py") and _is_inside(finding.path)
    else:
        rule, message = finding.rule, finding.text or finding.rule
        is_place = _is_inside(finding.path)
    path, line = (finding.path, max(0, finding.line)) if is_place else ("", 0)
    rule = one_line(rule, _LONGEST_RULE) or check
    return ReviewFinding(rule, check, "error", path, line, line, one_line(message, _LONGEST_MESSAGE) or "failed")


def _is_inside(path: str) -> bool:
    return path not in ("", ".") and not path.startswith(("/", "\\")) and ".." not in path.split("/")
