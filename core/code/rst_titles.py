"""The titles of a reStructuredText document or of plain text: lines that are underlined, or have a line on both sides.

The rules are docutils' (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections): an underline
is as long as its title or at least four characters, and levels come in the order in which the styles appear. Literal
blocks and directives need no care, since they are indented and titles are not.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence

from .documents import Title

_PUNCTUATION = frozenset(string.punctuation)
_SURE_LENGTH = 4
"""A shorter underline counts only where it is as long as the title."""
_NO_RULERS = frozenset(["::", ".."])
_MAX_SOURCE = 1000
_ROLE = re.compile(r"(?<![\w:]):[A-Za-z][\w:+.-]{0,60}:(?=`)")
_TARGET = re.compile(r"\s+<[^<>]{1,300}>(?=`)")
_MARKUP = re.compile(r"``|`_{0,2}|\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|(?<!\w)\|(?=\w)|(?<=\w)\|_?(?!\w)")


def titles(text: str) -> Iterator[Title]:
    """The titles of a document in order, without markup; lines count from 1."""
    lines = text.split("\n")
    styles: dict[tuple[str, bool], int] = {}
    free = 0  # A line serves one title: the one below a title isn't the one above the next.
    for position, line in enumerate(lines):
        if position <= free or not _is_ruler(line):
            continue
        is_over = _is_over(lines, position, free)
        if _is_title(lines, position, free, is_over=is_over):
            level = styles.setdefault((line[0], is_over), len(styles) + 1)
            yield Title(_plain(lines[position - 1]), level, position - is_over)
            free = position + 1


def _is_ruler(line: str) -> bool:
    if line[:1] not in _PUNCTUATION:
        return False
    bare = line.rstrip()
    return bare == bare[0] * len(bare) and bare not in _NO_RULERS


def _is_over(lines: Sequence[str], position: int, free: int) -> bool:
    """Whether the line that ends a title stands above it too."""
    return position - 2 >= free and lines[position - 2].rstrip() == lines[position].rstrip()


def _is_title(lines: Sequence[str], position: int, free: int, *, is_over: bool) -> bool:
    title, ruler = lines[position - 1].rstrip(), lines[position].rstrip()
    if not title or _is_ruler(title) or title.startswith(".. ") or len(ruler) < min(len(title.strip()), _SURE_LENGTH):
        return False
    # A paragraph's last line is no title, nor is an indented one, such as a literal block's.
    return is_over or (not title[0].isspace() and (position - 2 < free or not lines[position - 2].strip()))


def _plain(source: str) -> str:
    """A title as people see it."""
    return _MARKUP.sub("", _TARGET.sub("", _ROLE.sub("", source.strip()[:_MAX_SOURCE])))
