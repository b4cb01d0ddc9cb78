"""The log: each turn and each call, in order, through the standard library's logger."""

from __future__ import annotations

import logging

import pytest

from orefactor.core import events
from orefactor.core.log import LOGGER_NAME, make_log
from orefactor.core.messages import Usage

STORY: tuple[events.Event, ...] = (
    events.RoundStarted(1, 2, 100),
    events.RoundFinished(
        1, "tool_calls", "p", "m", "", (("a", "b", ""), ("c", "d", "")), Usage(10, 0, 2, 1), False, 0.5, 7
    ),
    events.CallFinished(1, "c1", "read_file", {"path": "x.py"}, "executed", 3, "x" * 400, "d"),
    events.CallFinished(1, "c2", "bad", {}, "failed", 3, "ERROR: bug", "d", bug="Traceback …"),
    events.CheckFinished("ruff", True, "final", "passed", 0, 0, "", 5, True),
    events.OutcomeReached("completed", "delivered", 0, True, "fine", "", ("x.py",), None, "T", ""),
)


@pytest.mark.traces("REQ-103-024")
def test_turns_and_calls_are_logged_in_order(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER_NAME)
    log = make_log()
    assert log is not None
    for event in STORY:
        log.listen(event)
    assert [record.message for record in caplog.records] == [
        "turn", "tool_call", "tool_call", "tool_bug", "check", "outcome",
    ]  # fmt: skip
    first = vars(caplog.records[1])
    assert (first["tool"], first["arguments"], first["status"]) == ("read_file", {"path": "x.py"}, "executed")
    assert first["result"] == "x" * 200
    assert vars(caplog.records[0])["prompt_tokens"] == 10
    assert caplog.records[3].levelno == logging.ERROR


def test_nobody_listens() -> None:
    assert make_log() is None
