"""What a SARIF log of a run and one of a review have in common: its frame, places, times and notifications.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, sections 3.13 to 3.58.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from ..guards.faults import one_line
from ..redact import printable
from ..trace_model import Trace
from .problems import unlisted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 5000
"""GitHub shows no more of a run."""
LONGEST_MESSAGE = 1000
FINGERPRINT = "orefactor/v1"
Json = dict[str, Any]


def log_of(
    trace: Trace,
    rules: Mapping[str, str],
    invocation: Json,
    results: Sequence[Json],
    **more: Any,  # noqa: ANN401
) -> Json:
    """The log of one run; paths in it are relative to `%SRCROOT%`, the repository's top.

    Args:
        rules: each with what it is about, in the order in which results name them by number.
        more: further properties of the run.
    """
    told = [{"id": rule, "shortDescription": {"text": text}} for rule, text in rules.items()]
    run = {
        "tool": {"driver": {"name": "git-orefactor", "version": trace.version or "unknown", "rules": told}},
        "automationDetails": {"id": f"git-orefactor/{trace.run_id}"},
        "invocations": [invocation],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The repository's top folder."}}},
        **more,
        "results": list(results),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def artifact(path: str) -> Json:
    """Where a file is."""
    return {"uri": quote(printable(path)), "uriBaseId": "%SRCROOT%"}


def place(path: str, line: int, end: int = 0) -> Json:
    """A place in a file: lines from 1, none where the line is 0."""
    region: Json = {"startLine": line, **({"endLine": end} if end > line else {})}
    return {"physicalLocation": {"artifactLocation": artifact(path), **({"region": region} if line else {})}}


def invocation_of(trace: Trace, reason: str, notifications: Iterator[Json], *, succeeded: bool) -> Json:
    """How the run went."""
    return {
        **_times(trace),
        "executionSuccessful": succeeded,
        "exitCode": trace.exit_code,
        "exitCodeDescription": one_line(reason, 200),
        "toolExecutionNotifications": list(notifications),
    }


def _times(trace: Trace) -> Json:
    try:
        start = datetime.fromisoformat(trace.started).astimezone(UTC)
        end = start + timedelta(milliseconds=trace.duration_ms)
    except (ValueError, OverflowError):
        return {}
    return {"startTimeUtc": f"{start:%Y-%m-%dT%H:%M:%SZ}", "endTimeUtc": f"{end:%Y-%m-%dT%H:%M:%SZ}"}


def check_notifications(trace: Trace) -> Iterator[Json]:
    """What the checks say about themselves."""
    for check in trace.checks:
        name = f"check:{check.name}"
        if check.outcome in ("not_run", "not_installed"):
            said = check.detail or check.outcome.replace("_", " ")
            yield notification(name, "warning" if check.required else "note", said)
        elif check.outcome == "failed" and not check.findings:
            yield notification(name, "error" if check.required else "warning", check.detail or "failed")
        for node in check.flaky:
            yield notification(name, "note", f"{node} failed, and passed when it was run again alone")
        if more := unlisted(check):
            yield notification(name, "note", f"{more} more findings are not listed")


def cut_notifications(cut: int) -> Iterator[Json]:
    """What is said where results are left out."""
    if cut > 0:
        yield notification("results", "note", f"{cut} more results are not listed")


def notification(name: str, level: str, text: str) -> Json:
    """Something that has no place in a file."""
    words = one_line(text, LONGEST_MESSAGE) or name
    return {"descriptor": {"id": one_line(name, 200)}, "level": level, "message": {"text": words}}
