"""What a document holds: its sections with anchors, and the requirement and specification ids that stand in it.

A document is seen as a source file is: a section is a definition, an id a reference. How titles are written is each
format's own matter (`markdown_titles.py`, `rst_titles.py`); whatever follows from a list of titles stands here. Whole
documents are never parsed by a documentation system: those are slow, configurable, and refuse what is broken.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from .identifiers import ID_PATTERN
from .symbols import Definition, FileSymbols, Reference

_MAX_BYTES = 1 << 20
_MAX_LINES = 20_000
"""Beyond these nothing of a document is read: whatever is longer was written by a program."""
_MAX_TITLE = 200
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Title:
    """The title of one section.

    Attributes:
        text: in one line, without markup.
        level: 1 is the topmost; a section ends where one of the same or a smaller level begins.
        line: where the section begins, from 1.
        anchor: what the document itself calls it; empty where it says nothing.
    """

    text: str
    level: int
    line: int
    anchor: str = ""


def _markdown(text: str) -> Iterable[Title]:
    from .markdown_titles import titles  # Its parser is slow to load.

    return titles(text)


def _restructured_text(text: str) -> Iterable[Title]:
    from .rst_titles import titles

    return titles(text)


_FORMATS: Mapping[str, tuple[str, Callable[[str], Iterable[Title]]]] = {
    ".md": ("markdown", _markdown),
    ".markdown": ("markdown", _markdown),
    ".mdx": ("markdown", _markdown),
    ".rst": ("restructuredtext", _restructured_text),
    ".rest": ("restructuredtext", _restructured_text),
    # Plain text with titles underlines them, as reStructuredText does.
    ".txt": ("text", _restructured_text),
}
DOCUMENT_SUFFIXES = frozenset(_FORMATS)
"""What the names of documents end with, in small letters."""


def is_document(path: str) -> bool:
    """Whether `extract_document` knows the format of such a file."""
    return _suffix(path) in DOCUMENT_SUFFIXES


def extract_document(data: bytes, path: str) -> FileSymbols:
    """The sections of a document and the ids in it, in linear time; nothing of what isn't one.

    Args:
        data: the whole file, of which at most 20,000 lines and a mebibyte are read.
        path: tells the format.

    Returns:
        Definitions of the kind `heading`, one a section, and references of the kind `id`, owned by their sections.
    """
    name, read = _FORMATS.get(_suffix(path), ("", lambda _: ()))
    text = _decoded(data)
    lines = text.count("\n") + (not text.endswith("\n") if text else 0)
    read_text = _beginning(text)
    titles = list(read(read_text))
    sections = _sections(titles, lines)
    return FileSymbols(
        language=name,
        docstring=sections[0].name if sections else None,
        definitions=sections,
        references=_references(read_text, [section.start_line for section in sections]),
        imports=(),
        lines=lines,
    )


def anchor_of(title: str) -> str:
    """How GitHub links to a title: small letters, digits, `_` and `-`, with `-` for spaces; never empty."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") or "section"


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def _decoded(data: bytes) -> str:
    """The text with plain line ends; what isn't in its encoding is replaced, since none of it is ever written back."""
    mark, encoding = next((mark for mark in _MARKS if data.startswith(mark[0])), (b"", "utf-8"))
    text = data[len(mark) :].decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _beginning(text: str) -> str:
    """The part of a text that is read."""
    if len(text) <= _MAX_BYTES and text.count("\n") <= _MAX_LINES:
        return text
    cut = text[:_MAX_BYTES]
    ends = islice(re.finditer("\n", cut), _MAX_LINES - 1, None)
    return cut[: end.end()] if (end := next(ends, None)) else cut


def _sections(titles: Sequence[Title], lines: int) -> tuple[Definition, ...]:
    ends = [lines] * len(titles)
    still_open: list[int] = []
    for position, title in enumerate(titles):
        while still_open and titles[still_open[-1]].level >= title.level:
            ends[still_open.pop()] = title.line - 1
        still_open.append(position)
    used: dict[str, int] = {}
    return tuple(_section(title, end, used) for title, end in zip(titles, ends, strict=True))


def _section(title: Title, end: int, used: dict[str, int]) -> Definition:
    name = "".join(filter(str.isprintable, " ".join(title.text.split())))[:_MAX_TITLE].strip()
    return Definition(
        kind="heading",
        name=name,
        qualified_name=_unique(title.anchor[:_MAX_TITLE] or anchor_of(name), used),
        signature="",
        decorators=(),
        docstring=None,
        start_line=title.line,
        end_line=max(end, title.line),
    )


def _unique(anchor: str, used: dict[str, int]) -> str:
    """The anchor, with a number where it is taken, counted as in https://github.com/Flet/github-slugger."""
    found = anchor
    while found in used:
        used[anchor] += 1
        found = f"{anchor}-{used[anchor]}"
    used[found] = 0
    return found


def _references(text: str, starts: Sequence[int]) -> tuple[Reference, ...]:
    """Each id that stands in the text, once a line; `starts` are the first lines of the sections, in order."""
    found: dict[tuple[str, int], Reference] = {}
    data, line, counted = text.encode("utf-8", "replace"), 1, 0
    for match in ID_PATTERN.finditer(data):
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        name = match[0].decode()
        found[name, line] = Reference(name, line, "id", bisect_right(starts, line) - 1)
    return tuple(found.values())
