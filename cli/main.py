"""The command's entry: finds the command among the words, runs it, and turns whatever happens into an exit code.

`--version` is answered before anything is imported; everything slow is imported where it is needed.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence

_PR_SET_DUMPABLE = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code.

    Args:
        arguments: the words of a caller in whose process we are a guest; without them the process is ours.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        from orefactor import __version__

        print(f"git-orefactor {__version__}")
        return 0
    if arguments is None:
        close_to_others()
        # What is imported stays; looking through it again and again is a tenth of the start. `run` turns it on again.
        gc.disable()
        # Before and after the command's own handlers there is nothing to clean up, nor Python's traceback to show.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .dispatch import dispatch

    return dispatch(words)


def close_to_others() -> None:
    """Keep the user's other processes out of this one, which was given the key: its environment and its memory.

    Linux only. A process that isn't dumpable belongs to root in /proc, and leaves no core file.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
