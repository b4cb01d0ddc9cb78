"""Bytes to text and back, so that what wasn't edited stays the same to the byte.

A file is text when a byte order mark, a declaration (PEP 263, Python only) or UTF-8 says so, and when
encoding it again gives the same bytes. Everything else is refused: a guess would corrupt what it gets
wrong.
"""

from __future__ import annotations

import codecs
import re
import tokenize
from dataclasses import dataclass

from orefactor.sandbox.errors import Refused

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw")

# UTF-32 first: its little-endian mark begins with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python can declare these, but they write one text in several ways, or aren't character sets at all.
_NOT_CHARACTER_SETS = frozenset(["idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"])
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text file.

    Attributes:
        text: the content with its own line ends, without the byte order mark.
        encoding: a codec's name.
        bom: the byte order mark, or nothing.
    """

    text: str
    encoding: str
    bom: bytes

    def encode(self, text: str) -> bytes:
        """Other content as this file would hold it.

        Raises:
            Refused: the encoding has no such character.
        """
        try:
            return self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = text[error.start]
            raise Refused(
                f"the character {character!a} (U+{ord(character):04X}) can't be written in {self.encoding}, "
                "the file's encoding; use another character or an escape"
            ) from error


def decode(data: bytes, path: str) -> SourceText:
    """Reads a file's bytes as text.

    Args:
        data: the whole file.
        path: its name's end tells whether a PEP 263 declaration counts.

    Raises:
        Refused: it is binary, or no declared encoding fits it.
    """
    for bom, encoding in _MARKS:
        if data.startswith(bom):
            return _decoded(data, path, encoding, bom)
    if b"\0" in data:
        raise Refused(f"'{path}' is a binary file; only text can be read and edited")
    return _decoded(data, path, _declared(data, path), b"")


def encode_new(text: str, path: str) -> bytes:
    """The bytes of a file that has no earlier ones: as it declares, else UTF-8.

    Raises:
        Refused: what it declares doesn't fit.
    """
    declared = _declared(text.encode("utf-8", "surrogatepass"), path)
    data = SourceText(text, declared, b"").encode(text)
    decode(data, path)
    return data


def shown(text: str) -> str:
    r"""The text as a model sees it: every line ends in `\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_ends(text: str) -> list[str]:
    r"""The end of each line of `shown(text).split("\n")`; the last line's is empty."""
    return [*_LINE_END.findall(text), ""]


def _declared(data: bytes, path: str) -> str:
    if not path.endswith(PYTHON_SUFFIXES):
        return "utf-8"
    lines = iter([line + b"\n" for line in re.split(rb"\r\n|\r|\n", data, maxsplit=2)[:2]])
    try:
        return tokenize.detect_encoding(lambda: next(lines, b""))[0]
    except SyntaxError as error:
        raise Refused(
            f"'{path}' can't be read as text: {error.msg}; declare its encoding, or leave it as it is"
        ) from error


def _decoded(data: bytes, path: str, encoding: str, bom: bytes) -> SourceText:
    problem = f"it isn't valid {encoding}"
    try:
        if codecs.lookup(encoding).name.replace("_", "-") not in _NOT_CHARACTER_SETS:
            text = data[len(bom) :].decode(encoding)
            if bom + text.encode(encoding) == data:
                return SourceText(text, encoding, bom)
            problem = f"{encoding} would change other bytes of it"
    except UnicodeDecodeError as error:
        problem += f" (byte {len(bom) + error.start})"
    except (LookupError, UnicodeError):
        problem = f"{encoding} is no character set"
    raise Refused(f"'{path}' can't be read as text: {problem}; leave it as it is")
