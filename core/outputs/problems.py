"""What stands against a run's change: objections of guards and contract, and what checks found, each with its place.

A pure reading of the trace, which may be a stranger's. SARIF, JUnit, annotations and the summary for CI show the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..guards.faults import one_line
from ..trace_model import CheckPart, FindingPart, Trace
from .published_review import result_reviews

Weight = Literal["error", "warning", "note"]

_LONGEST = 1000
"""Characters that are taken of what a check says; the trace is a stranger's where it is read back."""
_NUMBER = re.compile(r"\d+")
_AFTER_PATH = re.compile(r"(?::(?P<line>\d{1,9})\b)?(?:`?: |(?= in ))")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that speaks against a change.

    Attributes:
        rule: whose it is and which, such as `ruff/F401`, `guard/tests`, `contract/docstrings`.
        path: relative to the repository's top; empty where none can be named.
        line: in the changed file, from 1; 0 where none can be named.
        weight: `error` stops the change, `warning` doesn't, `note` is older than the change.
        is_new: whether the base did not have it.
        mark: what stays the same in the next run, wherever the line has moved.
    """

    rule: str
    message: str
    path: str
    line: int
    weight: Weight
    is_new: bool
    mark: str


def problems(trace: Trace) -> tuple[Problem, ...]:
    """All problems of the last verification, those that stop the change first."""
    told = [*_objections(trace), *_reviewed(trace), *(problem for check in trace.checks for problem in _found(check))]
    ranks: tuple[Weight, ...] = ("error", "warning", "note")
    return tuple(sorted(told, key=lambda problem: ranks.index(problem.weight)))


def unlisted(check: CheckPart) -> int:
    """How many findings the trace counts and doesn't hold."""
    return max(0, check.findings_new + check.findings_old - len(check.findings))


def spelled_out(text: str) -> str:
    """A text of several lines; what can't be printed, and so what XML can't hold, is spelled out."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode-escape").decode() for c in text)


def _objections(trace: Trace) -> Iterator[Problem]:
    if not trace.contract.ok:
        yield _objection(f"contract/{','.join(trace.contract.kinds)}", trace.contract.detail, trace.files_changed)
    for guard in trace.guards:
        if not guard.ok:
            yield _objection(f"guard/{guard.name}", guard.detail, trace.files_changed)


def _reviewed(trace: Trace) -> Iterator[Problem]:
    """What the last review of the result let block."""
    for finding in result_reviews(trace)[-1].blocking_findings if trace.reviews else ():
        rule = one_line(f"review/{finding.rule}", 200)
        path = finding.path if is_repository_path(finding.path) else ""
        marked = "\0".join((rule, path, _NUMBER.sub("#", finding.message)))
        mark = hashlib.sha256(marked.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        line = finding.start_line if path else 0
        yield Problem(rule, finding.message[:_LONGEST], path, line, "error", True, f"{mark}:1")


def _objection(rule: str, detail: str, changed: Sequence[str]) -> Problem:
    path, line, rest = _place(detail, changed)
    marked = "\0".join((rule, path, _NUMBER.sub("#", rest)))
    mark = hashlib.sha256(marked.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Problem(one_line(rule, 100), rest or "objects to the change", path, line, "error", True, f"{mark}:1")


def _place(detail: str, changed: Sequence[str]) -> tuple[str, int, str]:
    """Where an objection begins with one of the changed files: that file, the line, and what is said of it."""
    said = detail.removeprefix("`")
    path = max((path for path in changed if said.startswith(path)), key=len, default="")
    after = _AFTER_PATH.match(said, len(path)) if path else None
    if after is None:
        return "", 0, detail
    return path, int(after["line"] or 0), said[after.end() :].lstrip()


def _found(check: CheckPart) -> Iterator[Problem]:
    stops: Weight = "error" if check.required else "warning"
    for finding in check.findings:
        rule, message = _words(check.name, finding)
        path = finding.path if _is_place(finding) else ""
        weight = stops if finding.is_new else "note"
        line = finding.line if path else 0
        yield Problem(one_line(rule, 200), message, path, line, weight, finding.is_new, finding.mark)


def _words(check: str, finding: FindingPart) -> tuple[str, str]:
    """Rule and message; of a test the name would be a rule of its own."""
    rule, text = finding.rule[:_LONGEST], finding.text[:_LONGEST]
    if "::" in rule:
        return f"{check}/{text}", f"{rule} {text}"
    return f"{check}/{rule}".rstrip("/"), text or rule or "failed"


def _is_place(finding: FindingPart) -> bool:
    """Whether the path is one within the repository; other test runners' class names are none."""
    if "::" in finding.rule and not finding.path.endswith(".py"):
        return False
    return is_repository_path(finding.path)


def is_repository_path(path: str) -> bool:
    """Whether a stranger's path is one within the repository."""
    return path not in ("", ".") and not path.startswith(("/", "\\")) and ".." not in path.split("/")
