"""Ctrl-Z: the terminal is left in order before the program is stopped, and taken again when it goes on."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType


class Suspension:
    """Stands in for the system's handling of SIGTSTP, which would leave the cursor hidden."""

    def __init__(self, leave: Callable[[], None], take: Callable[[], None]) -> None:
        """Begin, where that is possible: signals are the main thread's. `leave` and `take`: the terminal."""
        self._leave, self._take = leave, take
        in_main = threading.current_thread() is threading.main_thread()
        self._watches = in_main and signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
        if self._watches:
            signal.signal(signal.SIGTSTP, self._stop)

    def close(self) -> None:
        """Give the signal back."""
        if self._watches:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        # It ends here, and goes on here.
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        self._take()
