"""Applies an edit to a file's bytes: one exact and unique occurrence, or nothing.

Pure: bytes in, bytes out, or a refusal that says what to send instead. Everything that the edit doesn't
name stays the same to the byte: each line's own end, the byte order mark, the encoding, a missing last line
break.
"""

from __future__ import annotations

from dataclasses import dataclass

from orefactor.sandbox.errors import Refused

from . import nearest
from .elision import placeholder
from .idle_ellipses import idle_ellipses
from .line_ends import carry
from .outline import enclosing, outline
from .syntax import breaks
from .text import SourceText, decode, encode_new, line_ends, shown

_MAX_MATCHES = 20
_MAX_WIDTH = 120
_TELLING = 8
"""Characters of a text that hardly stands anywhere by chance."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit that a tool carried out.

    Attributes:
        old: the text that it replaced, once; None for a file that was written as a whole.
        new: the text in its place.
    """

    old: str | None
    new: str


class TextNotFound(Refused):
    """The old text isn't in the file; another file may hold it."""


def replace_once(data: bytes, path: str, old: str, new: str) -> bytes:
    """Replaces the only occurrence of a text.

    Args:
        data: the file's bytes.
        path: the file's path, for the messages and the language.
        old: text as it was shown, that is, any line end stands for every other.
        new: text in its place.

    Returns:
        The file's bytes after the edit.

    Raises:
        TextNotFound: the old text isn't there; the message shows the nearest place.
        Refused: the edit is empty, ambiguous, already applied, elided, unencodable, or breaks the syntax.
    """
    source = decode(data, path)
    text, old, new = shown(source.text), shown(old), shown(new)
    _refuse_senseless(path, old, new)
    start = _only_place(data, path, text, old, new)
    _refuse_elided(new, old, "new_string")
    after = _spliced(source.text, text, start, old, new)
    encoded = _parsable(data, _encoded(source, after, path), path)
    _refuse_idle(text, shown(after), new, path)
    return encoded


def whole_file(data: bytes | None, path: str, content: str) -> bytes:
    """The bytes of a file that is written as a whole.

    Args:
        data: the bytes of the file that it overwrites; their line ends, byte order mark and encoding stay.
        path: the file's path.
        content: the whole new text.

    Raises:
        Refused: the content is elided, can't be encoded, or breaks the syntax; or the old file is no text.
    """
    _refuse_nul(content, "content")
    if data is None:
        _refuse_elided(shown(content), "", "content")
        _refuse_idle("", shown(content), shown(content), path)
        return _parsable(None, encode_new(content, path), path)
    source = decode(data, path)
    before, content = shown(source.text), shown(content)
    if source.bom:
        content = content.removeprefix("\ufeff")
    _refuse_elided(content, before, "content")
    _refuse_idle(before, content, content, path)
    lines = content.split("\n")
    text = _joined(lines, carry(before.split("\n"), line_ends(source.text), lines, default="\n"))
    return _parsable(data, _redeclared(source, text, path), path)


def _refuse_senseless(path: str, old: str, new: str) -> None:
    if not old:
        raise Refused(f"old_string is empty; copy the text to replace from '{path}', or use write_file for a new file")
    if old == new:
        raise Refused("old_string and new_string are the same, so nothing would change; send the changed text")
    _refuse_nul(new, "new_string")


def _refuse_nul(text: str, name: str) -> None:
    if "\0" in text:
        raise Refused(f"{name} holds a NUL character, which makes a file binary; write it as an escape")


def _refuse_elided(new: str, old: str, name: str) -> None:
    if found := placeholder(new, old):
        number, line = found
        raise Refused(
            f"line {number} of {name} is `{line}`, but text is taken literally: it would replace the code "
            "that it stands for. Send that code in full, or make the edit smaller so that it stays outside; "
            "if you mean a comment, word it differently"
        )


def _refuse_idle(before: str, after: str, new: str, path: str) -> None:
    """A `...` among other statements is no stub: it stands for them."""
    if all(line.strip() != "..." for line in new.split("\n")):
        return
    found = idle_ellipses(after, path)
    if len(found) > len(idle_ellipses(before, path)):
        raise Refused(
            f"a line of the new text is `...` among other statements (line {found[0]} of '{path}' as it would be), and "
            "text is taken literally: send the code that it stands for in full, or make the edit smaller"
        )


