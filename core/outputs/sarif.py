"""A run as SARIF 2.1.0, which code scanning services and editors read: what checks found, and what guards object to.

Lines are those of the changed files. What the base had already is `unchanged`, the rest `new`; the fingerprints stay
when lines move. What has no place in a file, such as a limit that was reached, is a notification of the invocation,
since services refuse results without a place. A pure function of the trace, bounded as the services bound it.

A review is `review_sarif`'s, what both share `sarif_parts`'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..guards.faults import one_line
from ..trace_model import Trace
from .problems import Problem, problems
from .review_sarif import review_log
from .sarif_parts import (
    FINGERPRINT,
    LONGEST_MESSAGE,
    Json,
    check_notifications,
    cut_notifications,
    invocation_of,
    log_of,
    notification,
    place,
)
from .sarif_parts import MOST_RESULTS as MOST_RESULTS
from .source_files import Source, no_source

_MOST_PLACES = 10


def sarif_log(trace: Trace, source: Source = no_source) -> Json:
    """The run as a SARIF log; paths are relative to `%SRCROOT%`, the repository's top.

    Args:
        source: reads the files that a review is about.
    """
    if trace.review is not None:
        return review_log(trace, source)
    told = problems(trace)
    placed: list[Problem] = []
    placeless: list[Problem] = []
    for problem in told:
        has_place = problem.path or (problem.is_new and trace.files_changed)
        (placed if has_place else placeless).append(problem)
    shown = placed[:MOST_RESULTS]
    rules = {rule: number for number, rule in enumerate(sorted({problem.rule for problem in shown}))}
    said = _notifications(trace, placeless, len(placed) - len(shown))
    invocation = invocation_of(trace, trace.reason, said, succeeded=trace.status in ("completed", "gate"))
    results = [_result(problem, rules, trace.files_changed) for problem in shown]
    return log_of(trace, {rule: _description(rule) for rule in rules}, invocation, results)


def _description(rule: str) -> str:
    who, _, name = rule.partition("/")
    match who:
        case "guard":
            return f"The guard `{name}` objects to the change."
        case "contract":
            return f"The change is something else than the promised kind: {name}."
        case _:
            return f"The check `{who}` found `{name}`." if name else f"The check `{who}` failed."


def _result(problem: Problem, rules: Mapping[str, int], changed: Sequence[str]) -> Json:
    told: Json = {
        "ruleId": problem.rule,
        "ruleIndex": rules[problem.rule],
        "level": problem.weight,
        "message": {"text": one_line(problem.message, LONGEST_MESSAGE)},
        "locations": _places(problem, changed),
        "baselineState": "new" if problem.is_new else "unchanged",
    }
    if problem.mark:
        told["partialFingerprints"] = {FINGERPRINT: problem.mark}
    return told


def _places(problem: Problem, changed: Sequence[str]) -> list[Json]:
    """The place; what is new with the change as a whole stands at its files."""
    if not problem.path:
        return [place(path, 0) for path in changed[:_MOST_PLACES]]
    return [place(problem.path, problem.line)]


def _notifications(trace: Trace, placeless: Sequence[Problem], cut: int) -> Iterator[Json]:
    if trace.status != "completed":
        yield notification(trace.reason, "error", trace.message)
    for problem in placeless:
        yield notification(problem.rule, problem.weight, problem.message)
    yield from check_notifications(trace)
    yield from cut_notifications(cut)
