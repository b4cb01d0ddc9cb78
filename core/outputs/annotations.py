"""Lines that GitHub's runner takes from a step's output and shows beside the code: `::error file=…,line=…::message`.

A pure function of the trace, of a run's as well as of a review's. What strangers wrote can't end a line, a property or
the command: percent, line ends, colon and comma are escaped as the runner takes them back. It keeps ten of each kind of
a step, so no more are made.

Source: GitHub, Workflow commands for GitHub Actions; actions/toolkit, `packages/core/src/command.ts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..guards.faults import one_line
from ..redact import printable
from ..trace_model import ReviewPart, Trace
from ..trace_review import ReviewFindingPart
from .problems import Problem, problems
from .published_review import OUTCOMES, blocking_places, counts_words, decided_words, published, verdict_words

MOST = 10
"""Of each kind; the runner drops those of a step that come after."""
_LONGEST = 1000
_TITLE = "git orefactor"
_Kind = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True)
class _Said:
    """What one line says. Lines of the file count from 1; 0 for none."""

    title: str
    message: str
    path: str = ""
    line: int = 0
    end: int = 0


def annotation_lines(trace: Trace) -> str:
    """The lines, each with its end; what is older than the change isn't among them."""
    review = published(trace)
    if review is not None:
        return "".join(_review(trace, review))
    told = [(problem.weight, _problem(problem)) for problem in problems(trace)]
    errors = [said for weight, said in told if weight == "error"]
    warnings = [said for weight, said in told if weight == "warning"]
    # What the gate refused is among the errors already.
    lines = [] if trace.status == "gate" and errors else [_outcome(trace)]
    room = MOST - (1 if trace.status != "completed" else 0) * len(lines)
    return "".join([*lines, *_listed("error", errors, room), *_listed("warning", warnings, MOST)])


def _outcome(trace: Trace) -> str:
    if trace.status == "completed":
        words = trace.summary.title if trace.files_changed else trace.message
        return _command("notice", _Said(_TITLE, words or "done"))
    return failure_line(trace.reason, trace.message)


def failure_line(reason: str, message: str) -> str:
    """The line for a run that delivers nothing, or never began."""
    return _command("error", _Said(f"{_TITLE}: {reason}", one_line(message, _LONGEST) or reason))


def _problem(problem: Problem) -> _Said:
    return _Said(f"{problem.rule} (in the change)", problem.message, problem.path, problem.line)


def _review(trace: Trace, review: ReviewPart) -> list[str]:
    """A review's lines: what came of it, unless its errors say so, what it could not do, what it found."""
    blocking = blocking_places(review)
    told = [(found.severity, _finding(found, place in blocking)) for place, found in enumerate(review.findings)]
    errors, warnings, notes = ([said for kind, said in told if kind == k] for k in ("error", "warning", "note"))
    limitations = [_Said(f"{_TITLE}: limitation", text) for text in review.limitations]
    lines: list[str] = []
    if review.outcome != "reviewed" or (trace.exit_code and not errors):
        lines.append(failure_line(review.reason, _reached(trace, review)))
    elif not trace.exit_code:
        lines.append(_command("notice", _Said(_TITLE, _reached(trace, review))))
    room = MOST - len(lines)
    return [
        *lines,
        *_listed("error", errors, room),
        *_listed("warning", [*limitations, *warnings], MOST),
        *_listed("notice", notes, room),
    ]


def _reached(trace: Trace, review: ReviewPart) -> str:
    if review.outcome != "reviewed":
        return f"{OUTCOMES[review.outcome]}: {decided_words(trace, review)}"
    return f"{verdict_words(review)}; {counts_words(review)}; {decided_words(trace, review)}"


def _finding(finding: ReviewFindingPart, blocks: bool) -> _Said:
    title = f"{finding.origin}/{finding.rule}{' (blocking)' if blocks else ''}"
    return _Said(title, finding.message or finding.severity, finding.path, finding.start_line, finding.end_line)


def _listed(kind: _Kind, told: Sequence[_Said], room: int) -> list[str]:
    if len(told) <= room:
        return [_command(kind, said) for said in told]
    shown = [_command(kind, said) for said in told[: room - 1]]
    return [*shown, _command(kind, _Said(_TITLE, f"and {len(told) - len(shown)} more, see the summary"))]


def _command(kind: _Kind, said: _Said) -> str:
    place = {
        "file": one_line(said.path, _LONGEST),
        "line": str(said.line) if said.path and said.line else "",
        "endLine": str(said.end) if said.path and said.end > said.line > 0 else "",
        "title": one_line(said.title, 200),
    }
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items() if value)
    return f"::{kind} {properties}::{_data(one_line(said.message, _LONGEST))}\n"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
