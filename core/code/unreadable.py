"""What is known of a source that can't be parsed in any sensible time: how long it is."""

from __future__ import annotations

from .symbols import FileSymbols


def unreadable(language: str, source: bytes) -> FileSymbols:
    """The symbols of such a source: none."""
    return FileSymbols(language, None, (), (), (), count_lines(source), broken=True)


def count_lines(source: bytes) -> int:
    """How many lines a source has, the last one without an end included."""
    return source.count(b"\n") + (bool(source) and not source.endswith(b"\n"))