def _only_place(data: bytes, path: str, text: str, old: str, new: str) -> int:
    places = _places(text, old)
    if len(places) > 1:
        raise Refused(_ambiguous(data, path, text, places))
    applied = _applied_at(text, old, new, places)
    if applied is not None and (places or not nearest.differs_in_space(text, old, new)):
        line = text.count("\n", 0, applied) + 1
        raise Refused(
            f"already applied: new_string stands at line {line} of '{path}', and old_string doesn't stand "
            "outside it. If you meant another place, read the file again and copy its text exactly"
        )
    if not places:
        raise TextNotFound(f"old_string isn't in '{path}'; {nearest.explain(text, old)}")
    return places[0]


def _places(text: str, old: str) -> list[int]:
    """Where the old text begins, overlaps included; one more than can be listed at most."""
    places: list[int] = []
    at = text.find(old)
    while at >= 0 and len(places) <= _MAX_MATCHES:
        places.append(at)
        at = text.find(old, at + 1)
    return places


def _applied_at(text: str, old: str, new: str, places: list[int]) -> int | None:
    """Where the new text stands already: without the old one, or grown around it by whole lines."""
    if not new.strip():
        return None
    if not places:
        at = text.find(new)
        return at if at >= 0 and _is_telling(text, at, new) else None
    inside = new.find(old)
    if inside < 0 or "\n" not in new:
        return None
    start = places[0] - inside
    return start if start >= 0 and text.startswith(new, start) else None


def _is_telling(text: str, at: int, new: str) -> bool:
    """Whether it is no accident that the new text stands there: it is long, or fills its lines."""
    start, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at + len(new))
    rest = text[at + len(new) : stop if stop >= 0 else None]
    return len(new.strip()) >= _TELLING or not (text[start:at].strip() or rest.strip())


def _ambiguous(data: bytes, path: str, text: str, places: list[int]) -> str:
    symbols = outline(data, path)
    lines = text.split("\n")
    told: list[str] = []
    for place in places[:_MAX_MATCHES]:
        number = text.count("\n", 0, place) + 1
        owner = enclosing(symbols, number)
        told.append(f"  line {number}{f' in {owner}' if owner else ''}: {lines[number - 1].strip()[:_MAX_WIDTH]}")
    count = f"{len(places)} times" if len(places) <= _MAX_MATCHES else f"more than {_MAX_MATCHES} times"
    advice = "add lines before or after it, such as the `def` or `class` line, until old_string occurs once"
    return "\n".join([f"old_string occurs {count} in '{path}':", *told, advice])


def _spliced(original: str, text: str, start: int, old: str, new: str) -> str:
    """Edits whole lines, so that each that stays keeps its own end."""
    stop = start + len(old)
    first, last = text.count("\n", 0, start), text.count("\n", 0, stop)
    lines, ends = text.split("\n"), line_ends(original)
    head = text[text.rfind("\n", 0, start) + 1 : start]
    tail = text[stop:].split("\n", 1)[0]
    added = f"{head}{new}{tail}".split("\n")
    default = ends[first - 1] if first else "\n"
    carried = carry(lines[first : last + 1], ends[first : last + 1], added, default=default)
    return _joined([*lines[:first], *added, *lines[last + 1 :]], [*ends[:first], *carried, *ends[last + 1 :]])


def _joined(lines: list[str], ends: list[str]) -> str:
    parts: list[str] = []
    before = ""
    for line, end in zip(lines, ends, strict=True):
        # An empty line that ends in `\n` after one that ends in `\r` would make one end of two.
        before = "\r" if (before, line, end) == ("\r", "", "\n") else end
        parts += (line, before)
    return "".join(parts)


def _encoded(source: SourceText, text: str, path: str) -> bytes:
    data = source.encode(text)
    if not _reads_as(data, path, text):
        raise Refused(
            f"the edit changes which encoding '{path}' declares (it is {source.encoding}), so that other "
            "bytes would be misread; keep the declaration, or write the file as a whole with write_file"
        )
    return data


def _redeclared(source: SourceText, text: str, path: str) -> bytes:
    """A file written as a whole may declare another encoding than before."""
    if not source.bom and not _reads_as(text.encode(source.encoding, "replace"), path, text):
        return encode_new(text, path)
    return source.encode(text)


def _reads_as(data: bytes, path: str, text: str) -> bool:
    try:
        return decode(data, path).text == text
    except Refused:
        return False


def _parsable(before: bytes | None, after: bytes, path: str) -> bytes:
    problem = breaks(before, after, path)
    if problem is None:
        return after
    lines = shown(decode(after, path).text).split("\n")
    line = lines[min(problem.line, len(lines)) - 1]
    raise Refused(
        f"'{path}' couldn't be parsed after this change, so it wasn't made: line {problem.line}: "
        f"{problem.message}\n  {problem.line}  {line[:_MAX_WIDTH]}\nmend the text and send it again"
    )
