"""How a run is told to its end, where a signal comes at the worst moment."""

from __future__ import annotations

import os
import signal
from typing import cast

import pytest

from orefactor.core.book import RunBook
from orefactor.core.telling import tell
from orefactor.sandbox.shield import Stopped, stop_on_signals


class _Book:
    """Nothing but what is told of a run."""

    def open(self) -> None:
        """Begin."""


@pytest.mark.parametrize("is_part", [False, True])
def test_a_signal_at_the_very_end_is_the_jobs_to_hear(is_part: bool) -> None:
    def finish(_came: str | None, _stopped: object) -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        return "told"

    def both() -> str:
        return tell(cast("RunBook", _Book()), lambda: ("came", None), finish, is_part=is_part)

    with stop_on_signals():
        if not is_part:
            assert both() == "told"
            return
        with pytest.raises(Stopped):
            both()
