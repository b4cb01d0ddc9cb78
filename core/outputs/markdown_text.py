"""Puts strangers' text into Markdown that a forge shows: it stays text.

It can't mention people, close issues, run GitLab's quick actions, link or load anything, hold HTML, or break a table.
Forges look for mentions and references in the rendered text, where escaping is gone, so the characters that begin them
are followed by one that has no width. Simple lists and code between backticks keep their form.
"""

from __future__ import annotations

import re

from ..redact import printable

_BREAK = "\u200b"
# Keys of issues in other trackers, such as ABC-1, and GitHub's GH-1; addresses.
_EVERYWHERE = r"(?:(?<=[A-Z][A-Z0-9_])|(?<=[Gg][Hh]))-(?=\d)|:(?=//)"
# GitHub: @name, #1, owner/name#1. GitLab: !1, $1, %1, ~name, &1, ^alert#1, [issue:1]. Gitea: #1, !1.
_REFERENCE = re.compile(
    r"[@#!$%~&^](?=[\w\"'.-])|(?:(?<=\[issue)|(?<=\[epic)|(?<=\[work_item)|(?<=\[vulnerability)):(?=\w)"
    rf"|(?<=\b[Ww][Ww][Ww])\.|{_EVERYWHERE}"
)
# GitLab looks for issues to close in the source, code or not.
_REFERENCE_IN_CODE = re.compile(rf"[#!](?=\d)|<(?=!--)|{_EVERYWHERE}")
# Within a word an underscore is no markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|~&$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LINE_START = re.compile(r"[#+=/-]|\d{1,9}(?=[.)])")
_BULLET = re.compile(r"( *)[-*+] +(?=\S)")
_CODE = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
# What drives a terminal, turns the writing, or can't be seen is spelled out.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def prose(text: str, longest: int) -> str:
    """Text of several lines as Markdown.

    Args:
        text: a stranger's.
        longest: characters that are taken; the rest is left out.
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    lines = cut.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(_line(_seen(line).rstrip()) for line in lines).strip("\n")


def words(text: str, longest: int) -> str:
    """Text on one line as Markdown, for a cell or an item of a list."""
    return _line(_one_line(text, longest))


def code(text: str, longest: int) -> str:
    """Text on one line as code, for a cell as well."""
    line = _seen(text.replace("\n", "\\n"))
    line = _REFERENCE_IN_CODE.sub(_broken, line if len(line) <= longest else line[: longest - 1] + "…")
    if line.strip() == line != "" and not re.search(r"[`|\\]", line):
        return f"`{line}`"
    # Between backticks these signs can't be escaped; as HTML every sign can, in hexadecimal as `#1` is a reference.
    spelled = (c if c.isalnum() or not c.isascii() else f"&#x{ord(c):x};" for c in line)
    return f"<code>{''.join(spelled)}</code>"


def title(text: str, longest: int) -> str:
    """Text on one line as a request's title, which is no Markdown but may close issues."""
    return _REFERENCE.sub(_broken, _one_line(text, longest))


def _one_line(text: str, longest: int) -> str:
    line = _seen(" ".join(text.split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _seen(text: str) -> str:
    return _UNSEEN.sub(lambda sign: f"<U+{ord(sign[0]):04X}>", printable(text))


def _broken(match: re.Match[str]) -> str:
    return _BREAK + match[0] if match[0] in "-." else match[0] + _BREAK


def _line(line: str) -> str:
    bullet = _BULLET.match(line)
    mark = ("  - " if len(bullet[1]) > 1 else "- ") if bullet else ""
    rest = line[bullet.end() :] if bullet else line.strip()
    pieces: list[str] = []
    position = 0
    for found in _CODE.finditer(rest):
        pieces += [_escaped(rest[position : found.start()], at_start=position == 0), code(found[1], 200)]
        position = found.end()
    return mark + "".join(pieces) + _escaped(rest[position:], at_start=position == 0)


def _escaped(text: str, *, at_start: bool) -> str:
    escaped = _MARKUP.sub(lambda sign: "\\" + sign[0], _REFERENCE.sub(_broken, text))
    start = _LINE_START.match(escaped) if at_start else None
    if start is None:
        return escaped
    # A number is a list's by the sign behind it, all others are markup themselves.
    return f"{start[0]}\\{escaped[start.end() :]}" if start[0].isdigit() else "\\" + escaped
