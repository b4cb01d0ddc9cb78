"""`comments`: nothing but comments differs, save those that tools act upon; and what a comment is.

`# type:`, `# noqa`, coding cookies and their like have effects, so that they count as code. They also have to
stay on their line: a `# noqa` that moves to a line of its own has no effect any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Item, Source

_DIRECTIVE = re.compile(
    rb"#[#:]?\s*(?:type\s*:|noqa\b|pragma\b|nosec\b|nopep8\b|nosonar\b|fmt\s*:|isort\s*:|yapf\s*:|autopep8\s*:"
    rb"|(?:flake8|ruff|black|pylint|pyright|basedpyright|mypy|pyre|pytype|ty|pyrefly|bandit|coverage|cython|distutils"
    rb"|doctest|codespell|lint|nuitka-project|language|vulture)\s*[:=]"
    rb"|nosemgrep\b|lgtm\b|pyre-|skipcq\b|///|sourcery\s+skip|%%)",
    re.IGNORECASE,
)
_COOKIE = re.compile(rb"#.*?coding[:=][ \t]*[-_.a-zA-Z0-9]+")
_TYPE = re.compile(rb"#\s*type\s*:(?!\s*ignore\b)", re.IGNORECASE)
_METADATA = re.compile(rb"# /// [a-zA-Z0-9-]+$")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment.

    Attributes:
        is_trailing: whether code stands before it on its line.
        is_directive: whether a tool acts upon it.
    """

    text: bytes
    start: int
    is_trailing: bool
    is_directive: bool

    @property
    def is_type(self) -> bool:
        """Whether it is an annotation as Python 2 writes it (PEP 484)."""
        return _TYPE.match(self.text) is not None

    @property
    def spaced(self) -> bytes:
        """The text as formatters see it: the space behind `#`, and at the end, doesn't count."""
        body = self.text.lstrip(b"#")
        marks = self.text[: len(self.text) - len(body)]
        return self.text if body.startswith(b"!") else marks + body.strip()


def in_gap(source: Source, start: int, end: int) -> list[Comment]:
    """The comments of a part of the text that holds no code; `#` begins one, wherever it stands there."""
    found: list[Comment] = []
    at = source.text.find(b"#", start, end)
    while at >= 0:
        stop = source.text.find(b"\n", at, end)
        stop = end if stop < 0 else stop
        found.append(_comment(source, at, stop, is_trailing=_has_code_before(source.text, at)))
        at = source.text.find(b"#", stop, end)
    return _with_metadata(found)


def inside(source: Source, item: Item) -> list[Comment]:
    """The comments within an item, such as those between the lines of a call."""
    if b"#" not in source.raw(item):
        return []
    found: list[Comment] = []
    pending = list(reversed(item.nodes))
    while pending:
        node = pending.pop()
        if node.type == "comment":
            found.append(_comment(source, node.start_byte, node.end_byte, is_trailing=True))
        else:
            pending += reversed(node.children)
    return found


def _has_code_before(text: bytes, at: int) -> bool:
    return bool(text[text.rfind(b"\n", 0, at) + 1 : at].strip())


def _comment(source: Source, start: int, end: int, *, is_trailing: bool) -> Comment:
    text = source.text[start:end].rstrip()
    is_cookie = _is_near_top(source.text, start) and _COOKIE.match(text) is not None
    is_shebang = start == 0 and text.startswith(b"#!")
    return Comment(text, start, is_trailing, is_cookie or is_shebang or _DIRECTIVE.match(text) is not None)


def _is_near_top(text: bytes, start: int) -> bool:
    """Whether a place is in the first two lines, where a coding cookie counts (PEP 263)."""
    first = text.find(b"\n")
    return first < 0 or start <= first or text.find(b"\n", first + 1, start) < 0


def _with_metadata(comments: list[Comment]) -> list[Comment]:
    """The comments, where those of an inline script metadata block (PEP 723) are directives."""
    return list(_marked(comments)) if any(_METADATA.match(comment.text) for comment in comments) else comments


def _marked(comments: list[Comment]) -> Iterator[Comment]:
    in_block = False
    for comment in comments:
        if comment.text == b"# ///":
            in_block = False
        yield Comment(comment.text, comment.start, comment.is_trailing, comment.is_directive or in_block)
        in_block = in_block or _METADATA.match(comment.text) is not None
