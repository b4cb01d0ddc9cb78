"""Keeps signals from tearing a clean-up apart, and turns them into one exception elsewhere.

Run as `git orefactor`, a terminal's Ctrl-C reaches us twice: from the terminal and from git, which passes it on.
So the first signal raises, and later ones are counted but raise nothing; inside `shield()` none raises before its end.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that ask a run to stop."""

_Handler = Callable[[int, FrameType | None], object] | int | None


class Stopped(BaseException):
    """A signal asked the program to stop; not an `Exception`, so that no handler for errors swallows it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.signal = signal.Signals(number)


@contextmanager
def stop_on_signals() -> Generator[None]:
    """Raise `Stopped` in the main thread at the first stopping signal; later ones do nothing."""
    raised = False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal raised
        if not raised:
            raised = True
            raise Stopped(number)

    # A signal that is ignored on entry, as under `nohup`, stays ignored.
    chosen = [number for number in STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in chosen}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def shield() -> Generator[None]:
    """Hold back stopping signals until the block's end; then one, SIGTERM first, is handled as it would have been."""
    if threading.current_thread() is not threading.main_thread():
        # Python runs signal handlers in the main thread only.
        yield
        return
    # Programs that are started meanwhile inherit the mask: a second Ctrl-C reaches the terminal's whole group, and
    # would end git in the middle of our clean-up.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    pending: list[int] = []
    before: dict[signal.Signals, _Handler] = {
        number: signal.signal(number, lambda got, _frame: pending.append(got))
        for number in STOPPING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
        if pending:
            signal.raise_signal(signal.Signals(max(pending)))
