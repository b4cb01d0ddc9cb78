"""The symbols of Python sources: what is defined, used and imported, in sound, odd and old files."""

from __future__ import annotations

import pytest

from orefactor.core.code.symbols import Definition, FileSymbols, Import, Reference, extract

SOURCE = b'''\
"""Shapes.

More."""
import os.path as p, a.b
from ..shapes import area as ar, x
from . import (
    one,  # why
    two as zwei,
)
from stuff import *

MAX = 3
MAX = 4
first, *rest = 1, 2
type Alias[T] = list[T] | Foo


class Color(enum.Enum, Base[int], metaclass=Meta):
    RED = 1
    name: str = "x"

    @dec.a(MAX)
    @other
    def paint(self, wall: "Wall", more: list["Brush"], kind: Literal["a", "b"] = DEFAULT) -> "shapes.Wall":
        """Paint it.

        As REQ-106-011 says; UTF-8 is none.
        """
        area = wall.area
        self.helper(wall, key=MAX, len=len(wall), bad=1 - SEC-1)  # see ADR-12

        def inner(T):
            global MAX
            MAX = zwei(ar (area))
            return [it for it in T if it == inner]

        return (wall
            .foo()
            .bar)


async def f[U](a: U, *, b: Optional[Foo] = None):
    try:
        pass
    except ErrorX as e:
        raise Other from e
    match a:
        case mod.Point(x=1):
            pass
        case Color.RED | [head, *tail]:
            pass
    MAX = lambda first, *y: first + y
    return f"{zwei.x} {MAX}"
'''


def read(data: bytes, path: str = "x.py") -> FileSymbols:
    found = extract(data, path)
    assert found is not None
    return found


def used(symbols: FileSymbols) -> list[str]:
    """The references, as `line kind receiver.name in owner`."""
    owners = [*(definition.qualified_name for definition in symbols.definitions), "-"]
    return [
        f"{it.line} {it.kind} {it.receiver + '.' if it.receiver else ''}{it.name} in {owners[it.owner]}"
        for it in symbols.references
    ]


def test_definitions() -> None:
    found = read(SOURCE)
    assert (found.language, found.docstring, found.lines, found.broken) == ("python", "Shapes.", 53, False)
    assert [(it.kind, it.qualified_name, it.start_line, it.end_line) for it in found.definitions] == [
        ("constant", "MAX", 12, 12),
        ("constant", "first", 14, 14),
        ("constant", "rest", 14, 14),
        ("constant", "Alias", 15, 15),
        ("class", "Color", 18, 39),
        ("constant", "Color.RED", 19, 19),
        ("method", "Color.paint", 22, 39),
        ("function", "Color.paint.inner", 32, 35),
        ("function", "f", 42, 53),
    ]
    assert found.definitions[0].signature == "MAX = 3"
    assert found.definitions[3].signature == "type Alias[T] = list[T] | Foo"
    assert found.definitions[6] == Definition(
        "method",
        "paint",
        "Color.paint",
        'def paint(self, wall: "Wall", more: list["Brush"], kind: Literal["a", "b"] = DEFAULT) -> "shapes.Wall"',
        ("dec.a(MAX)", "other"),
        "Paint it.",
        22,
        39,
    )


def test_imports() -> None:
    assert read(SOURCE).imports == (
        Import("os.path", None, "p", 4),
        Import("a.b", None, "a.b", 4),
        Import("..shapes", "area", "ar", 5),
        Import("..shapes", "x", "x", 5),
        Import(".", "one", "one", 7),
        Import(".", "two", "zwei", 8),
        Import("stuff", "*", "", 10),
    )


