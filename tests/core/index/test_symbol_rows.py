"""Symbols as they are kept: read back as they were, whatever strangers' files hold; and the names they are found by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.code.symbols import Definition, FileSymbols, Import, Reference
from orefactor.core.index.extraction import extractor, language_of, languages, symbols_of
from orefactor.core.index.index_keys import answers_to, mentioned
from orefactor.core.index.symbol_rows import EMPTY, decoded, row_of

TEXT = st.text(st.characters(codec=None, categories=None), max_size=6)
NUMBER = st.integers(-1, 2**31 - 1)
"""No file that is read has more bytes, let alone lines."""
DEFINITION = st.builds(
    Definition,
    st.sampled_from(["class", "function", "method", "constant", "heading"]),
    *(TEXT,) * 3,
    st.lists(TEXT, max_size=2).map(tuple),
    st.none() | TEXT,
    *(NUMBER,) * 2,
)
REFERENCE = st.builds(
    Reference,
    TEXT,
    NUMBER,
    st.sampled_from(["call", "base", "decorator", "annotation", "name", "id"]),
    NUMBER,
    TEXT,
)
SYMBOLS = st.builds(
    FileSymbols,
    TEXT,
    st.none() | TEXT,
    st.lists(DEFINITION, max_size=3).map(tuple),
    st.lists(REFERENCE, max_size=3).map(tuple),
    st.lists(st.builds(Import, TEXT, st.none() | TEXT, TEXT, NUMBER), max_size=3).map(tuple),
    NUMBER,
    st.booleans(),
)


@given(SYMBOLS)
def test_symbols_are_read_back(symbols: FileSymbols) -> None:
    row = row_of(symbols)
    assert decoded(row.symbols) == symbols
    assert row.names["mentioned"] == mentioned(symbols)
    defined = set(zip(row.names["defined"], row.positions["defined"], strict=True))
    folded = set(zip(row.names["folded"], row.positions["folded"], strict=True))
    for position, definition in enumerate(symbols.definitions):
        assert (definition.name, position) in defined
        assert {(name, position) for name in answers_to(definition)} <= folded


def test_a_file_without_symbols() -> None:
    assert row_of(None) == EMPTY
    assert decoded(EMPTY.symbols) is None


@pytest.mark.parametrize(
    ("language", "module", "name", "expected"),
    [
        ("python", "shapes", None, {"shapes"}),
        ("python", "pkg.shapes", None, {"pkg.shapes", "shapes"}),
        ("python", "..shapes", "area", {"..shapes", "shapes", "area"}),
        ("python", ".", "shapes", {".", "shapes"}),
        ("python", "shapes", "*", {"shapes"}),
        ("javascript", "./geo/shapes.js", "area", {"shapes.js", "shapes", "js", "area"}),
        ("cpp", "geo/shapes.test.h", None, {"shapes.test.h", "shapes.test", "shapes", "h"}),
        ("rust", "geo::shapes", "area", {"shapes", "area"}),
        ("go", "example.com/geo/shapes", None, {"shapes"}),
    ],
)
def test_what_an_import_mentions(language: str, module: str, name: str | None, expected: set[str]) -> None:
    symbols = FileSymbols(language, None, (), (), (Import(module, name, "alias", 1),), 1)
    assert set(mentioned(symbols)) == expected


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("x.py", "python"),
        ("a.b/X.PYI", "python"),
        ("README.md", ".md"),
        ("docs/x.RST", ".rst"),
        ("Makefile", None),
        ("a.py/x", None),
        ("x.unknown", None),
        ("x.", None),
        ("", None),
    ],
)
def test_the_language_of_a_path(path: str, language: str | None) -> None:
    assert language_of(path) == language
    assert (symbols_of(b"", path) is None) == (language is None)


def test_what_symbols_depend_on() -> None:
    assert "python" in languages().split(",")
    assert "tree_sitter_python" in extractor()
