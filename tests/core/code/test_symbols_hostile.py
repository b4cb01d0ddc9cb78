"""Sources that are broken, deep, long or no sources at all: something comes of them, in time that grows as they do."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from orefactor.core.code.languages import LANGUAGES
from orefactor.core.code.symbols import FileSymbols, extract

pytestmark = pytest.mark.untraced

MANY = 3000


def read(data: bytes, path: str = "x.py") -> FileSymbols:
    found = extract(data, path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param(b"def a(): pass\nx = (1\ndef b(): pass\n", {"a"}, id="open-bracket"),
        pytest.param(b"def a(): pass\n\nx = = 1\n\ndef b(): pass\n", {"a", "b"}, id="bad-line"),
        pytest.param(b"<<<<<<< ours\ndef a(): pass\n=======\ndef b(): pass\n>>>>>>> theirs\n", {"a"}, id="conflict"),
        pytest.param(b"def f():\n    print >>x, `y`\n    exec z in q\n    raise E, 'x'\n", {"f"}, id="python-2"),
        pytest.param(b"def f(): pass\n\0\0def g(): pass\n", {"f"}, id="nul"),
        pytest.param(bytes(range(256)) * 200, set[str](), id="bytes"),
        pytest.param(b"\xff\xfe" + b"\x00\xd8" * 100, set[str](), id="lone-surrogates"),
        pytest.param(b"\x0cdef f():\n\x0c\n\treturn 1\n", {"f"}, id="form-feeds-and-tabs"),
        pytest.param(b"def " + b"f" * 100_000 + b"(): x." + b"g" * 100_000 + b"()", set[str](), id="long-names"),
        pytest.param(b"X = '" + b"x" * 1_000_000 + b"'\ndef f(): pass\n", {"X", "f"}, id="megabyte-line"),
        pytest.param(b"X = " + b"[" * 10_000 + b"]" * 10_000 + b"\ndef f(): pass\n", {"X", "f"}, id="deep-lists"),
        pytest.param(b"x = " + b"(" * 10_000, set[str](), id="open-brackets"),
        pytest.param(b"x = a" + b".b()" * 10_000, {"x"}, id="chain"),
        pytest.param(b"not " * 10_000, set[str](), id="words-of-the-grammar"),
        pytest.param(b"*" * 50_000 + b"\ndef f(): pass\n", set[str](), id="operators"),
        pytest.param(b"def f(\n" + b"  # why\n" * 30_000 + b"): pass\n", {"f"}, id="comments-in-brackets"),
        pytest.param(b"if a:\n  X = 1\n" + b"  # REQ-1\n" * 30_000 + b"  Y = 2\n", {"X", "Y"},
                     id="comments-in-a-block"),
        pytest.param(b"x = a" + b" \\\n" * 30_000 + b"\nY = 2\n", {"x", "Y"}, id="continued-lines"),
        pytest.param(b"".join(b" " * n + b"def f():\n" for n in range(300)) + b" " * 300 + b"pass\n", {"f"},
                     id="nested-functions"),
        pytest.param(b"def f(): return a.b(C)\n" * 20_000, {"f"}, id="20000-lines"),
    ],
)  # fmt: skip
def test_python_gives_what_it_can(source: bytes, names: set[str]) -> None:
    found = read(source)
    assert names <= {definition.name for definition in found.definitions}
    for definition in found.definitions:
        assert 1 <= definition.start_line <= definition.end_line <= max(found.lines, 1)
        assert len(definition.signature) <= 1000 and len(definition.qualified_name) <= 200 * len(definition.name)
    for reference in found.references:
        assert 1 <= reference.line <= max(found.lines, 1) and -1 <= reference.owner < len(found.definitions)


@pytest.mark.parametrize("path", ["x.py", "x.c", "x.rb"])
def test_what_is_no_source_of_the_language_is_given_up(path: str) -> None:
    found = read(b"<!-- " * 5000 + b"\nx", path)
    assert found == FileSymbols(found.language, None, (), (), (), 2, broken=True)


def test_comments_in_a_long_run_still_hold_ids() -> None:
    found = read(b"def f():\n  x\n" + b"  # REQ-1\n" * 500 + b"  y\n")
    assert [it.line for it in found.references if it.kind == "id"] == list(range(3, 503))
    assert {it.owner for it in found.references} == {0}


GROWING: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "functions": ("x.py", lambda n: b"@d(a)\ndef f(a): return g(a)\n" * n),
    "attributes": ("x.py", lambda n: b"x = a" + b".a" * n),
    "imports": ("x.py", lambda n: b"from a import (" + b"b as c,\n" * n + b")\n"),
    "ids": ("x.py", lambda n: b"x = 'REQ-1'\n" * n),
    "header": ("x.py", lambda n: b"def f(" + b"a,  # why\n" * n + b"): pass\n"),
    "deep-header": ("x.py", lambda n: b"def f(a=" + b"[" * n + b"#\n" + b"]" * n + b"): pass\n"),
    "annotations": ("x.py", lambda n: b"x: 'A[B]'\n" * n),
    "assignments": ("x.py", lambda n: b"a = " * n + b"1\n"),
    "js-chain": ("x.js", lambda n: b"x = a" + b".a()" * n),
    "js-imports": ("x.js", lambda n: b"import {" + b"a as b, " * n + b"} from 'x';"),
    "js-comments": ("x.js", lambda n: b"/*a*/ " * n + b"function f(){}"),
    "js-far-comment": ("x.js", lambda n: b"/*a*/\n" + b"function f(){} " * n),
    "js-nested": ("x.js", lambda n: b"function f(){" * n),
    "rust-use": ("x.rs", lambda n: b"use a::{" + b"b, " * n + b"};"),
    "rust-deep-use": ("x.rs", lambda n: b"use a::{" + b"b::{" * n),
    "rust-attributes": ("x.rs", lambda n: b"#[a]\n" * n + b"fn f() {}\n"),
    "c-enum": ("x.c", lambda n: b"enum E {" + b"A, " * n + b"};"),
    "cpp-templates": ("x.cpp", lambda n: b"template<class T> " * n + b"class A {};"),
    "ruby-chain": ("x.rb", lambda n: b"a" + b".b" * n),
}


def lines_run(path: str, data: bytes) -> int:
    """How many lines of our own code reading a source runs through: a clock that no other process can slow down."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    try:
        read(data, path)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", GROWING)
def test_work_grows_with_the_size(name: str) -> None:
    path, source = GROWING[name]
    read(source(1), path)  # loads what is loaded once
    small, large = lines_run(path, source(200)), lines_run(path, source(800))
    assert large <= 5 * small + 2000


@pytest.mark.parametrize("path", [f"x{row.suffixes[0]}" for row in LANGUAGES.values()])
def test_no_language_minds_what_it_is_given(path: str) -> None:
    for data in (
        b"",
        b"\0" * 1000,
        bytes(range(256)) * 20,
        b"\xff\xfe" + "class A".encode("utf-16-le"),
        b"(" * MANY,
        b"{" * MANY,
        b"class A { f(" * 500,
        b"def f(\n" * 500,
        b'"' * MANY,
        b"/* " * MANY,
        b"<?php class \xe9 extends {",
        b"a." * MANY,
    ):
        found = read(data, path)
        assert all(1 <= definition.start_line <= definition.end_line for definition in found.definitions)
        assert all(definition.name for definition in found.definitions)