def test_references() -> None:
    assert used(read(SOURCE)) == [
        "15 annotation Foo in -",
        "18 name enum in Color",
        "18 base enum.Enum in Color",
        "18 base Base in Color",
        "18 name Meta in Color",
        "22 name dec in Color.paint",
        "22 decorator dec.a in Color.paint",
        "22 name MAX in Color.paint",
        "23 decorator other in Color.paint",
        "24 annotation Wall in Color.paint",
        "24 annotation Brush in Color.paint",
        "24 annotation Literal in Color.paint",
        "24 name DEFAULT in Color.paint",
        "24 annotation shapes.Wall in Color.paint",
        "27 id REQ-106-011 in Color.paint",
        "29 name wall.area in Color.paint",
        "30 call self.helper in Color.paint",
        "30 name MAX in Color.paint",
        "30 name SEC in Color.paint",
        "30 id ADR-12 in Color.paint",
        "33 name MAX in Color.paint.inner",
        "34 call zwei in Color.paint.inner",
        "34 call ar in Color.paint.inner",
        "35 name inner in Color.paint.inner",
        "38 call wall.foo in Color.paint",
        "39 name bar in Color.paint",
        "42 annotation Optional in f",
        "42 annotation Foo in f",
        "45 name ErrorX in f",
        "46 name Other in f",
        "48 name mod in f",
        "48 call mod.Point in f",
        "50 name Color in f",
        "50 name Color.RED in f",
        "53 name zwei in f",
        "53 name zwei.x in f",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("print(len(x), self, cls)", ["1 name x in -"], id="builtins"),
        pytest.param("def len(a): return len(a)", ["1 call len in len"], id="builtin-defined-here"),
        pytest.param("from m import open\nopen(1)", ["2 call open in -"], id="builtin-imported"),
        pytest.param("for i in items: f(i)", ["1 name items in -", "1 call f in -"], id="loop-variable"),
        pytest.param("def f(a=B, *c, **d): return a, c, d", ["1 name B in f"], id="parameters"),
        pytest.param("x = [a for a, (b, c) in rows]", ["1 name rows in -"], id="comprehension"),
        pytest.param("with a as (b, c), d as [e]: b, c, e", ["1 name a in -", "1 name d in -"], id="with"),
        pytest.param("if (n := f()): n", ["1 call f in -"], id="walrus"),
        pytest.param("a.b.c.d()", ["1 name a in -", "1 name a.b in -", "1 name c in -", "1 call d in -"], id="chain"),
        pytest.param("f().g [1].h", ["1 call f in -", "1 name g in -", "1 name h in -"], id="no-plain-receiver"),
        pytest.param("X = 1\nX == Y", ["2 name X in -", "2 name Y in -"], id="comparison-binds-nothing"),
        pytest.param("f(a = b, c==d)", ["1 call f in -", "1 name b in -", "1 name c in -", "1 name d in -"],
                     id="keyword"),
        pytest.param("@a.b\n@c\nclass D: pass", ["1 name a in D", "1 decorator a.b in D", "2 decorator c in D"],
                     id="decorators"),
        pytest.param("class A(b(C), d.e[F]): pass",
                     ["1 base b in A", "1 name C in A", "1 name d in A", "1 base d.e in A", "1 name F in A"],
                     id="bases"),
        pytest.param("print x, `y`\nexec z", ["1 name x in -", "2 name z in -"], id="python-2"),
        pytest.param("x: 'A | b.C'\ny: 'not, a (type'", ["1 annotation A in -", "1 annotation b.C in -"],
                     id="forward-references"),
        pytest.param("class A[T]:\n  def f(self, t: T) -> B: ...", ["2 annotation B in A.f"], id="type-parameters"),
        pytest.param("def f():\n  X = 1\n  class A:\n    def g(self): return X\nX = 2", list[str](), id="closure"),
        pytest.param("class A:\n  X = 1\n  def g(self): return X\nX = 2", ["3 name X in A.g"],
                     id="class-is-no-closure"),
        pytest.param("def f(X):\n  X\ndef g():\n  return X\nX = 1", ["4 name X in g"], id="local-elsewhere"),
        pytest.param("x = '''\nTST-1 and SPEC-2.1,\nx-REQ-1 REQ-1-X'''",
                     ["2 id TST-1 in -", "2 id SPEC-2.1 in -"], id="ids"),
        pytest.param("from a import b\nb (1)\nb\\\n (1)", ["2 call b in -", "3 call b in -"], id="call-apart"),
        pytest.param("m.\u00e9t\u00e9(\u00fc)", ["1 name m in -", "1 call m.\u00e9t\u00e9 in -", "1 name \u00fc in -"],
                     id="other-letters"),
        pytest.param("class A(", ["1 call A in -"], id="unfinished"),
        pytest.param("x = t'{a}' + rb'b'", ["1 name a in -"], id="template-string"),
        pytest.param("try: a()\nexcept* B as e: e", ["1 call a in -", "2 name B in -"], id="exception-group"),
    ],
)  # fmt: skip
def test_what_is_used(source: str, expected: list[str]) -> None:
    assert used(read(source.encode())) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("import a", [("a", None, "a", 1)], id="module"),
        pytest.param("import a.b as c, d", [("a.b", None, "c", 1), ("d", None, "d", 1)], id="alias"),
        pytest.param("from .import a", [(".", "a", "a", 1)], id="no-space"),
        pytest.param("from . . a import \\\n b as \\\n c", [("..a", "b", "c", 2)], id="continued"),
        pytest.param("from importlib import import_module", [("importlib", "import_module", "import_module", 1)],
                     id="import-in-names"),
        pytest.param("from __future__ import annotations", [("__future__", "annotations", "annotations", 1)],
                     id="future"),
        pytest.param("def f():\n  if x:\n    from a import b", [("a", "b", "b", 3)], id="nested"),
        pytest.param("from a import (b, # (c\n\n d as e,)", [("a", "b", "b", 1), ("a", "d", "e", 3)], id="comments"),
        pytest.param("from import", [], id="broken"),
    ],
)  # fmt: skip
def test_what_is_imported(source: str, expected: list[tuple[str, str | None, str, int]]) -> None:
    assert read(source.encode()).imports == tuple(Import(*item) for item in expected)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param("if X:\n  A = 1\nelse:\n  A = 2", ["A"], id="first-of-several"),
        pytest.param("a = b = 1", ["a", "b"], id="chained"),
        pytest.param("a.b = c[0] = 1\na += 1\na", [], id="no-names"),
        pytest.param("class A:\n  x = 1\n  Y = 2\n  (Z, [W]) = 3", ["A", "A.Y", "A.Z", "A.W"], id="class"),
        pytest.param("def f():\n  X = 1", ["f"], id="function"),
        pytest.param("x: int\ntype Y = int", ["x", "Y"], id="declared"),
        pytest.param("X = f(\n  1)", ["X"], id="several-lines"),
    ],
)
def test_constants(source: str, names: list[str]) -> None:
    found = read(source.encode())
    assert [definition.qualified_name for definition in found.definitions] == names
    assert all("\n" not in definition.signature for definition in found.definitions)


