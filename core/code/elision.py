"""Finds comments that stand for code left out, such as `# ... existing code ...`.

A model that writes them expects somebody to fill in the rest. Text is taken literally here, so that they
would delete what they stand for. Only whole comments count, and only those that the text before didn't
hold.
"""

from __future__ import annotations

import re

_MAX_LENGTH = 160
"""Characters; longer lines hold no placeholder, and this bounds the time of the patterns."""

_THING = (
    r"(?:code|file|function|method|class|module|implementation|body|logic|content|contents|script|lines?|imports?"
    r"|functions|methods|classes|definitions|tests)"
)
_STATE = (
    r"(?:(?:is|are|remains?|stays?|goes|continues|kept|left)\s+)*"
    r"(?:the\s+)?(?:same|unchanged|as\s+is|as-is|as\s+before|here|omitted(?:\s+for\s+brevity)?|untouched|elided)"
)
_KEEP = r"(?:(?:to\s?do|keep|copy|insert|include|continue\s+with|followed\s+by)\s*:?\s+)?"
_OLD = r"(?:(?:original|existing|old|previous|current|same|method|function|class)\s+){0,2}"
_ORIGIN = r"(?:\s+(?:from|of|in)\s+(?:the\s+)?(?:original|existing|old|previous)(?:\s+\w+)?)?"
_WORDS = (
    rf"(?:{_KEEP}(?:the\s+)?(?:rest|remainder)\s+of\s+(?:the\s+|this\s+|your\s+)?(?:\w+\s+)?{_OLD}{_THING}{_ORIGIN}"
    rf"(?:\s+{_STATE})?"
    rf"|(?:the\s+)?(?:rest|remainder|others?(?:\s+{_THING})?)\s+{_STATE}"
    rf"|{_KEEP}(?:all\s+)?(?:the\s+)?(?:existing|remaining|unchanged)(?:\s+\w+)?\s+{_THING}"
    rf"(?:\s+{_STATE})?"
    rf"|(?:the\s+)?(?:original|previous)\s+{_OLD}{_THING}\s+(?:goes|stays|remains|continues)\s+here"
    rf"|(?:\w+\s+)?{_THING}\s+{_STATE}"
    r"|same\s+as\s+before|unchanged|(?:code\s+)?omitted(?:\s+for\s+brevity)?|snip(?:ped)?)"
)
_DOTS = r"(?:\.{3,}|\u2026)"
_RULE = rf"(?:{_DOTS}|-{{2,}}|={{2,}}|~{{2,}})"
_HINT = r"(?:rest|remain\w*|remainder|existing|unchanged|others?|same|previous|original|omitted|more|etc|so\s+on)"
_OPEN = r"(?:^|\s)(?:\#+|//+|--|/\*+|<!--|;+)\s*"
_CLOSE = r"[\s.)\]>]*(?:\*/|-->)?\s*$"
_PLACEHOLDER = re.compile(
    rf"{_OPEN}[(\[<]?(?:{_DOTS}|(?:{_RULE}\s*)?{_WORDS}(?:\s*{_RULE})?){_CLOSE}"
    rf"|{_OPEN}{_DOTS}[^.\u2026]+{_DOTS}{_CLOSE}"
    rf"|{_OPEN}{_DOTS}[^.\u2026]*\b{_HINT}\b[^.\u2026]*{_CLOSE}"
    rf"|^\s*[(\[<]?{_DOTS}\s*{_WORDS}\s*{_DOTS}?[\s)\]>]*$",
    re.IGNORECASE,
)


def placeholder(new: str, old: str) -> tuple[int, str] | None:
    """The first line of the new text that stands for left-out code and isn't in the old text.

    Args:
        new: the text to be written.
        old: the text that it replaces.

    Returns:
        The line's number within the new text (1-based) and the line, stripped.
    """
    known: set[str] | None = None
    for number, line in enumerate(new.split("\n"), 1):
        if len(line) > _MAX_LENGTH or not _PLACEHOLDER.search(line):
            continue
        known = known or {line.strip() for line in old.split("\n")}
        if line.strip() not in known:
            return number, line.strip()
    return None
