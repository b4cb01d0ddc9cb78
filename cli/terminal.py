"""Shows text the way git does: through the user's own pager, with the user's own colours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from orefactor.sandbox.repository import ask_git

# What git puts into the pager's environment where the user has put nothing.
_PAGER_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
_COLOURS = {"meta": "bold", "frag": "cyan", "old": "red", "new": "green"}


def write_bytes(data: bytes) -> None:
    """Write to standard output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def show(data: bytes, place: Path, *, patch: bool) -> None:
    """Show text: through git's pager on a terminal, else as it is.

    Args:
        place: the folder whose configuration names pager and colours.
        patch: whether lines are to be coloured as git colours a patch.
    """
    if not sys.stdout.isatty():
        write_bytes(data)
        return
    coloured = colour_patch(data, place) if patch and _wants_colour(place) else data
    pager = ask_git(place, "var", "GIT_PAGER").stdout.decode(errors="replace").strip()
    if pager in ("", "cat"):
        write_bytes(coloured)
    else:
        _page(coloured, pager)


def _page(data: bytes, pager: str) -> None:
    # git runs its pager through the shell as well; the command is the user's own setting.
    process = subprocess.Popen(
        [shutil.which("sh") or "/bin/sh", "-c", pager],
        stdin=subprocess.PIPE,
        env={**_PAGER_DEFAULTS, **os.environ},
    )
    try:
        process.communicate(data)
    except BrokenPipeError:
        process.wait()


def _wants_colour(place: Path) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return ask_git(place, "config", "--get-colorbool", "color.diff", "true").stdout.strip() == b"true"


def colour_patch(patch: bytes, place: Path) -> bytes:
    """The patch with git's colours, line by line."""
    codes = {name: _colour(place, f"color.diff.{name}", default) for name, default in _COLOURS.items()}
    reset = _colour(place, "", "reset")
    lines = patch.split(b"\n")
    last = lines.pop()
    return b"".join(_coloured(line, codes, reset) + b"\n" for line in lines) + last


def _colour(place: Path, key: str, default: str) -> bytes:
    return ask_git(place, "config", "--get-color", key, default).stdout


def _coloured(line: bytes, codes: dict[str, bytes], reset: bytes) -> bytes:
    if line.startswith(
        (
            b"diff ",
            b"index ",
            b"--- ",
            b"+++ ",
            b"new file",
            b"deleted file",
            b"old mode",
            b"new mode",
            b"rename ",
            b"similarity ",
        )
    ):
        code = codes["meta"]
    elif line.startswith(b"@@"):
        code = codes["frag"]
    elif line.startswith(b"+"):
        code = codes["new"]
    elif line.startswith(b"-"):
        code = codes["old"]
    else:
        return line
    return code + line + reset
