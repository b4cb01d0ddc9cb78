"""Shows a page of our own: through git's pager and in colours on a terminal, plain in a pipe.

`terminal.py` shows what others wrote, which may drive a terminal and is spelled out as a whole. A page is made here of
spans with a style each, whose text is plain already, so that its colours are the only escapes in it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from orefactor.sandbox.repository import ask_git

from .pager import page
from .terminal import write_bytes
from .wording import plain

Style = Literal["", "head", "name", "strong", "faint", "bad", "warn", "old", "new"]
_CODES: dict[Style, str] = {
    "": "",
    "head": "1",
    "name": "36",
    "strong": "1;32",
    "faint": "2",
    "bad": "1;31",
    "warn": "1;33",
    "old": "31",
    "new": "32",
}
_NARROWEST, _IN_A_PIPE = 40, 100
"""Columns."""


@dataclass(frozen=True, slots=True)
class Span:
    """Some text in one style."""

    text: str
    style: Style = ""


Line = Sequence[Span]


def page_width() -> int:
    """Columns that a page may take: the terminal's, or what `COLUMNS` says."""
    return max(shutil.get_terminal_size((_IN_A_PIPE, 24)).columns, _NARROWEST)


def show_page(lines: Sequence[Line], place: Path) -> None:
    """Show the lines. `place`: the folder whose configuration names pager and colours."""
    if not sys.stdout.isatty():
        write_bytes(rendered(lines, coloured=False))
        return
    page(rendered(lines, coloured=_wants_colour(place)), place)


def rendered(lines: Sequence[Line], *, coloured: bool) -> bytes:
    """The lines as bytes."""
    text = "".join("".join(_painted(span, coloured=coloured) for span in line).rstrip(" ") + "\n" for line in lines)
    return text.encode()


def _painted(span: Span, *, coloured: bool) -> str:
    text = plain(span.text)
    code = _CODES[span.style]
    return f"\x1b[{code}m{text}\x1b[m" if coloured and code and text.strip() else text


def _wants_colour(place: Path) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return ask_git(place, "config", "--get-colorbool", "color.orefactor", "true").stdout.strip() == b"true"
