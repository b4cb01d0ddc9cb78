"""Takes secrets out of the lines of a text, of which as many have to stay: they stand beside their numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..redact import Redactor, printable

Redact = Callable[[Sequence[str]], list[str]]
"""Takes secrets out of the lines of a text and gives as many lines back."""


class RedactedLines:
    """Takes secrets out of lines and keeps their number."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def __call__(self, lines: Sequence[str]) -> list[str]:
        """The lines with marks in place of secrets."""
        whole = self._redactor.text("\n".join(lines)).split("\n")
        if len(whole) == len(lines):
            return whole
        # A secret of several lines: what is not among the others is part of it.
        kept = set(whole)
        return [text if printable(text) in kept else "[REDACTED:lines]" for text in lines]


def as_they_are(lines: Sequence[str]) -> list[str]:
    """The lines, for a reader who has the files anyway."""
    return list(lines)
