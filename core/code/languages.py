"""The languages whose symbols are known: one row each, with the queries of tree-sitter's in `queries/` that read it.

Python's grammar is a dependency. All others come with the extra `languages`, and count only where that is installed;
they are read by one piece of code (`tagged_symbols.py`), which says what the queries' captures mean. Documents are no
languages: `documents.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .text import PYTHON_SUFFIXES

INSTALL = "pip install 'git-orefactor[languages]'"
"""What brings every grammar that isn't Python's."""
_PACK = "tree_sitter_language_pack.bindings."


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One language.

    Attributes:
        name: in `FileSymbols`.
        suffixes: of its files, in small letters.
        grammar: the module that holds it.
        queries: names of files in `queries/`, which are read one after the other.
        texts: the kinds of nodes that are comments and strings.
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: str
    queries: tuple[str, ...]
    texts: tuple[str, ...]


PYTHON = LanguageRow("python", PYTHON_SUFFIXES, "tree_sitter_python", ("python",), ("comment", "string"))

# Headers count as C++, whose grammar reads C too: which of both they are, their names don't tell.
_ROWS = (
    PYTHON,
    LanguageRow(
        "javascript",
        (".js", ".jsx", ".mjs", ".cjs"),
        f"{_PACK}javascript",
        ("ecmascript", "javascript"),
        ("comment", "string", "template_string"),
    ),
    LanguageRow(
        "typescript",
        (".ts", ".mts", ".cts"),
        f"{_PACK}typescript",
        ("ecmascript", "typescript"),
        ("comment", "string", "template_string"),
    ),
    LanguageRow(
        "tsx",
        (".tsx",),
        f"{_PACK}tsx",
        ("ecmascript", "typescript"),
        ("comment", "string", "template_string"),
    ),
    LanguageRow(
        "go",
        (".go",),
        f"{_PACK}go",
        ("go",),
        ("comment", "interpreted_string_literal", "raw_string_literal"),
    ),
    LanguageRow(
        "rust",
        (".rs",),
        f"{_PACK}rust",
        ("rust",),
        ("line_comment", "block_comment", "string_literal", "raw_string_literal"),
    ),
    LanguageRow("java", (".java",), f"{_PACK}java", ("java",), ("line_comment", "block_comment", "string_literal")),
    LanguageRow("c", (".c",), f"{_PACK}c", ("c",), ("comment", "string_literal")),
    LanguageRow(
        "cpp",
        (".cpp", ".cc", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp"),
        f"{_PACK}cpp",
        ("c", "cpp"),
        ("comment", "string_literal", "raw_string_literal"),
    ),
    LanguageRow("ruby", (".rb",), f"{_PACK}ruby", ("ruby",), ("comment", "string")),
    LanguageRow("csharp", (".cs",), "tree_sitter_c_sharp", ("csharp",), ("comment", "string_literal")),
    LanguageRow("php", (".php",), f"{_PACK}php", ("php",), ("comment", "string", "encapsed_string")),
)
LANGUAGES: Mapping[str, LanguageRow] = {row.name: row for row in _ROWS}
_BY_SUFFIX: Mapping[str, LanguageRow] = {suffix: row for row in _ROWS for suffix in row.suffixes}


def row_of(path: str) -> LanguageRow | None:
    """The row for a path, installed or not, whatever the case of its suffix; None where there is none."""
    name = path.rpartition("/")[2]
    return _BY_SUFFIX.get(f".{name.rpartition('.')[2].lower()}") if "." in name[1:] else None
