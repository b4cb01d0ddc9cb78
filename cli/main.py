"""The command's entry: finds the command among the words, runs it, and turns whatever happens into an exit code.

`--version` is answered before anything is imported; everything slow is imported where it is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        from orefactor import __version__

        print(f"git-orefactor {__version__}")
        return 0
    from .dispatch import dispatch

    return dispatch(words)
