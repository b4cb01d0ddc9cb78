"""The titles of a Markdown document, as CommonMark reads them: nothing in fences, comments and front matter is one.

Only blocks are parsed by the library: that is most of its time saved, and what it takes for unclosed links and emphasis
in lines grows with the square of their length, so titles lose their markup to one regular expression. Titles in quotes
and lists cut no document into sections; they are left out.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .documents import Title

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MAX_SOURCE = 400
"""Characters of a title's source that are looked at."""
_CAN_HOLD_TITLES = re.compile(r"^ {0,3}(?:#|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:#[^\n]*|[\w\"'-][^\n]*:[^\n]*)\n")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_OWN_ANCHOR = re.compile(r"(?<=\S)[ \t]*\{ ?#([\w.:-]+)[^{}]*\}$")
_MARKUP = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`].{0,200}?)(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|\]\([^()]{0,300}\)|\]\[[^\[\]]{0,300}\]|!?\[|\]"
    r"|</?[A-Za-z][^<>]{0,300}>|<!--.{0,300}?-->"
    r"|(?<=\S)\*+|\*+(?=\S)"
    r"|(?<!\w)(?P<line>_{1,3})(?P<stressed>[^\W_](?:.{0,100}?\S)??)(?P=line)(?!\w)"
)


def titles(text: str) -> Iterator[Title]:
    """The titles of a document in order, without markup; lines count from 1."""
    if not _CAN_HOLD_TITLES.search(text):
        return
    tokens = _parser().parse(_without_front_matter(text))
    for position, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            source = tokens[position + 1].content[:_MAX_SOURCE].rstrip()
            # Sites made from Markdown name a section by an attribute at its end.
            own = _OWN_ANCHOR.search(source) if source.endswith("}") else None
            words = source[: own.start()] if own else source
            yield Title(_plain(words), int(token.tag[1:]), token.map[0] + 1, own[1] if own else "")


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Where links lead doesn't matter here, and long lists of link definitions are slow.
    return MarkdownIt("commonmark").disable(["inline", "text_join", "reference"])


def _plain(source: str) -> str:
    """A title as people see it; brackets go too, since they may be a link's."""
    return html.unescape(
        _MARKUP.sub(lambda found: found["code"] or found["escaped"] or found["stressed"] or "", source)
    )


def _without_front_matter(text: str) -> str:
    """The text with blank lines for the settings that stand before it."""
    if not (opened := _FRONT_MATTER.match(text)) or not (end := _FRONT_MATTER_END.search(text, opened.end())):
        return text
    return "\n" * text.count("\n", 0, end.end()) + text[end.end() :]
