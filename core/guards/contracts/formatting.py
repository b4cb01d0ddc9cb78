"""`formatting`: the code says the same in another layout.

White space, line breaks, needless parentheses, last commas, the quotes and prefix case of texts, the case of numbers
and blank lines may change. Texts that stand side by side stay apart, comments stay at their statement, and the
lines of a docstring keep their words. Where the grammar can't read a file, nothing may change.

What counts as layout is in `canonical.py` and `literals.py`, since other kinds see through it as well where they
change a line.
"""

from __future__ import annotations

from .canonical import Token, canonical
from .literals import wording
from .source import Item, Source


def is_same_docstring(before: Source, old: Item, after: Source, new: Item) -> bool:
    """Whether two docstrings differ only in how their lines are indented and end."""
    if "docstring" not in (old.kind, new.kind) or old.kind != new.kind:
        return False
    then, now = canonical(before, old), canonical(after, new)
    return len(then) == len(now) and all(map(_is_same, then, now))


def _is_same(old: Token, new: Token) -> bool:
    if old.role == new.role == "text":
        return wording(old.text) == wording(new.text)
    return old.text == new.text
