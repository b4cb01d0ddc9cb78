"""Which files of a tree have symbols, and in what words an index says so: the same for every index.

`extract` reads whatever it is given; here stand the limits, and what its answer depends on besides the bytes.
"""

from __future__ import annotations

import codecs
import functools
import importlib.util
import os
from pathlib import Path

from ..code.documents import is_document
from ..code.languages import LANGUAGES, row_of
from ..code.symbols import EXTRACTOR, FileSymbols, extract
from ..code.trees import is_installed

MAX_BYTES = 2 << 20
"""A longer file was made by a program; at this length one takes about half a second."""
_HEAD = 8000
"""Bytes in which a zero byte makes a file binary, as in git."""
# Zero bytes are usual in these.
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def language_of(path: str) -> str | None:
    """By what a file is read: a row's name or a document's suffix. None: it has no symbols, whatever it holds."""
    stem, dot, suffix = path.rpartition(".")
    return _language(suffix, stem[-1:] not in ("", "/")) if dot else None


def symbols_of(data: bytes, path: str) -> FileSymbols | None:
    """The symbols of a file; None where it is too long, binary, or of no known language."""
    if len(data) > MAX_BYTES or language_of(path) is None or _is_binary(data):
        return None
    return extract(data, path)


def languages() -> str:
    """The rows that count here; which files of a tree have symbols depends on them."""
    return ",".join(sorted(name for name, row in LANGUAGES.items() if is_installed(row)))


def extractor() -> str:
    """What the symbols of given bytes in a given language depend on: our own code and the grammars' versions."""
    return " ".join([EXTRACTOR, _own_code(), *_grammars()])


@functools.lru_cache(1024)
def _language(suffix: str, has_stem: bool) -> str | None:
    if "/" in suffix:
        return None
    suffix = suffix.lower()
    example = f"{'x' * has_stem}.{suffix}"
    row = row_of(example)
    if row is not None and is_installed(row):
        return row.name
    return f".{suffix}" if row is None and is_document(example) else None


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:_HEAD] and not data.startswith(_WIDE_MARKS)


@functools.cache
def _own_code() -> str:
    """A digest of the code that makes symbols and keeps them: a version written by hand is forgotten once."""
    import hashlib  # loads OpenSSL, and parsers have no use for it

    digest = hashlib.sha256()
    here = Path(__file__).parent
    try:
        for path in sorted([*here.glob("*.py"), *here.parent.glob("code/*.py"), *here.parent.glob("code/*/*.scm")]):
            digest.update(path.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()[:16]


def _grammars() -> list[str]:
    """The installed grammars with their versions, by their folders' names: `importlib.metadata` takes 20 ms."""
    found: set[str] = set()
    for module in ("tree_sitter_python", "tree_sitter_language_pack"):
        spec = importlib.util.find_spec(module)
        if spec is not None and spec.origin is not None:
            site = os.path.dirname(os.path.dirname(spec.origin))
            found |= {name for name in os.listdir(site) if name.startswith("tree_sitter") and name.endswith("-info")}
    return sorted(found)
