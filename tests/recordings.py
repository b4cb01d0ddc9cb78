"""Traces of runs, as tests make them."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import git

from orefactor.core.trace import list_runs
from orefactor.core.trace_model import CallPart, RoundPart, Trace

BASE = {"source": "HEAD", "commit": "c" * 40, "tree": "d" * 40}


def call(text: str, **fields: Any) -> CallPart:
    """A recorded call that was answered with this text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    facts: dict[str, Any] = {"round": 1, "id": "c1", "name": "read_file", "arguments": {"path": "x.py"}}
    facts |= {"status": "executed", "duration_ms": 1, "summary": text[:300], "digest": digest, **fields}
    # Not validated, since half of a surrogate pair is no text of a trace file, but may be in a live one.
    return CallPart.model_construct(None, **facts)


def part(number: int, finish: str = "stop", *calls: dict[str, str], **fields: Any) -> RoundPart:
    """A recorded round; a `finish` of nothing is one without a reply."""
    facts = {"round": number, "messages": 2, "prompt_tokens_estimated": 9, "finish_reason": finish, "calls": len(calls)}
    return RoundPart.model_validate({**facts, "reply_calls": calls, **fields})


def recorded(**fields: Any) -> Trace:
    """A trace."""
    facts: dict[str, Any] = {
        "version": "1.0", "run_id": "20300101T000000-abcdef", "task": "t", "paths": (), "settings": {},
        "status": "completed", "reason": "delivered", "exit_code": 0, "message": "", "verified": True,
        "files_changed": (), "iterations": 0, "summary": {"title": "", "body": ""}, "base": BASE, "tree": "e" * 40,
        "usage": {}, "tool_calls": (), "rounds": (),
    }  # fmt: skip
    made = Trace.model_validate({**facts, **{name: value for name, value in fields.items() if name != "tool_calls"}})
    return made.model_copy(update={"tool_calls": tuple(fields.get("tool_calls", ()))})


def newest(repository: Path) -> Path:
    """The folder of the newest run, also where several began in the same second."""
    common = Path(git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    return list_runs(common)[0].path


def newest_trace(repository: Path) -> dict[str, Any]:
    """Its trace."""
    found: dict[str, Any] = json.loads((newest(repository) / "trace.json").read_bytes())
    return found


def changed_trace(recorded: dict[str, Any], target: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Write a trace that differs from a recorded one; its path."""
    found = copy.deepcopy(recorded)
    change(found)
    target.write_text(json.dumps(found))
    return str(target)


def change_call(found: dict[str, Any], **fields: Any) -> None:
    """Change the first call of a trace."""
    found["tool_calls"][0] |= fields
