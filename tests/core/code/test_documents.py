"""Sections of documents, with anchors and lines, and the ids in them, whatever the document is."""

import time

import pytest

from orefactor.core.code.documents import DOCUMENT_SUFFIXES, anchor_of, extract_document, is_document
from orefactor.core.code.symbols import Definition, FileSymbols, Reference

Row = tuple[str, str, int, int]

MARKDOWN: dict[str, tuple[str, list[Row]]] = {
    "levels": (
        "# A\n\n## B\ntext\n\n### C\n\n## D\n# E\n",
        [("A", "a", 1, 8), ("B", "b", 3, 7), ("C", "c", 6, 7), ("D", "d", 8, 8), ("E", "e", 9, 9)],
    ),
    "setext": (
        "Title of\ntwo lines\n===\n\nPart\n----\nmore",
        [("Title of two lines", "title-of-two-lines", 1, 7), ("Part", "part", 5, 7)],
    ),
    "closed": ("## A #\n#B\n####### C\n    # D\n   # E", [("A", "a", 1, 4), ("E", "e", 5, 5)]),
    "fences": ("```sh\n# no\n```\n~~~\n# no\n```\n# no\n~~~\n# A\n", [("A", "a", 9, 9)]),
    "open fence": ("# A\n```\n# no\n", [("A", "a", 1, 3)]),
    "comments": ("<!--\n# no\n\n# no\n-->\n# A\n", [("A", "a", 6, 6)]),
    "front matter": ("---\ntitle: x\n# no\n---\n# A\n", [("A", "a", 5, 5)]),
    "front matter alone": ("---\ntitle: x\n# A\n", [("A", "a", 3, 3)]),
    "rule at the top": ("---\n\n# A\n\n---\n", [("A", "a", 3, 5)]),
    "quotes and lists": ("> # no\n\n- # no\n\n# A\n", [("A", "a", 5, 5)]),
    "same names": (
        "# A\n# A\n# A-1\n# A\n",
        [("A", "a", 1, 1), ("A", "a-1", 2, 2), ("A-1", "a-1-1", 3, 3), ("A", "a-2", 4, 4)],
    ),
    "own anchor": ("# A b {#own .x}\n# C {x}\n", [("A b", "own", 1, 1), ("C {x}", "c-x", 2, 2)]),
    "no words": ("#\n# !?\n", [("", "section", 1, 1), ("!?", "section-1", 2, 2)]),
    "line ends": ("# A\r\n\r\n## B\r# C\n", [("A", "a", 1, 3), ("B", "b", 3, 3), ("C", "c", 4, 4)]),
    "hostile": ("# a\x00\x1b[31m\u202eb\u00e9 \U0001f600\n", [("a\ufffd31mb\u00e9 \U0001f600", "a31mb\u00e9", 1, 1)]),
    "none": ("just text - with # signs\n", []),
    "empty": ("", []),
}
MARKUP = {
    '[`foo`](x.md "t") and *b* __c__ `__init__`': "foo and b c __init__",
    "[![badge](a.svg)](b) Title [ref][1]": "badge Title ref",
    "a \\* b * c &amp; <br> <!-- x --> d": "a * b * c &   d",
    "snake_case __all__ _it_ **bo**ld": "snake_case all it bold",
    "[Unreleased] - 2020": "Unreleased - 2020",
    "`` a`b ``": "a`b",
    "3 < 4 > 2": "3 < 4 > 2",
}
RST: dict[str, tuple[str, list[Row]]] = {
    "levels": (
        "===\nTop\n===\n\nA\n=\nB\n==\n\nC\n--\ntext\n\nD\n==\n",
        [("Top", "top", 1, 15), ("A", "a", 5, 6), ("B", "b", 7, 13), ("C", "c", 10, 13), ("D", "d", 14, 15)],
    ),
    "indented over": ("=======\n  Top\n=======\n", [("Top", "top", 1, 3)]),
    "a line for each title": ("====\nA b\n====\nB c\n====\n", [("A b", "a-b", 1, 5), ("B c", "b-c", 4, 5)]),
    "transitions": ("Hi there.\n\n-----\n\nMore\n", []),
    "paragraphs": ("two\nlines\n-----\n\n  indented\n  --------\n\n-----\n=====\n", []),
    "literal": ("Code::\n\n  Title\n  =====\n\nSo::\n::\n\nlonger\n--\n\n.. x\n----\n", []),
    "short": ("A longer title\n----\n\nab\n--\n", [("A longer title", "a-longer-title", 1, 3), ("ab", "ab", 4, 5)]),
    "markup": (
        ":class:`Foo` and ``bar`` `text <url>`_ *em* **x** |y|\n======\n",
        [("Foo and bar text em x y", "foo-and-bar-text-em-x-y", 1, 2)],
    ),
    "names stay": ("a_b * c_ __init__ x|y\n=====\n", [("a_b * c_ __init__ x|y", "a_b--c_-__init__-xy", 1, 2)]),
    "empty": ("\n\n", []),
}


