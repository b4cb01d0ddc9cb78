"""Reviews that the tests of their outputs share: one with findings of all kinds, one that a limit ended."""

from __future__ import annotations

from typing import Any

from ci_traces import make_check, make_trace

from orefactor.core.trace_model import Trace

SHAPES = b"""def area(a, b):
    return a * b


def half(a):
\tif a == None:
\t\treturn 0
    return a / 2
"""
FILES = {"src/shapes.py": SHAPES, "b.txt": b"caf\xe9 \x1b[31mred\r\n" + b"x" * 3000 + b"\n"}
SECRET_WORDS = "MODEL-SAID"


def finding(path: str = "src/shapes.py", start: int = 6, end: int = 7, **changed: Any) -> dict[str, Any]:
    """A finding of the model's."""
    made: dict[str, Any] = {
        "rule": "bug",
        "origin": "model",
        "severity": "error",
        "path": path,
        "start_line": start,
        "end_line": end,
        "message": "Compare with `None` by identity: a number that defines `__eq__` may say anything.",
        "confidence": 0.9,
    }
    return {**made, **changed}


SUGGESTED = finding(suggestion={"old_string": "if a == None:", "new_string": "if a is None:"})
OF_RUFF = finding(
    start=8, end=8, rule="E101", origin="ruff", message="Indentation mixes spaces and tabs", confidence=None
)
FINDINGS = (
    SUGGESTED,
    OF_RUFF,
    finding("b.txt", 1, 1, rule="naming", severity="warning", message="What is é?", confidence=0.4),
    finding("", 0, 0, rule="scope", severity="note", message="The change has no test.", confidence=None),
)


def make_review(**changed: Any) -> dict[str, Any]:
    """A review that blocks."""
    made: dict[str, Any] = {
        "source": "the working tree",
        "before": "c" * 40,
        "before_tree": "d" * 40,
        "commit": "e" * 40,
        "tree": "f" * 40,
        "paths": ("b.txt", "src/shapes.py"),
        "changed_lines": 12,
        "diff_digest": "0" * 64,
        "outcome": "reviewed",
        "reason": "blocking:model",
        "verdict": "request_changes",
        "summary": "The guard against None is wrong.",
        "findings": FINDINGS,
        "dropped": 1,
        "blocking_findings": (SUGGESTED, OF_RUFF),
    }
    return {**made, **changed}


def review_trace(review: dict[str, Any] | None = None, **changed: Any) -> Trace:
    """A run that is a review, with some facts changed."""
    values: dict[str, Any] = {
        "task": "review of the working tree",
        "status": "completed",
        "reason": "blocking:model",
        "exit_code": 1,
        "message": "",
        "verified": None,
        "files_changed": (),
        "summary": {"title": "", "body": ""},
        "tree": None,
        "checks": (make_check("py_compile").model_dump(), make_check("ruff", required=False).model_dump()),
        "offered": ("read_file", "check_ruff", "check_mypy"),
        "requested": ("check_ruff",),
        "not_requested": ("read_file", "check_mypy"),
        "review": make_review(**(review or {})),
    }
    return make_trace(**{**values, **changed})


CLEAN = review_trace(
    {"reason": "reviewed", "verdict": "approve", "summary": "", "findings": (), "dropped": 0, "blocking_findings": ()},
    reason="reviewed",
    exit_code=0,
)
LIMITED = review_trace(
    {
        "outcome": "not_reviewed",
        "reason": "deliberation_limit:max_rounds",
        "limit": "max_rounds",
        "verdict": "approve",
        "summary": SECRET_WORDS,
        "findings": (finding(message=SECRET_WORDS, rule=SECRET_WORDS), OF_RUFF),
        "blocking_findings": (finding(message=SECRET_WORDS, rule=SECRET_WORDS), OF_RUFF),
        "limitations": ("the limit max_rounds was reached after 3 rounds: nothing of the model's is told",),
        "quality_degraded": True,
    },
    reason="deliberation_limit:max_rounds",
    message=SECRET_WORDS,
    undecided=None,
    rounds=({"round": 1, "messages": 2, "prompt_tokens_estimated": 9, "text": SECRET_WORDS, "calls": 1},),
)
"""One whose engine has left in what must not be told."""
INCONCLUSIVE = review_trace(
    {
        "outcome": "inconclusive",
        "reason": "check:mypy",
        "verdict": None,
        "findings": (),
        "blocking_findings": (),
        "limitations": ("the check `mypy` could not run: it is not installed", "the file `big.bin` was left out"),
    },
    reason="check:mypy",
    message="the requested check `mypy` could not run",
    undecided="the model did not come to an answer",
    not_requested=(),
)


def source(path: str) -> bytes | None:
    """A reader of the reviewed files."""
    return FILES.get(path)
