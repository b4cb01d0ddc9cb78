"""Shows text the way git does: through the user's own pager, with the user's own colours."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from orefactor.sandbox.repository import ask_git

from .pager import page

_META = (b"diff ", b"index ", b"--- ", b"+++ ", b"new ", b"deleted ", b"old ", b"rename ", b"similarity ")
# All but tab and line feed: the C0 controls, DEL, in UTF-8 the C1 controls, and what turns the direction of writing.
_UNSEEN = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
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
    data = spelled_out(data)
    coloured = colour_patch(data, place) if patch and _wants_colour(place) else data
    page(coloured, place)


def spelled_out(data: bytes) -> bytes:
    """The text with control characters and marks of direction made visible: a patch is a stranger's text too."""
    return _UNSEEN.sub(_visible, data)


def _visible(match: re.Match[bytes]) -> bytes:
    found = match[0]
    if len(found) == 1:  # as `cat -v` and git's pager show them
        return b"^" + bytes([found[0] ^ 0x40])
    return f"<U+{ord(found.decode()):04X}>".encode()


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
    coloured: list[bytes] = []
    in_hunk = False
    for line in lines:
        # Within a hunk `--- ` may be a removed line that begins with `-- `.
        in_hunk = line.startswith(b"@@") or (in_hunk and not line.startswith(b"diff "))
        coloured.append(_coloured(line, codes, reset, in_hunk=in_hunk) + b"\n")
    return b"".join(coloured) + last


def _colour(place: Path, key: str, default: str) -> bytes:
    return ask_git(place, "config", "--get-color", key, default).stdout


def _coloured(line: bytes, codes: dict[str, bytes], reset: bytes, *, in_hunk: bool) -> bytes:
    kinds = {b"@": "frag", b"+": "new", b"-": "old"}
    kind = kinds.get(line[:1]) if in_hunk else "meta" if line.startswith(_META) else None
    return codes[kind] + line + reset if kind else line
