"""A run as JUnit XML, which every CI system shows: a suite for each check, one for what the gate looks at besides.

A finding is a test case: a failure where it is new, skipped where the base had it already, as only what is new counts.
A pure function of the trace; strangers' text stays text, and what XML can't hold is spelled out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from ..guards.faults import one_line
from ..trace_model import CheckPart, FindingPart, Trace
from .problems import spelled_out, unlisted

Verdict = Literal["passed", "failure", "error", "skipped"]

_LONGEST_NAME, _LONGEST_MESSAGE = 300, 1000


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case; `message` says why it is none that passed."""

    name: str
    verdict: Verdict
    message: str = ""
    path: str = ""
    line: int = 0
    seconds: float = 0.0


def junit_xml(trace: Trace) -> bytes:
    """The run as an XML document in UTF-8."""
    top = ElementTree.Element("testsuites", {"name": "git-orefactor", "time": _seconds(trace.duration_ms / 1000)})
    suites = [("gate", list(_gate(trace)), 0)]
    suites += [(check.name, list(_check(check)), check.duration_ms) for check in trace.checks]
    for name, cases, duration_ms in suites:
        top.append(_suite(name, cases, trace.started, duration_ms))
    for key, count in _counts([case for _, cases, _ in suites for case in cases]).items():
        top.set(key, str(count))
    ElementTree.indent(top)
    data: bytes = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _gate(trace: Trace) -> Iterator[_Case]:
    """The outcome, the contract, and each guard."""
    verdicts: dict[str, Verdict] = {"completed": "passed", "gate": "failure"}
    yield _Case("outcome", verdicts.get(trace.status, "error"), f"{trace.reason}: {trace.message}")
    contract = trace.contract
    if contract.kinds not in ((), ("any",)):
        name = f"contract {','.join(contract.kinds)}"
        yield _Case(name, "passed" if contract.ok else "failure", contract.detail)
    for guard in trace.guards:
        yield _Case(f"guard {guard.name}", "passed" if guard.ok else "failure", guard.detail)


def _check(check: CheckPart) -> Iterator[_Case]:
    """The check itself where nothing new tells how it went, then each finding."""
    bad: Verdict = "failure" if check.required else "skipped"
    if not any(finding.is_new for finding in check.findings):
        verdicts: dict[str, Verdict] = {
            "passed": "passed",
            "failed": bad,
            "not_installed": "error" if check.required else "skipped",
        }
        verdict = verdicts.get(check.outcome, "skipped")
        yield _Case(check.name, verdict, check.detail or check.outcome, seconds=check.duration_ms / 1000)
    for finding in check.findings:
        yield _case(finding, bad)
    if more := unlisted(check):
        yield _Case(
            f"{more} more findings", bad if check.findings_new > len(check.findings) else "skipped", "not listed"
        )


def _case(finding: FindingPart, bad: Verdict) -> _Case:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    name = finding.rule if "::" in finding.rule else f"{place} {finding.rule}".rstrip()
    if finding.is_new:
        return _Case(name, bad, finding.text, finding.path, finding.line)
    return _Case(name, "skipped", f"as before: {finding.text}", finding.path, finding.line)


def _suite(name: str, cases: Sequence[_Case], started: str, duration_ms: int) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": one_line(name, _LONGEST_NAME)})
    for key, count in _counts(cases).items():
        suite.set(key, str(count))
    suite.set("time", _seconds(duration_ms / 1000))
    if started:
        suite.set("timestamp", one_line(started, 40))
    suite.extend(_element(name, case) for case in cases)
    return suite


def _counts(cases: Sequence[_Case]) -> dict[str, int]:
    def count(verdict: Verdict) -> int:
        return sum(case.verdict == verdict for case in cases)

    return {
        "tests": len(cases),
        "failures": count("failure"),
        "errors": count("error"),
        "skipped": count("skipped"),
    }


def _element(suite: str, case: _Case) -> ElementTree.Element:
    element = ElementTree.Element("testcase", {"name": one_line(case.name, _LONGEST_NAME)})
    element.set("classname", one_line(f"orefactor.{suite}", _LONGEST_NAME))
    if case.path:
        element.set("file", one_line(case.path, _LONGEST_NAME))
    if case.line:
        element.set("line", str(case.line))
    element.set("time", _seconds(case.seconds))
    if case.verdict != "passed":
        why = ElementTree.SubElement(element, case.verdict, {"message": one_line(case.message, _LONGEST_NAME)})
        if case.verdict != "skipped":
            why.text = spelled_out(case.message[:_LONGEST_MESSAGE])
    return element


def _seconds(number: float) -> str:
    return f"{number:.3f}"
