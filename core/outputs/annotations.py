"""Lines that GitHub's runner takes from a step's output and shows beside the code: `::error file=…,line=…::message`.

A pure function of the trace. What strangers wrote can't end a line, a property or the command: percent, line ends,
colon and comma are escaped as the runner takes them back. It keeps ten of each kind of a step, so no more are made.

Source: GitHub, Workflow commands for GitHub Actions; actions/toolkit, `packages/core/src/command.ts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..guards.faults import one_line
from ..redact import printable
from ..trace_model import Trace
from .problems import Problem, problems

MOST = 10
"""Of each kind; the runner drops those of a step that come after."""
_LONGEST = 1000
_Kind = Literal["error", "warning", "notice"]


def annotation_lines(trace: Trace) -> str:
    """The lines, each with its end; what is older than the change isn't among them."""
    told = problems(trace)
    errors = [problem for problem in told if problem.weight == "error"]
    warnings = [problem for problem in told if problem.weight == "warning"]
    # What the gate refused is among the errors already.
    lines = [] if trace.status == "gate" and errors else [_outcome(trace)]
    room = MOST - (1 if trace.status != "completed" else 0) * len(lines)
    return "".join([*lines, *_listed("error", errors, room), *_listed("warning", warnings, MOST)])


def _outcome(trace: Trace) -> str:
    if trace.status == "completed":
        words = trace.summary.title if trace.files_changed else trace.message
        return _command("notice", one_line(words, _LONGEST) or "done", title="git orefactor")
    return failure_line(trace.reason, trace.message)


def failure_line(reason: str, message: str) -> str:
    """The line for a run that delivers nothing, or never began."""
    return _command("error", one_line(message, _LONGEST) or reason, title=f"git orefactor: {reason}")


def _listed(kind: _Kind, told: Sequence[Problem], room: int) -> list[str]:
    if len(told) <= room:
        return [_problem(kind, problem) for problem in told]
    shown = [_problem(kind, problem) for problem in told[: room - 1]]
    return [*shown, _command(kind, f"and {len(told) - len(shown)} more, see the summary", title="git orefactor")]


def _problem(kind: _Kind, problem: Problem) -> str:
    message = one_line(problem.message, _LONGEST)
    return _command(kind, message, problem.path, problem.line, title=f"{problem.rule} (in the change)")


def _command(kind: _Kind, message: str, path: str = "", line: int = 0, *, title: str) -> str:
    place = {
        "file": one_line(path, _LONGEST),
        "line": str(line) if path and line else "",
        "title": one_line(title, 200),
    }
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items() if value)
    return f"::{kind} {properties}::{_data(message)}\n"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
