"""Excerpts: which lines, what is shown of them, and that secrets leave them while their numbers stay."""

from __future__ import annotations

import pytest

from orefactor.core.outputs.redacted_lines import RedactedLines
from orefactor.core.outputs.source_files import LARGEST, SourceFiles, no_source
from orefactor.core.redact import Redactor

TWENTY = b"".join(b"%d\n" % number for number in range(1, 21))
KEY = b"a\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nb\n"


def numbers(data: bytes | None, start: int, end: int) -> list[tuple[int, str, bool]]:
    files = SourceFiles(lambda _path: data)
    return [(line.number, line.text, line.is_meant) for line in files.excerpt("x", start, end)]


@pytest.mark.parametrize(
    ("start", "end", "shown", "meant"),
    [
        (1, 1, [1, 2, 3], [1]),
        (5, 6, [3, 4, 5, 6, 7, 8], [5, 6]),
        (20, 20, [18, 19, 20], [20]),
        (19, 99, [17, 18, 19, 20], [19, 20]),
        (5, 2, [3, 4, 5, 6, 7], [5]),
        (3, 10, [*range(1, 13)], [*range(3, 11)]),
        (3, 11, [*range(1, 10), 0], [*range(3, 10)]),
        (21, 22, [], []),
        (0, 0, [], []),
    ],
)
def test_lines(start: int, end: int, shown: list[int], meant: list[int]) -> None:
    told = numbers(TWENTY, start, end)
    assert [number for number, _, _ in told] == shown
    assert [number for number, _, is_meant in told if is_meant] == meant
    assert all(text == (str(number) if number else "… 2 more lines") for number, text, _ in told)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\tb\n", "a   b"),
        (b"a\r\n", "a"),
        (b"a\rb", r"a\rb"),
        (b"\xef\xbb\xbfa", "a"),
        (b"caf\xe9", r"caf\xe9"),
        (b"\x1b[2J\xe2\x80\xae", r"\x1b[2J\u202e"),
        (b"x" * 5000, "x" * 399 + "…"),
        (b"\n", ""),
    ],
)
def test_what_is_shown_of_a_line(data: bytes, text: str) -> None:
    assert numbers(data, 1, 1) == [(1, text, True)]


@pytest.mark.parametrize("data", [None, b"", b"a\0b\n", b"x\n" * LARGEST])
def test_of_what_is_no_small_text_nothing_is_shown(data: bytes | None) -> None:
    assert numbers(data, 1, 1) == []


def test_files_are_read_once_and_need_a_name() -> None:
    asked: list[str] = []

    def read(path: str) -> bytes:
        asked.append(path)
        return b"x\n"

    files = SourceFiles(read)
    assert files.excerpt("a", 1, 1) == files.excerpt("a", 1, 1)
    assert files.excerpt("", 1, 1) == () == SourceFiles(no_source).excerpt("a", 1, 1)
    assert asked == ["a"]


def test_secrets_are_taken_out_and_lines_stay() -> None:
    redact = RedactedLines(Redactor({"X_API_KEY": "hunter2hunter2"}))
    files = SourceFiles({"key": KEY, "word": b"k = 'hunter2hunter2'\n"}.get, redact)
    assert [line.text for line in files.excerpt("key", 3, 3)] == ["a", *["[REDACTED:lines]"] * 3, "b"]
    assert [line.text for line in files.excerpt("word", 1, 1)] == ["k = '[REDACTED:environment]'"]
