"""Bytes to text and back: what is text, in which encoding, and what is refused."""

import codecs

import pytest

from orefactor.core.code.text import SourceText, decode, encode_new, line_ends, shown
from orefactor.sandbox.errors import Refused


@pytest.mark.parametrize(
    ("data", "path", "text", "encoding", "bom"),
    [
        (b"", "x.py", "", "utf-8", b""),
        (b"a\r\nb\n", "x.txt", "a\r\nb\n", "utf-8", b""),
        ("é".encode(), "x.txt", "é", "utf-8", b""),
        (codecs.BOM_UTF8 + b"x = 1", "x.py", "x = 1", "utf-8", codecs.BOM_UTF8),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "x.py", "# coding: latin-1\n", "utf-8", codecs.BOM_UTF8),
        (codecs.BOM_UTF16_LE + "é".encode("utf-16-le"), "x.txt", "é", "utf-16-le", codecs.BOM_UTF16_LE),
        (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), "x.txt", "é", "utf-16-be", codecs.BOM_UTF16_BE),
        (codecs.BOM_UTF32_LE + "é".encode("utf-32-le"), "x.txt", "é", "utf-32-le", codecs.BOM_UTF32_LE),
        (codecs.BOM_UTF32_BE + "é".encode("utf-32-be"), "x.txt", "é", "utf-32-be", codecs.BOM_UTF32_BE),
        (b"# coding: latin-1\n# caf\xe9", "x.py", "# coding: latin-1\n# café", "iso-8859-1", b""),
        (b"#!/usr/bin/python\r# vim: fileencoding=cp1252 :\r\x80", "x.pyi",
         "#!/usr/bin/python\r# vim: fileencoding=cp1252 :\r€", "cp1252", b""),
        (b"\n\n# coding: nonsense\n", "x.py", "\n\n# coding: nonsense\n", "utf-8", b""),
        (b"# coding: nonsense\n", "x.txt", "# coding: nonsense\n", "utf-8", b""),
    ],
)  # fmt: skip
def test_decodes_and_encodes_to_the_same_bytes(data: bytes, path: str, text: str, encoding: str, bom: bytes) -> None:
    source = decode(data, path)
    assert source == SourceText(text, encoding, bom)
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        (b"a\0b", "x.py", "binary file"),
        (b"x" * 10_000 + b"\0", "x.txt", "binary file"),
        (b"# caf\xe9\n", "x.py", "can't be read as text: invalid or missing encoding declaration"),
        (b"\n\n\n# caf\xe9\n", "x.py", r"it isn't valid utf-8 \(byte 8\)"),
        (b"# caf\xe9\n", "x.txt", r"it isn't valid utf-8 \(byte 5\)"),
        (b"# coding: nonsense\n", "x.py", "unknown encoding"),
        (b"# coding: ascii\n\xe9", "x.py", "it isn't valid ascii"),
        (b"# coding: rot13\n", "x.py", "rot13 is no character set"),
        (b"# coding: utf-7\n+AOk-", "x.py", "it isn't valid utf-7"),
        (b"# coding: unicode_escape\n\\d", "x.py", "isn't valid unicode_escape"),
        (b"# coding: iso2022_jp\n\x1b(B", "x.py", "would change other bytes"),
        (codecs.BOM_UTF8 + b"\xff", "x.py", r"it isn't valid utf-8 \(byte 3\)"),
        (codecs.BOM_UTF16_LE + b"a", "x.txt", "it isn't valid utf-16-le"),
        (b"\xff\xfe\x00\xd8", "x.txt", "it isn't valid utf-16-le"),
    ],
)
def test_refuses_what_is_no_text(data: bytes, path: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        decode(data, path)


@pytest.mark.parametrize(
    ("encoding", "text", "words"),
    [
        ("iso-8859-1", "a€", r"'\\u20ac' \(U\+20AC\) can't be written in iso-8859-1"),
        ("utf-8", "\ud800", "U.D800"),
    ],
)
def test_refuses_characters_that_the_encoding_lacks(encoding: str, text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        SourceText("", encoding, b"").encode(text)


@pytest.mark.parametrize(
    ("text", "path", "data"),
    [
        ("é", "x.py", "é".encode()),
        ("# coding: latin-1\né", "x.py", b"# coding: latin-1\n\xe9"),
        ("# coding: latin-1\né", "x.md", "# coding: latin-1\né".encode()),
    ],
)
def test_encodes_new_files_as_they_declare(text: str, path: str, data: bytes) -> None:
    assert encode_new(text, path) == data


@pytest.mark.parametrize("text", ["# coding: nonsense\n", "# coding: latin-1\n€", "# coding: utf-7\né", "\ud800"])
def test_refuses_new_files_that_declare_wrongly(text: str) -> None:
    with pytest.raises(Refused):
        encode_new(text, "x.py")


@pytest.mark.parametrize(
    ("text", "folded", "ends"),
    [
        ("", "", [""]),
        ("a", "a", [""]),
        ("a\r\nb\rc\nd", "a\nb\nc\nd", ["\r\n", "\r", "\n", ""]),
        ("\r\r\n\n", "\n\n\n", ["\r", "\r\n", "\n", ""]),
        ("a\x0bb\u2028c\x85", "a\x0bb\u2028c\x85", [""]),
    ],
)
def test_line_ends(text: str, folded: str, ends: list[str]) -> None:
    assert shown(text) == folded
    assert line_ends(text) == ends
