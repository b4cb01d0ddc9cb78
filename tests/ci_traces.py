"""Traces that the tests of the outputs for CI share: a change that passed, one that was refused, none at all."""

from __future__ import annotations

from typing import Any, Literal

from orefactor.core.patch_hunks import read_patch
from orefactor.core.reporting import ReportedRun
from orefactor.core.trace_model import CheckPart, FindingPart, Trace

RUN = "20301130T101500-4f2a9c"
HOSTILE = "\x1b[31m\u202e]]> <script>alert(1)</script> & \" ' ::error::x%0A ##[error]x\n@all #1 | `x` \ud800\x00\ufffe"
"""What no output may pass on as it is."""


def make_trace(**changed: Any) -> Trace:
    """A run that delivered a change, with some fields changed."""
    made: dict[str, Any] = {
        "version": "1.0",
        "run_id": RUN,
        "task": "document area",
        "paths": (),
        "settings": {"model": "m"},
        "status": "completed",
        "reason": "delivered",
        "exit_code": 0,
        "message": "the change passed the gate",
        "verified": True,
        "files_changed": ("src/shapes.py",),
        "iterations": 3,
        "summary": {"title": "Document area", "body": "It says what it does."},
        "base": {"source": "worktree", "commit": "c" * 40, "tree": "d" * 40},
        "tree": "e" * 40,
        "usage": {"prompt_tokens": 1000, "cached_tokens": 5, "completion_tokens": 20, "requests": 3},
        "cost_usd": 0.0123,
        "provider": "fixture",
        "started": "2030-11-30T10:15:00+01:00",
        "duration_ms": 1500,
    }
    return Trace.model_validate({**made, **changed})


def make_check(name: str = "ruff", outcome: str = "passed", *findings: FindingPart, **changed: Any) -> CheckPart:
    """A required check; the counts are those of the findings."""
    new = sum(finding.is_new for finding in findings)
    made: dict[str, Any] = {
        "name": name,
        "required": True,
        "when": "final",
        "outcome": outcome,
        "findings_new": new,
        "findings_old": len(findings) - new,
        "duration_ms": 250,
        "findings": tuple(finding.model_dump() for finding in findings),
    }
    return CheckPart.model_validate({**made, **changed})


def make_finding(path: str = "src/shapes.py", line: int = 2, rule: str = "F401", **changed: Any) -> FindingPart:
    """A new finding."""
    made: dict[str, Any] = {"path": path, "line": line, "rule": rule, "text": "`os` is unused", "mark": "a:1"}
    return FindingPart.model_validate({**made, **changed})


REFUSED = make_trace(
    status="gate",
    reason="contract:docstrings",
    exit_code=3,
    message="the contract `docstrings` is broken: src/shapes.py:2 in area: `import os` was added",
    verified=False,
    contract={"kinds": ("docstrings",), "ok": False, "detail": "src/shapes.py:2 in area: `import os` was added"},
    guards=(
        {"name": "scope", "ok": True, "detail": ""},
        {"name": "tests", "ok": False, "detail": "`tests/test_x.py:7`: a test is gone (and 1 more)"},
        {"name": "size", "ok": False, "detail": "900 lines changed"},
    ),
    files_changed=("src/shapes.py", "tests/test_x.py"),
    checks=(
        make_check("py_compile").model_dump(),
        make_check(
            "ruff", "failed", make_finding(), make_finding(line=9, is_new=False, text="`re` is unused", mark="b:1")
        ).model_dump(),
        make_check(
            "pytest",
            "failed",
            make_finding("tests/test_x.py", 0, "tests/test_x.py::test_a", text="failed", mark="c:1"),
            required=False,
            flaky=("tests/test_x.py::test_b",),
        ).model_dump(),
        make_check("mypy", "not_installed", detail="mypy is not installed").model_dump(),
    ),
)
LIMITED = make_trace(
    status="limit",
    reason="limit:max_cost",
    exit_code=4,
    message="the next call could cost too much",
    verified=None,
    files_changed=(),
    summary={"title": "", "body": ""},
    base=None,
    cost_usd=None,
)
DIFF = b"""Orefactor-Run: x

diff --git a/src/shapes.py b/src/shapes.py
index 1111111..2222222 100644
--- a/src/shapes.py
+++ b/src/shapes.py
@@ -1,2 +1,3 @@
 def area(a, b):
+    '''Multiply.'''
     return a * b
"""


def reported(trace: Trace, patch: bytes = b"") -> ReportedRun:
    """The run as it is shown."""
    fate: Literal["delivered", "rejected", "none"] = "rejected" if patch else "none"
    if patch and trace.status == "completed":
        fate = "delivered"
    return ReportedRun(trace, patch, fate, read_patch(patch), {})
