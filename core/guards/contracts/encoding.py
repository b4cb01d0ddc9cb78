"""Which files are read as Python, and whether a change leaves the way their bytes are written."""

from __future__ import annotations

import re

from orefactor.sandbox.errors import Refused

from ...code.text import PYTHON_SUFFIXES, SourceText, decode, line_ends
from .contract import Fault

_SHEBANG = re.compile(rb"#![^\n]*\bpython")


def is_python(path: str, data: bytes) -> bool:
    """Whether a file is Python, by its name or by the program that its first line names."""
    name = path.rpartition("/")[2]
    return path.endswith(PYTHON_SUFFIXES) or ("." not in name and _SHEBANG.match(data) is not None)


def differing_encoding(before: bytes, after: bytes, *, may_end_lines: bool) -> Fault | None:
    """What differs in a file's encoding, byte order mark or line ends.

    Args:
        before: the file before.
        after: the file after.
        may_end_lines: whether its lines may end in another way.
    """
    old, new = _decoded(before), _decoded(after)
    if old is None or new is None:
        return None if old is new else Fault(0, "", "the file's encoding changed")
    if old.bom != new.bom:
        return Fault(0, "", "the file's byte order mark changed")
    if old.encoding != new.encoding:
        return Fault(0, "", f"the file's encoding changed from {old.encoding} to {new.encoding}")
    known = set(line_ends(old.text))
    if not may_end_lines and "\n" in old.text.replace("\r", "\n"):
        for number, end in enumerate(line_ends(new.text), 1):
            if end not in known:
                return Fault(number, "", f"the line ends in {end!a}, as no line did before")
    return None


def _decoded(data: bytes) -> SourceText | None:
    try:
        return decode(data, "a.py")
    except Refused:
        return None
