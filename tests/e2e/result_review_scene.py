"""A main job whose result is reviewed: the replies of both models, and a look at what the reviews left."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from e2e.processes import Done
from e2e.scenes import REPLIES, edit, require_valid, run_folders

PATH = "src/shapes.py"
USED = {"prompt_tokens": 1000, "completion_tokens": 10}
SUGGESTED = {"old_string": '"""Multiply."""', "new_string": '"""Multiply a by b."""'}
MEND = edit('"""Multiply."""', '"""Multiply a by b."""')
LAST = REPLIES[-1]
SAID = "Say what is multiplied"

FixtureFile = Callable[..., Path]
Ask = Callable[..., Done]


def finding(severity: str, message: str = f"{SAID}.", suggestion: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "rule": "wording", "severity": severity, "path": PATH, "start_line": 2, "end_line": 2, "message": message,
        "suggestion": suggestion, "confidence": 0.9,
    }  # fmt: skip


def answer(verdict: str, *findings: dict[str, Any]) -> str:
    return json.dumps({"verdict": verdict, "summary": f"{SAID}, on the whole.", "findings": list(findings)})


def review(verdict: str, *findings: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The model that reviews gives its answer."""
    told = {"content": answer(verdict, *findings), "prompt_contains": "Change under review", "usage": USED}
    return {**told, **fields}


def blocking(message: str = f"{SAID}.") -> dict[str, Any]:
    return review("request_changes", finding("error", message, SUGGESTED), finding("note", "It could be longer."))


def words(done: Done) -> str:
    return done.stderr.decode()


def reviews_of(repository: Path) -> list[dict[str, Any]]:
    """The traces of the reviews, oldest first."""
    traces = [json.loads((folder / "trace.json").read_bytes()) for folder in run_folders(repository)]
    for trace in traces:
        require_valid(trace)
    return sorted((trace for trace in traces if "review" in trace), key=lambda trace: str(trace["started"]))
