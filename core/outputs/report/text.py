"""Text of strangers in the report: cut to a length that is said, made visible, escaped."""

from __future__ import annotations

import math

from ..graph_text import markup, visible_lines

LONGEST_WORDS, LONGEST_BLOCK = 300, 4000
"""Characters of a line of words and of a block of text."""


def line(text: str, longest: int = LONGEST_WORDS) -> str:
    """Text on one line."""
    return markup(" ".join(text[: 4 * longest].split()), longest)


def block(text: str, longest: int = LONGEST_BLOCK) -> str:
    """Text of several lines, for an element that keeps line feeds."""
    more = f"\n… and {len(text) - longest:,} more characters" if len(text) > longest else ""
    return visible_lines(text[:longest].replace("\r\n", "\n")) + more


def path_markup(path: str) -> str:
    """A path, which may be broken after each folder."""
    return markup(path, 500).replace("/", "/<wbr/>")


def count(number: int, noun: str) -> str:
    """A number with its noun, such as `2 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def seconds(milliseconds: float) -> str:
    """A duration for people."""
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds // 60_000:.0f} min {milliseconds // 1000 % 60:.0f} s"


def money(usd: float | None) -> str:
    """A cost for people."""
    if usd is None or not math.isfinite(usd):
        return "unknown"
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}" if usd >= 0.0001 else "less than $0.0001"
