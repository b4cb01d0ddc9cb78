"""A run as SARIF 2.1.0, which code scanning services and editors read: what checks found, and what guards object to.

Lines are those of the changed files. What the base had already is `unchanged`, the rest `new`; the fingerprints stay
when lines move. What has no place in a file, such as a limit that was reached, is a notification of the invocation,
since services refuse results without a place. A pure function of the trace, bounded as the services bound it.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, sections 3.13 to 3.58.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from ..guards.faults import one_line
from ..redact import printable
from ..trace_model import Trace
from .problems import Problem, problems, unlisted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 5000
"""GitHub shows no more of a run."""
_LONGEST_MESSAGE, _MOST_PLACES = 1000, 10
_FINGERPRINT = "orefactor/v1"
_Json = dict[str, Any]


def sarif_log(trace: Trace) -> _Json:
    """The run as a SARIF log; paths are relative to `%SRCROOT%`, the repository's top."""
    told = problems(trace)
    placed: list[Problem] = []
    placeless: list[Problem] = []
    for problem in told:
        has_place = problem.path or (problem.is_new and trace.files_changed)
        (placed if has_place else placeless).append(problem)
    shown = placed[:MOST_RESULTS]
    rules = {rule: number for number, rule in enumerate(sorted({problem.rule for problem in shown}))}
    run = {
        "tool": {"driver": _driver(trace, rules)},
        "automationDetails": {"id": f"git-orefactor/{trace.run_id}"},
        "invocations": [_invocation(trace, placeless, len(placed) - len(shown))],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The repository's top folder."}}},
        "results": [_result(problem, rules, trace.files_changed) for problem in shown],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(trace: Trace, rules: Iterable[str]) -> _Json:
    return {
        "name": "git-orefactor",
        "version": trace.version or "unknown",
        "rules": [{"id": rule, "shortDescription": {"text": _description(rule)}} for rule in rules],
    }


def _description(rule: str) -> str:
    who, _, name = rule.partition("/")
    match who:
        case "guard":
            return f"The guard `{name}` objects to the change."
        case "contract":
            return f"The change is something else than the promised kind: {name}."
        case _:
            return f"The check `{who}` found `{name}`." if name else f"The check `{who}` failed."


def _result(problem: Problem, rules: Mapping[str, int], changed: Sequence[str]) -> _Json:
    told: _Json = {
        "ruleId": problem.rule,
        "ruleIndex": rules[problem.rule],
        "level": problem.weight,
        "message": {"text": one_line(problem.message, _LONGEST_MESSAGE)},
        "locations": _places(problem, changed),
        "baselineState": "new" if problem.is_new else "unchanged",
    }
    if problem.mark:
        told["partialFingerprints"] = {_FINGERPRINT: problem.mark}
    return told


def _places(problem: Problem, changed: Sequence[str]) -> list[_Json]:
    """The place; what is new with the change as a whole stands at its files."""
    if not problem.path:
        return [_place(path, 0) for path in changed[:_MOST_PLACES]]
    return [_place(problem.path, problem.line)]


def _place(path: str, line: int) -> _Json:
    artifact = {"uri": quote(printable(path)), "uriBaseId": "%SRCROOT%"}
    region = {"region": {"startLine": line}} if line else {}
    return {"physicalLocation": {"artifactLocation": artifact, **region}}


def _invocation(trace: Trace, placeless: Sequence[Problem], cut: int) -> _Json:
    return {
        **_times(trace),
        "executionSuccessful": trace.status in ("completed", "gate"),
        "exitCode": trace.exit_code,
        "exitCodeDescription": one_line(trace.reason, 200),
        "toolExecutionNotifications": list(_notifications(trace, placeless, cut)),
    }


def _times(trace: Trace) -> _Json:
    try:
        start = datetime.fromisoformat(trace.started).astimezone(UTC)
        end = start + timedelta(milliseconds=trace.duration_ms)
    except (ValueError, OverflowError):
        return {}
    return {"startTimeUtc": f"{start:%Y-%m-%dT%H:%M:%SZ}", "endTimeUtc": f"{end:%Y-%m-%dT%H:%M:%SZ}"}


def _notifications(trace: Trace, placeless: Sequence[Problem], cut: int) -> Iterator[_Json]:
    if trace.status != "completed":
        yield _notification(trace.reason, "error", trace.message)
    for problem in placeless:
        yield _notification(problem.rule, problem.weight, problem.message)
    for check in trace.checks:
        name = f"check:{check.name}"
        if check.outcome in ("not_run", "not_installed"):
            said = check.detail or check.outcome.replace("_", " ")
            yield _notification(name, "warning" if check.required else "note", said)
        elif check.outcome == "failed" and not check.findings:
            yield _notification(name, "error" if check.required else "warning", check.detail or "failed")
        for node in check.flaky:
            yield _notification(name, "note", f"{node} failed, and passed when it was run again alone")
        if more := unlisted(check):
            yield _notification(name, "note", f"{more} more findings are not listed")
    if cut > 0:
        yield _notification("results", "note", f"{cut} more results are not listed")


def _notification(name: str, level: str, text: str) -> _Json:
    words = one_line(text, _LONGEST_MESSAGE) or name
    return {"descriptor": {"id": one_line(name, 200)}, "level": level, "message": {"text": words}}
