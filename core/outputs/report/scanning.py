r"""A scanner for languages that look like C or like a shell, in linear time whatever stands in the text.

It tells comments, strings, numbers and keywords apart, and no more. Pygments' lexers for these languages take quadratic
time and longer on some texts (20,000 empty lines are enough for `c`), and a change is a stranger's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Token = tuple[str, str]
"""Some text and the class of its colour; empty for none."""

_COMMENTS = {"c": r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?", "shell": r"(?<![^\s;(])#[^\n]*"}
# Two of Rust's lifetimes on one line look like a string; that only colours them wrongly.
_STRINGS = r'"(?:[^"\\\n]|\\.)*+"?|`(?:[^`\\]|\\.)*+`?|' + r"'(?:[^'\\\n]|\\.){0,200}+'"
_WORDS = """
    abstract as async await auto begin bool break byte case catch chan char class const constexpr continue crate
    debugger def default defer delete do done double elif else elsif end ensure enum esac except explicit export
    extends extern false fi final finally float fn for foreach friend from func function go goto if impl
    implements import in inline instanceof int interface internal is let local long loop map match mod module
    move mut namespace new nil none not null nullptr operator or override package private protected pub public
    range readonly record ref require rescue return sealed select self set short signed sizeof static string
    struct super switch synchronized template then this throw throws trait true try type typedef typename typeof
    undefined union unless unsafe unsigned until use using val var virtual void volatile when where while with
    yield
"""
_KEYWORDS = frozenset(_WORDS.split())
_FORMS = {
    form: re.compile(
        rf"(?P<q>{comment})|(?P<s>{_STRINGS})|(?P<m>\b\d[\w.]*+)|(?P<word>[^\W\d]\w*+)|[^\w\"'`/#]++|.", re.DOTALL
    )
    for form, comment in _COMMENTS.items()
}


def scan(form: str, text: str) -> Iterator[Token]:
    """The text in pieces, which joined are the same text.

    Args:
        form: `c` or `shell`.
    """
    for match in _FORMS[form].finditer(text):
        kind = match.lastgroup or ""
        if kind == "word":
            kind = "k" if match[0] in _KEYWORDS else ""
        yield match[0], kind
