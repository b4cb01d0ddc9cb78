"""What an attempt amounts to, read from a run's calls."""

from __future__ import annotations

import pytest

from orefactor.core.evaluation.measuring import measured, why_refused
from orefactor.core.evaluation.task import Verdict
from orefactor.core.record import Record
from orefactor.core.trace_building import build_trace
from orefactor.core.trace_model import CallPart


def edit(status: str, summary: str, name: str = "edit_file") -> CallPart:
    return CallPart.model_validate(
        {"round": 1, "id": "a", "name": name, "arguments": {}, "status": status, "duration_ms": 1,
         "summary": summary, "digest": ""}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("summary", "why"),
    [
        pytest.param("ERROR: `y.py` is outside the scope of this task; only these may change: x.py", "out of scope",
                     id="scope"),
        pytest.param("ERROR: read `x.py` before you change it: call read_file", "unread", id="unread"),
        pytest.param("ERROR: old_string isn't in 'x.py'; the nearest", "not found", id="not-found"),
        pytest.param("ERROR: old_string occurs 2 times in 'x.py':", "several places", id="several"),
        pytest.param("ERROR: already applied: new_string stands at line 3", "already applied", id="applied"),
        pytest.param("ERROR: line 2 of new_string is `...`, but text is taken literally", "elided", id="elided"),
        pytest.param("ERROR: 'x.py' couldn't be parsed after this change", "would not parse", id="parse"),
        pytest.param("ERROR: invalid arguments: `x`", "arguments", id="arguments"),
        pytest.param("ERROR: Your reply was cut off, and none", "cut reply", id="cut"),
        pytest.param("ERROR: something new", "other", id="other"),
    ],
)  # fmt: skip
def test_why_an_edit_was_refused(summary: str, why: str) -> None:
    assert why_refused(edit("failed", summary)) == why


def test_the_figures_of_a_run() -> None:
    calls = (
        edit("executed", "x", "read_file"),
        edit("failed", "ERROR: old_string isn't in 'x.py'; the nearest"),
        edit("failed", "ERROR: `y.py` is outside the scope of this task"),
        edit("executed", "edited x.py:1"),
    )
    trace = build_trace(Record(), "").model_copy(
        update={"tool_calls": calls, "status": "completed", "files_changed": ("x.py",), "iterations": 4}
    )
    verdicts = {"own": Verdict(True, "", 4), "strict": Verdict(False, "differs")}
    found = measured("t", "a", 1, trace, verdicts, 10, seconds=1.23456, place="runs/x")
    assert (found.landed, found.passed, found.verdicts) == (True, True, {"own": True, "strict": False})
    assert (found.first_edit, found.edits, found.out_of_scope) == (False, 3, 1)
    assert found.refused == {"not found": 1, "out of scope": 1}
    assert (found.lines, found.beyond, found.rounds, found.seconds) == (10, 6, 4, 1.235)
    failed = measured("t", "a", 1, build_trace(Record(), ""), {}, 0, seconds=0)
    assert (failed.landed, failed.passed, failed.first_edit, failed.beyond) == (False, None, None, None)
    assert failed.detail == "the run broke off"
