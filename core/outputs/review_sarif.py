"""A review as SARIF 2.1.0: a result for each finding, with its lines, who found it, and the suggestion as a fix.

All results are `new`, since a review is about what a change brings. A fingerprint is made of the finding's lines and
not of their numbers, and for the model's findings not of its words either, which differ from review to review. A limit
of the deliberation, and whatever else the review could not do, is a notification of the invocation; where a limit was
reached, nothing of the model's text is in the log.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..guards.faults import one_line
from ..review.finding import MODEL
from ..trace_model import ReviewPart, Trace
from ..trace_review import ReviewFindingPart
from .problems import is_repository_path
from .published_review import blocking_places, decided_words, limit_of, published
from .sarif_parts import (
    FINGERPRINT,
    LONGEST_MESSAGE,
    MOST_RESULTS,
    Json,
    artifact,
    check_notifications,
    cut_notifications,
    invocation_of,
    log_of,
    notification,
    place,
)
from .source_files import Source, SourceFiles
from .suggested_fix import find_fix

_NUMBER = re.compile(r"\d+")
_MOST_LIMITATIONS, _MOST_FIXES = 100, 500
_Numbered = tuple[int, ReviewFindingPart]
"""A finding with its place among all."""


def review_log(trace: Trace, source: Source) -> Json:
    """The review as a SARIF log.

    Args:
        trace: one with a review.
        source: reads the reviewed files.
    """
    review = published(trace)
    assert review is not None, "sarif.py asks only for reviews"
    placed: list[_Numbered] = []
    placeless: list[_Numbered] = []
    for number, finding in enumerate(review.findings):
        (placed if is_repository_path(finding.path) else placeless).append((number, finding))
    shown = placed[:MOST_RESULTS]
    names = sorted({rule_of(finding) for _, finding in shown})
    numbers = {name: number for number, name in enumerate(names)}
    results = list(_results(shown, blocking_places(review), numbers, source))
    said = _notifications(trace, review, [finding for _, finding in placeless], len(placed) - len(shown))
    invocation = invocation_of(trace, review.reason, said, succeeded=review.outcome == "reviewed")
    rules = {name: _description(name) for name in names}
    # Services keep the results of one kind of analysis apart from those of another by what stands before the slash.
    kind = {"id": f"git-orefactor-review/{trace.run_id}"}
    return log_of(trace, rules, invocation, results, columnKind="unicodeCodePoints", automationDetails=kind)


def rule_of(finding: ReviewFindingPart) -> str:
    """Whose rule and which, such as `model/bug` or `ruff/F401`."""
    return one_line(f"{finding.origin}/{finding.rule}".rstrip("/"), 200)


def _description(name: str) -> str:
    origin, _, rule = name.partition("/")
    who = "The model" if origin == MODEL else f"The check `{origin}`"
    return f"{who} found `{rule}`." if rule else f"{who} found something."


def _results(
    shown: Sequence[_Numbered], blocking: frozenset[int], rules: Mapping[str, int], source: Source
) -> Iterator[Json]:
    marks = _marks([finding for _, finding in shown], SourceFiles(source))
    for (number, finding), mark in zip(shown, marks, strict=True):
        properties: Json = {"origin": one_line(finding.origin, 100), "blocking": number in blocking}
        if finding.confidence is not None:
            properties["confidence"] = finding.confidence
        told: Json = {
            "ruleId": rule_of(finding),
            "ruleIndex": rules[rule_of(finding)],
            "level": finding.severity,
            "message": {"text": one_line(finding.message, LONGEST_MESSAGE) or finding.severity},
            "locations": [place(finding.path, finding.start_line, finding.end_line)],
            "baselineState": "new",
            "partialFingerprints": {FINGERPRINT: mark},
            "properties": properties,
        }
        yield {**told, **(_fixes(finding, source) if number < _MOST_FIXES else {})}


def _fixes(finding: ReviewFindingPart, source: Source) -> Json:
    if finding.suggestion is None:
        return {}
    fix = find_fix(finding.suggestion, finding.path, source(finding.path))
    if fix is None:
        return {}
    (line, column), (last, behind) = fix.start, fix.end
    region = {"startLine": line, "startColumn": column, "endLine": last, "endColumn": behind}
    replacement = {"deletedRegion": region, "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": artifact(finding.path), "replacements": [replacement]}
    return {"fixes": [{"description": {"text": "The suggested edit."}, "artifactChanges": [change]}]}


def _marks(findings: Sequence[ReviewFindingPart], files: SourceFiles) -> list[str]:
    """A mark for each finding; those that are alike are counted from the top of their file."""
    digests = [_digest(finding, files) for finding in findings]
    seen: Counter[str] = Counter()
    told = dict.fromkeys(range(len(findings)), "")
    for number in sorted(told, key=lambda at: findings[at].start_line):
        seen[digests[number]] += 1
        told[number] = f"{digests[number]}:{seen[digests[number]]}"
    return list(told.values())


def _digest(finding: ReviewFindingPart, files: SourceFiles) -> str:
    excerpt = files.excerpt(finding.path, finding.start_line, finding.end_line)
    lines = [line.text.strip() for line in excerpt if line.is_meant]
    says_more = finding.origin != MODEL or not any(lines)
    words = _NUMBER.sub("#", finding.message[:LONGEST_MESSAGE]) if says_more else ""
    parts = "\0".join((finding.origin, finding.rule, finding.path, *lines, words))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _notifications(
    trace: Trace, review: ReviewPart, placeless: Sequence[ReviewFindingPart], cut: int
) -> Iterator[Json]:
    limitations = list(review.limitations[:_MOST_LIMITATIONS])
    if review.outcome != "reviewed":
        yield notification(review.reason, "error", _why(trace, review, limitations))
    for text in limitations:
        yield notification("limitation", "error" if review.quality_degraded else "warning", text)
    for finding in placeless:
        yield notification(rule_of(finding), finding.severity, finding.message)
    yield from check_notifications(trace)
    yield from cut_notifications(cut)


def _why(trace: Trace, review: ReviewPart, limitations: list[str]) -> str:
    """Why the change counts as not reviewed; the limitation that says the same is taken from the others."""
    limit = limit_of(review)
    named = next((text for text in limitations if limit and limit in text), None)
    if named is None:
        return decided_words(trace, review)
    limitations.remove(named)
    return named
