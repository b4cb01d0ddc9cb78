"""Turns the manual's prose, a small part of Markdown, into roff's `man` macros.

Paragraphs, `**bold**`, `*italic*`, fenced blocks and definitions (a line `: text` below its term) are all that a manual
page needs. A converter for the whole of Markdown isn't used: each has its own idea of a page, and none is installed
where the page is compared with what it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKED = re.compile(r"\*\*(?P<bold>\S(?:[^*\n]*\S)?)\*\*|\*(?P<italic>[^*\s](?:[^*\n]*[^*\s])?)\*")
_FENCE = "```"


def escaped(text: str) -> str:
    """Text of one or more lines in which nothing is a request or an escape of roff's."""
    return _protected(_plain(text))


def inline(text: str) -> str:
    """Text with its bold and italic words."""
    pieces: list[str] = []
    at = 0
    for found in _MARKED.finditer(text):
        font = "B" if found["bold"] else "I"
        pieces += [_plain(text[at : found.start()]), rf"\f{font}{_plain(found[1] or found[2])}\fR"]
        at = found.end()
    return _protected("".join([*pieces, _plain(text[at:])]))


def _plain(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-").replace("\u2026", "...")


def _protected(text: str) -> str:
    # A line that begins so is a request.
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def blocks(text: str) -> Iterator[str]:
    """The paragraphs, definitions and fenced blocks of a text, as they are written."""
    lines: list[str] = []
    in_fence = False
    for line in text.splitlines():
        in_fence ^= line == _FENCE
        if line or in_fence:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def body(text: str, between: str = ".PP") -> Iterator[str]:
    """The lines of roff for a text.

    Args:
        between: the request that parts paragraphs; within a list's item another one than in a section.
    """
    for number, block in enumerate(blocks(text)):
        term, colon, meaning = block.partition("\n: ")
        if colon and not block.startswith(_FENCE):
            yield from (".TP", inline(term), inline(meaning))
            continue
        if number:
            yield between
        if block.startswith(_FENCE):
            yield from (".nf", escaped(block.removeprefix(_FENCE + "\n").removesuffix("\n" + _FENCE)), ".fi")
        else:
            yield inline(block)


def sections(text: str, mark: str) -> dict[str, str]:
    """The text below each heading.

    Args:
        mark: what headings begin with, such as `#`.
    """
    parts = re.split(rf"^{mark} (.+)$", text, flags=re.MULTILINE)
    return {title: part.strip() for title, part in zip(parts[1::2], parts[2::2], strict=True)}
