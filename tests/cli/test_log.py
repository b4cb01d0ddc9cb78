"""The log on standard error, while it is asked for and no longer."""

from __future__ import annotations

import json
import logging

import pytest

from orefactor.cli.log import shown_log
from orefactor.core import events
from orefactor.core.log import make_log

CALL = events.CallFinished(
    1, "1", "read_file", {"path": "a\x1b[2J\nb"}, "failed", 5, "ERROR: no\nsuch file", "0", bug="Traceback\n  line\x07"
)
REACHED = events.OutcomeReached("completed", "delivered", 0, True, "", "", (), None, "", "")


def test_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_log(as_json=True, debug=False):
        log = make_log()
        assert log is not None
        log.listen(CALL)
        log.listen(REACHED)
        log.listen(events.RunEnded(5))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [
        *(("tool_call", "info"), ("tool_bug", "error"), ("outcome", "info"))
    ]
    assert lines[0]["arguments"] == {"path": "a\x1b[2J\nb"}
    assert all(line["timestamp"].endswith("Z") for line in lines)


def test_lines_for_people_can_not_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_log(as_json=False, debug=True):
        log = make_log()
        assert log is not None
        log.listen(CALL)
    text = capsys.readouterr().err
    assert "tool_call" in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_afterwards_the_logger_is_as_before() -> None:
    logger = logging.getLogger("orefactor")
    before = (logger.handlers[:], logger.level, logger.propagate)
    with shown_log(as_json=True, debug=True):
        assert logger.isEnabledFor(logging.DEBUG)
    assert (logger.handlers, logger.level, logger.propagate) == before
    assert make_log() is None
