"""The user's own pager, run the way git runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from orefactor.sandbox.repository import ask_git

# What git puts into the pager's environment where the user has put nothing.
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


def page(data: bytes, place: Path) -> None:
    """Show text on the terminal as it is, through the pager unless the user wants none.

    Args:
        place: the folder whose configuration names the pager.
    """
    pager = ask_git(place, "var", "GIT_PAGER").stdout.decode(errors="replace").strip()
    sys.stdout.flush()
    if pager in ("", "cat"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    # git runs it through the shell as well; the command is the user's own setting.
    process = subprocess.Popen(
        [shutil.which("sh") or "/bin/sh", "-c", pager], stdin=subprocess.PIPE, env={**_DEFAULTS, **os.environ}
    )
    # It may be left before its end; `communicate` takes that as it is.
    process.communicate(data)
