"""A small run that the report's tests look at, and a hostile one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from graph_scenes import FRAME, PACK

from orefactor.core.context.build import Context, to_json
from orefactor.core.hunk_origins import find_origins
from orefactor.core.patch_hunks import read_patch
from orefactor.core.reporting import ReportedRun
from orefactor.core.trace_model import Trace

# A trace has whole scores as JSON has them.
_ITEMS = tuple(replace(item, score=float(item.score)) for item in PACK.items)
RUN_ID = "20261130T101500-4f2a9c"
HOSTILE = (
    "</script></title></style></svg>--><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\">"
    "\x1b[2J\x00\u202e\u2028\ufeff\udce9&lt;'"
)
PATCH = b'''Orefactor-Run: 20261130T101500-4f2a9c

diff --git a/src/shapes.py b/src/shapes.py
index 1111111..2222222 100644
--- a/src/shapes.py
+++ b/src/shapes.py
@@ -1,3 +1,4 @@
 def area(a, b):
-    return a*b
+    """Multiply."""
+    return a * b

@@ -10,3 +11,2 @@ def twice(a):
     return 2 * a
-# gone
 # stays
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
'''.replace(b"\n\n@@ -10", b"\n \n@@ -10")


def call(name: str, number: int = 1, **arguments: Any) -> dict[str, Any]:
    """One executed call."""
    return {
        "round": number,
        "id": "c",
        "name": name,
        "arguments": arguments,
        "status": "executed",
        "duration_ms": 20,
        "summary": "done",
        "digest": "0" * 64,
    }


def check(name: str, outcome: str = "passed", **changed: Any) -> dict[str, Any]:
    """One check."""
    made = {"required": True, "when": "final", "findings_new": 0, "findings_old": 0, "baseline": "kept"}
    return {"name": name, "outcome": outcome, "duration_ms": 300, **made, **changed}


def one_round(number: int, **changed: Any) -> dict[str, Any]:
    """One round."""
    usage = {"prompt_tokens": 1000, "cached_tokens": 400, "completion_tokens": 50, "requests": 1}
    made = {"messages": 2, "prompt_tokens_estimated": 900, "model": "m1", "finish_reason": "tool_calls", "calls": 1}
    return {"round": number, **made, "usage": usage, "cost_usd": 0.001, "duration_ms": 1500, **changed}


CALLS = [
    call("read_file", path="src/shapes.py"),
    call(
        "edit_file",
        2,
        path="src/shapes.py",
        old_string="    return a*b\n",
        new_string='    """Multiply."""\n    return a * b\n',
    ),
    call("edit_file", 2, path="src/shapes.py", old_string="# gone\n", new_string=""),
    {**call("write_file", 3, path="outside.txt", content="x"), "status": "refused", "summary": "ERROR: outside"},
    call("write_file", 3, path="new.txt", content="one\ntwo"),
]
ROUNDS = [
    one_round(1, text="I look first."),
    one_round(2, text="Now the <docstring>.", usage_estimated=True),
    one_round(3),
    one_round(4, text='{"title": "x"}', calls=0, finish_reason="stop", cost_usd=None),
]


def trace_values(**changed: Any) -> dict[str, Any]:
    """The values of a trace, as JSON has them."""
    context = json.loads(json.dumps(to_json(Context(FRAME, replace(PACK, items=_ITEMS)))))
    made: dict[str, Any] = {
        "version": "1",
        "run_id": RUN_ID,
        "task": "document area",
        "paths": ["src"],
        "settings": {},
        "status": "completed",
        "reason": "delivered",
        "exit_code": 0,
        "message": "the change passed the gate",
        "verified": True,
        "files_changed": ["new.txt", "src/shapes.py"],
        "iterations": 4,
        "summary": {"title": "Document area", "body": "It says what `area` does.", "follow_ups": ["Document twice"]},
        "base": {"source": "HEAD", "commit": "b" * 40, "tree": "d" * 40},
        "tree": "e" * 40,
        "usage": {"prompt_tokens": 4000, "cached_tokens": 1600, "completion_tokens": 200, "requests": 4},
        "cost_usd": 0.0123,
        "checks": [check("ruff"), check("mypy", "failed", required=False, findings_new=1, detail="x.py:1: bad")],
        "guards": [{"name": "scope", "ok": True, "detail": "all in"}, {"name": "size", "ok": False, "detail": "large"}],
        "contract": {"kinds": ["docstrings"], "ok": False, "detail": "x.py:1: code changed"},
        "frame": context.pop("frame"),
        "context_pack": context,
        "tool_calls": CALLS,
        "rounds": ROUNDS,
        "retries": [{"round": 1, "attempt": 1, "attempts": 4, "kind": "x", "message": "slow down", "seconds": 1.0}],
        "provider": "deepseek",
        "duration_ms": 9000,
    }
    return {**made, **changed}


def reported(patch: bytes = PATCH, fate: Any = "delivered", **changed: Any) -> ReportedRun:
    """The run, with other facts where they are given."""
    trace = Trace.model_validate(trace_values(**changed))
    files = read_patch(patch)
    return ReportedRun(trace, patch, fate if patch else "none", files, find_origins(files, trace.tool_calls))


def hostile_run() -> ReportedRun:
    """Every text of a stranger is hostile."""
    evil = HOSTILE.replace("\udce9", "")
    name = evil.replace("\n", "").encode()
    patch = PATCH.replace(b"src/shapes.py", name).replace(b"Multiply", name).replace(b"one", b"\xff" + name)
    return reported(
        patch,
        run_id=RUN_ID,
        task=evil,
        status=evil,
        reason=evil,
        message=evil,
        paths=[evil],
        summary={"title": evil, "body": evil, "follow_ups": [evil]},
        branch=evil,
        provider=evil,
        started=evil,
        version=evil,
        base={"source": evil, "commit": evil, "tree": evil},
        tree=evil,
        checks=[check(evil, "failed", detail=evil, lost=[evil], flaky=[evil], command=[evil])],
        guards=[{"name": evil, "ok": False, "detail": evil}],
        contract={"kinds": [evil], "ok": False, "detail": evil},
        spare=[{"path": evil, "line": 1, "symbol": evil, "why": evil}],
        isolation={"tier": evil, "failure": evil, "probe": [{"name": evil, "ok": False, "detail": evil}]},
        tool_calls=[
            {**call(evil, path=evil), "summary": evil},
            {**call(evil), "arguments": [evil], "status": "failed"},
            call("edit_file", path=evil, new_string=f'    """{evil}."""\n', old_string=""),
            {**call("edit_file"), "arguments": {evil: {evil: evil}}},
        ],
        rounds=[one_round(1, text=evil, model=evil, finish_reason=evil, rejected=evil)],
        retries=[{"round": 1, "attempt": 1, "attempts": 4, "kind": evil, "message": evil, "seconds": 1.0}],
        provider_changes=[{"round": 1, "before": evil, "provider": evil, "model": evil, "reason": evil}],
        protocol_changes=[{"round": 1, "protocol": "text", "reason": evil}],
        delivered=[{"kind": "patch", "what": evil}],
        context_pack=None,
        context_failure=evil,
    )
