"""A run as it is shown: kept, killed, in a file; and the words for checks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from report_scenes import PATCH, RUN_ID, check, trace_values

from orefactor.core.errors import UserError
from orefactor.core.reporting import after_words, before_words, read_run, read_trace_file, trace_of_events
from orefactor.core.trace import RunFolder
from orefactor.core.trace_model import CheckPart


def _folder(tmp_path: Path, *, status: str = "completed", **files: bytes) -> RunFolder:
    folder = tmp_path / RUN_ID
    folder.mkdir()
    (folder / "trace.json").write_text(json.dumps(trace_values(status=status)))
    for name, data in files.items():
        (folder / f"{name}.patch").write_bytes(data)
    return RunFolder(folder)


@pytest.mark.parametrize(
    ("status", "files", "fate", "can_be_applied"),
    [
        ("completed", {"result": PATCH}, "delivered", True),
        ("completed", {"result": b""}, "none", False),
        ("gate", {"result": PATCH, "rejected": PATCH}, "rejected", False),
        ("limit", {"rejected": PATCH}, "rejected", False),
        ("error", {}, "none", False),
    ],
)
def test_what_became_of_the_change(
    tmp_path: Path, status: str, files: dict[str, bytes], fate: str, can_be_applied: bool
) -> None:
    run = read_run(_folder(tmp_path, status=status, **files))
    assert (run.fate, run.can_be_applied, run.is_complete) == (fate, can_be_applied, True)
    assert [hunk.number for file in run.files for hunk in file.hunks] == ([1, 2, 3] if run.patch else [])


def test_a_trace_in_a_file(tmp_path: Path) -> None:
    folder = _folder(tmp_path, result=PATCH)
    assert read_trace_file(folder.path / "trace.json").fate == "delivered"
    copy = tmp_path / "copy.json"
    copy.write_bytes((folder.path / "trace.json").read_bytes())
    run = read_trace_file(copy)
    assert (run.fate, run.files, run.trace.run_id) == ("none", (), RUN_ID)


def test_files_that_are_no_trace(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("no")
    os.mkfifo(tmp_path / "fifo")
    with open(tmp_path / "large", "wb") as file:
        file.truncate((64 << 20) + 1)
    for name, said in (
        ("none.json", "can't read"),
        ("text.json", "is no trace"),
        ("fifo", "no regular file"),
        ("large", "of at most 64 MiB"),
        (".", "no regular file"),
        ("\0", "is no trace"),
    ):
        with pytest.raises(UserError, match=said):
            read_trace_file(tmp_path / name)


def _round(number: int, **changed: Any) -> list[dict[str, Any]]:
    usage = {"prompt_tokens": 5, "cached_tokens": 1, "completion_tokens": 2, "requests": 1}
    facts: dict[str, Any] = {
        "finish_reason": "stop",
        "provider": "p",
        "model": "m",
        "text": "hm",
        "reply_calls": [],
        "usage": usage,
    }
    return [
        {"event": "RoundStarted", "round": number, "messages": 1, "prompt_tokens": 5},
        {"event": "RoundFinished", "round": number, **facts, "estimated": False, "cost_usd": None, "duration_ms": 7}
        | changed,
    ]


def _deep(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"a": value}
    return value


EVENTS: dict[str, tuple[list[dict[str, Any]], tuple[str, int, int]]] = {
    "none": ([], ("", 0, 0)),
    "a round": ([{"event": "RunStarted", "task": "t"}, *_round(1)], ("t", 1, 0)),
    "of another version": ([{"event": "CallFinished", "name": "read_file", "status": "executed"}], ("", 0, 1)),
    "unknown ones": ([{"event": "Future"}, {"event": ["x"]}, {"no": 1}, {"event": "TextArrived"}], ("", 0, 0)),
    "a reply without a question": (_round(1)[1:], ("", 0, 0)),
    "a value of no use": ([{"event": "RunStarted", "paths": 5}, {"event": "RunStarted", "task": []}], ("", 0, 0)),
    "a field too many": ([{"event": "RunStarted", "task": "t", "more": 1}], ("t", 0, 0)),
    "arguments that are too deep": (
        [{"event": "CallFinished", "name": "x", "status": "executed", "arguments": _deep(900)}],
        ("", 0, 0),
    ),
    "numbers that no trace holds": ([{"event": "RunStarted", "task": "t"}, *_round(1, duration_ms=-1)], ("", 0, 0)),
}


@pytest.mark.parametrize(("told", "expected"), EVENTS.values(), ids=EVENTS)
def test_a_run_that_was_killed(told: list[dict[str, Any]], expected: tuple[str, int, int]) -> None:
    trace = trace_of_events(RUN_ID, told)
    assert (trace.task, len(trace.rounds), len(trace.tool_calls)) == expected
    assert (trace.run_id, trace.reason) == (RUN_ID, "interrupted")


@pytest.mark.parametrize(
    ("changed", "before", "after"),
    [
        ({}, "clean", "passed"),
        ({"baseline": "none"}, "not measured", "passed"),
        ({"findings_old": 2}, "2 findings", "passed, 2 findings as before"),
        ({"counts": False}, "clean", "passed (says nothing about this change)"),
        ({"outcome": "failed", "findings_new": 1, "findings_old": 1}, "1 finding", "failed, 1 new, 1 old"),
        ({"outcome": "failed", "findings_new": 3}, "clean", "failed, 3 new"),
        ({"outcome": "not_installed"}, "not measured", "not installed"),
    ],
)
def test_words_for_checks(changed: dict[str, Any], before: str, after: str) -> None:
    part = CheckPart.model_validate(check("ruff", **changed))
    assert (before_words(part), after_words(part)) == (before, after)
