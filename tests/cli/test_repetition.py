"""What is said of a run that takes something from an earlier one fits sixty columns and can't drive the terminal."""

from __future__ import annotations

import pytest

from orefactor.cli.repetition import Repetition, repetition_line
from orefactor.core import events

RUN = "20260101T000000-abcdef"


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.RunContinued(RUN, 4), f"going on with run {RUN} from round 4"),
        (events.ReuseBegun(RUN), f"repeating run {RUN}, asked the same"),
        (events.ReuseTried(RUN), f"reused run {RUN}; no model was asked (`--fresh` asks)"),
        (events.ReuseTried(RUN, "a call\x1b"), r"not reused: a call\x1b, so the model is asked"),
        (events.ReuseBegun("\x1b[2J"), r"repeating run \x1b[2J, asked the same"),
    ],
)
def test_one_line(event: Repetition, line: str) -> None:
    assert repetition_line(event) == line
