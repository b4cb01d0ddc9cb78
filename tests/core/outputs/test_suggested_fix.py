"""Where a suggestion stands in its file, to the character; nothing where that isn't certain."""

from __future__ import annotations

import pytest

from orefactor.core.outputs.suggested_fix import find_fix
from orefactor.core.trace_review import SuggestionPart

TEXT = "a = 1\nb = 2\nc = b\n"


def apply(data: bytes, path: str, old: str, new: str) -> bytes:
    """What an editor makes of the fix, working on the file's own lines."""
    fix = find_fix(SuggestionPart(old_string=old, new_string=new), path, data)
    assert fix is not None
    encoding = "latin-1" if b"latin-1" in data else "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    lines = data.decode(encoding).split("\n")

    def at(place: tuple[int, int]) -> int:
        return sum(len(line) + 1 for line in lines[: place[0] - 1]) + place[1] - 1

    text = "\n".join(lines)
    return (text[: at(fix.start)] + fix.text + text[at(fix.end) :]).encode(encoding)


@pytest.mark.parametrize(
    ("old", "new", "start", "end", "text"),
    [
        ("b = 2", "b = 3", (2, 1), (2, 6), "b = 3"),
        ("= 2\nc", "= 4\nd", (2, 3), (3, 2), "= 4\nd"),
        ("b = 2\n", "", (2, 1), (3, 1), ""),
        ("c = b\n", "c = b\nd = 1\n", (3, 1), (4, 1), "c = b\nd = 1\n"),
        ("a", "é漢😀", (1, 1), (1, 2), "é漢😀"),
    ],
)
def test_positions(old: str, new: str, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    fix = find_fix(SuggestionPart(old_string=old, new_string=new), "x.py", TEXT.encode())
    assert fix is not None and (fix.start, fix.end, fix.text) == (start, end, text)


@pytest.mark.parametrize(
    ("data", "path", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "x", "b\n", "b\nB\n", b"a\r\nb\r\nB\r\nc\r\n"),
        (b"a\r\nb\r\n", "x", "a\nb", "a\nx\nb", b"a\r\nx\r\nb\r\n"),
        (b"a\r\nb\n", "x", "a\nb\n", "A\nB\n", b"A\r\nB\n"),
        (b"a\r\nb\r\n", "x", "a", "a\nx", b"a\r\nx\r\nb\r\n"),
        (b"a", "x", "a", "b\nc", b"b\nc"),
        (b"\xef\xbb\xbfa\nb\n", "x", "a", "c", b"\xef\xbb\xbfc\nb\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "x.py", "'é'", "'è'", b"# coding: latin-1\nx = '\xe8'\n"),
        ("😀é = 1\n".encode(), "x", "é", "e", "😀e = 1\n".encode()),
    ],
)
def test_the_file_keeps_its_form(data: bytes, path: str, old: str, new: str, after: bytes) -> None:
    assert apply(data, path, old, new) == after


@pytest.mark.parametrize(
    ("data", "old", "new"),
    [
        (None, "a", "x"),
        (b"a a", "a", "x"),
        (b"aaa", "aa", "x"),
        (b"b", "a", "x"),
        (b"a", "", "x"),
        (b"a", "a", "a"),
        (b"a\rb", "a", "x"),
        (b"a\xff", "a", "x"),
        (b"a" + b"b" * (1 << 20), "a", "x"),
        (b"a", "a", "x" * 20_001),
        (b"a", "a", "[REDACTED:environment]"),
        (b"[REDACTED:environment]", "[REDACTED:environment]", "x"),
    ],
)
def test_what_is_not_certain_is_no_fix(data: bytes | None, old: str, new: str) -> None:
    assert find_fix(SuggestionPart(old_string=old, new_string=new), "x.txt", data) is None
