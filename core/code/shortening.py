"""How much is kept of what a source says: a signature may be a megabyte long, and nobody reads on."""

from __future__ import annotations

_MAX_TEXT = 1000
"""Characters that are kept of a signature, a decorator or a docstring's line."""


def cut(text: str) -> str:
    """The text, or its beginning."""
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}\u2026"