def rows(symbols: FileSymbols) -> list[Row]:
    return [(each.name, each.qualified_name, each.start_line, each.end_line) for each in symbols.definitions]


@pytest.mark.parametrize(("text", "found"), MARKDOWN.values(), ids=MARKDOWN)
def test_markdown(text: str, found: list[Row]) -> None:
    symbols = extract_document(text.encode(), "docs/x.MD")
    assert rows(symbols) == found
    assert symbols.docstring == (found[0][0] if found else None)
    assert symbols.language == "markdown"


@pytest.mark.parametrize(("title", "plain"), MARKUP.items(), ids=MARKUP)
def test_markup(title: str, plain: str) -> None:
    (found,) = extract_document(f"# {title}\n".encode(), "x.md").definitions
    assert found.name == " ".join(plain.split())


@pytest.mark.parametrize("suffix", [".rst", ".txt"])
@pytest.mark.parametrize(("text", "found"), RST.values(), ids=RST)
def test_restructured_text(text: str, found: list[Row], suffix: str) -> None:
    assert rows(extract_document(text.encode(), f"x{suffix}")) == found


def test_values() -> None:
    symbols = extract_document(
        b"REQ-1-001\n\n# SPEC-2: A\n\nREQ-1-002 REQ-1-002, UTF-8.\n## B\nADR-3\nREQ-1-002", "a.md"
    )
    assert symbols == FileSymbols(
        language="markdown",
        docstring="SPEC-2: A",
        definitions=(
            Definition("heading", "SPEC-2: A", "spec-2-a", "", (), None, 3, 8),
            Definition("heading", "B", "b", "", (), None, 6, 8),
        ),
        references=(
            Reference("REQ-1-001", 1, "id", -1),
            Reference("SPEC-2", 3, "id", 0),
            Reference("REQ-1-002", 5, "id", 0),
            Reference("ADR-3", 7, "id", 1),
            Reference("REQ-1-002", 8, "id", 1),
        ),
        imports=(),
        lines=8,
    )


ENCODINGS = {
    "utf-8 with a mark": b"\xef\xbb\xbf# \xc3\x9c\n",
    "utf-16": "# \u00dc\n".encode("utf-16"),
    "utf-16 big": b"\xfe\xff" + "# \u00dc\n".encode("utf-16-be"),
    "latin-1": b"# \xdc\n",
}


@pytest.mark.parametrize("data", ENCODINGS.values(), ids=ENCODINGS)
def test_encodings(data: bytes) -> None:
    ((name, _, start, end),) = rows(extract_document(data, "x.md"))
    assert name in ("\u00dc", "\ufffd")
    assert (start, end) == (1, 1)


@pytest.mark.parametrize(
    ("path", "known"),
    {"README.md": True, "a/b.RST": True, "x.txt": True, "x.py": False, "md": False, "a.md/x": False, "": False}.items(),
    ids=repr,
)
def test_paths(path: str, known: bool) -> None:
    assert is_document(path) is known
    assert extract_document(b"# A\n", path).language == ("" if not known else extract_document(b"", path).language)
    assert ".md" in DOCUMENT_SUFFIXES


def test_anchor() -> None:
    assert anchor_of("What's new_in  3.12 - \u00dcber?") == "whats-new_in--312---\u00fcber"


HOSTILE = {
    "brackets": ("# " + "[" * 900 + "\n") * 400,
    "images": ("# " + "![" * 450 + "\n") * 400,
    "links": ("# " + "[a](" * 225 + "\n") * 400,
    "stars": ("# " + "**a*" * 225 + "\n") * 400,
    "lines": ("# " + "_a " * 300 + "\n") * 400,
    "ticks": ("# " + "`a``" * 225 + "\n") * 400,
    "one title": "# " + "a" * 500_000,
    "same titles": "# a\n" * 10_000,
    "stairs": "".join(">" * (depth % 19) + "# a\n" for depth in range(10_000)),
    "items": "- a\n" * 10_000 + "# a\n",
    "underlines": "aa\n--\n\n" * 30_000,
    "rulers": "==\n" * 100_000,
    "roles": (":a:" * 300 + "\n" + "=" * 900 + "\n\n") * 200,
    "targets": ("`a <" * 225 + "\n" + "=" * 900 + "\n\n") * 200,
    "ids": "REQ-1-2 " * 110_000,
    "zeros": "\0" * 300_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_takes_linear_time(text: str) -> None:
    start = time.process_time()
    for path in ("x.md", "x.rst"):
        symbols = extract_document(text.encode(), path)
        assert symbols.lines == text.count("\n") + (not text.endswith("\n"))
        assert all(len(each.name) <= 200 and len(each.qualified_name) <= 220 for each in symbols.definitions)
    assert time.process_time() - start < 2


def test_reads_the_beginning_only() -> None:
    symbols = extract_document(b"# A\n" + b"\n" * 20_000 + b"# B\n", "x.md")
    assert rows(symbols) == [("A", "a", 1, 20_002)]
    assert rows(extract_document(b"# A\n" + b"x" * (1 << 20) + b"\n# B\n", "x.md")) == [("A", "a", 1, 3)]