def test_the_same_symbols_in_any_encoding() -> None:
    text = "# coding: {}\nfrom \u00e9 import (a,\n  b)\nclass C:\n    def m(self): return a.\u00fc()  # REQ-1\n"
    plain = read(text.format("utf-8").encode())
    assert [str(it.name) for it in plain.references] == ["a", "\u00fc", "REQ-1"]
    for data in (
        text.format("latin-1").encode("latin-1"),
        b"\xef\xbb\xbf" + text.format("utf-8").encode(),
        b"\xff\xfe" + text.format("utf-8").encode("utf-16-le"),
        text.format("utf-8").replace("\n", "\r\n").encode(),
        text.format("utf-8").replace("\n", "\r").encode(),
        text.format("none-such").encode("latin-1"),
    ):
        found = read(data)
        assert (found.definitions, found.references, found.imports) == (
            plain.definitions,
            plain.references,
            plain.imports,
        )


def test_other_paths() -> None:
    assert read(b"# Title\n\nREQ-1\n", "doc/a.MD").definitions[0].kind == "heading"
    assert read(b"x = 1\n", "a/x.PYI").language == "python"
    for path in ("x", "py", ".py", "x.bin", "x.py/y", "x.py.orig"):
        assert extract(b"x = 1\n", path) is None
    assert read(b"").lines == 0 and read(b"x").lines == 1 and read(b"x\n").lines == 1
    assert Reference("a", 1, "name", -1) in read(b"a").references
