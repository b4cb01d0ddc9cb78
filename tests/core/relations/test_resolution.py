"""What names mean: definitions, modules, what lies elsewhere, or nothing that the text tells."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.core.relations.resolution import Elsewhere, Meaning, Module, Resolver, Symbol
from orefactor.core.relations.uses import uses_of, using_tests

GEO = {
    "geo/__init__.py": "from .shapes import Square as Square, area\nfrom . import units\nfrom .late import *\n",
    "geo/shapes.py": "class Shape:\n    def side(self): ...\n\n\nclass Square(Shape): ...\n\n\ndef area(): ...\n",
    "geo/units.py": "metre = 1\n\n\ndef _hidden(): ...\n",
    "geo/late.py": "def late(): ...\n\n\ndef _own(): ...\n",
    "space/inner/one.py": "def one(): ...\n",
}


def shown(meaning: Meaning) -> str:
    match meaning:
        case Symbol():
            return meaning.node_id
        case Module(path):
            return path
        case Elsewhere():
            return "elsewhere"
        case None:
            return "?"


def last_meaning(text: str, files: Mapping[str, str] = GEO) -> str:
    """What the last reference of a file `x.py` means."""
    every = {**files, "x.py": text}
    resolver = Resolver(MemoryIndex({path: content.encode() for path, content in every.items()}))
    file = resolver.file("x.py")
    assert file is not None
    return shown(resolver.meaning("x.py", file.references[-1]))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param("from geo import area\narea", "geo/shapes.py::area", id="handed-on"),
        pytest.param("from geo import area as a\na()", "geo/shapes.py::area", id="alias"),
        pytest.param("import geo\ngeo.area()", "geo/shapes.py::area", id="attribute-of-a-package"),
        pytest.param("import geo.shapes\ngeo.shapes.area()", "geo/shapes.py::area", id="dotted"),
        pytest.param("import geo.shapes as s\ns.area()", "geo/shapes.py::area", id="module-alias"),
        pytest.param("import space.inner.one\nspace.inner.one.one()", "space/inner/one.py::one", id="folders-only"),
        pytest.param("import space.inner.one\nspace.other()", "?", id="folder-without-a-file"),
        pytest.param("import os.path\nos.path.join()", "elsewhere", id="outside"),
        pytest.param("from os import path\npath.join()", "elsewhere", id="from-outside"),
        pytest.param("import geo\ngeo.units", "geo/units.py", id="module"),
        pytest.param("from geo import units\nunits.metre", "geo/units.py::metre", id="constant-of-a-module"),
        pytest.param("from geo import late\nlate()", "geo/late.py::late", id="star"),
        pytest.param("from geo import _own\n_own()", "?", id="star-leaves-out-private-names"),
        pytest.param("from geo import nothing\nnothing()", "?", id="not-there"),
        pytest.param("import geo\ngeo.shapes.Square.side", "geo/shapes.py::Shape.side", id="inherited"),
        pytest.param("from geo.shapes import *\narea()", "geo/shapes.py::area", id="star-of-the-module"),
        pytest.param("from numpy import *\narea()", "?", id="star-from-outside"),
        pytest.param("import geo\nclass A(geo.Square): ...", "geo/shapes.py::Square", id="base"),
        pytest.param("class A:\n    class B: ...\n    class C(B): ...", "x.py::A.B", id="base-in-the-class-around"),
        pytest.param("class A: ...\nclass B:\n    class A(A): ...", "x.py::B.A", id="base-of-its-own-name"),
        pytest.param("class A:\n    def f(self): ...\n    def g(self):\n        f()", "?", id="not-seen-in-methods"),
        pytest.param("def f():\n    def g(): ...\n    g()", "x.py::f.g", id="inner-function"),
        pytest.param(
            "class A:\n    def f(self): ...\nclass B(A):\n    def g(self):\n        super().f()", "?", id="super"
        ),
        pytest.param("class A:\n    def f(self):\n        self.f()", "x.py::A.f", id="self"),
        pytest.param("class A:\n    def f(self):\n        self.x.f()", "?", id="attribute-of-self"),
        pytest.param("def g(x):\n    x().area()\nfrom geo import area", "?", id="attribute-of-a-result"),
        pytest.param("def f(it):\n    it.area()", "?", id="attribute-of-a-parameter"),
        pytest.param(f"from geo import area\n{'1;' * 2000}area()", "geo/shapes.py::area", id="long-line"),
    ],
)
def test_what_a_reference_means(text: str, meaning: str) -> None:
    assert last_meaning(text) == meaning


def test_loops_end() -> None:
    many = {f"m{n}.py": "".join(f"from m{other} import *\n" for other in range(30)) for n in range(30)}
    assert last_meaning("from m0 import *\nlost()", many) == "?"
    chain = {f"c{n}.py": f"from c{n + 1} import f\n" for n in range(40)} | {"c40.py": "def f(): ...\n"}
    assert last_meaning("from c39 import f\nf()", chain) == "c40.py::f"
    assert last_meaning("from c0 import f\nf()", chain) == "?"
    assert last_meaning("class A(B): ...\nclass B(A): ...\nA.f") == "?"
    classes = "class C0: ...\n" + "".join(f"class C{n}(C{n - 1}): ...\n" for n in range(1, 200))
    assert last_meaning(f"{classes}C199.f") == "?"
    deep = "".join(f"{' ' * n}def f{n}():\n" for n in range(80)) + " " * 80 + "f0()\n"
    assert last_meaning(deep) == "x.py::f0"


def test_places_that_are_none() -> None:
    resolver = Resolver(MemoryIndex({"x.py": b"def f(): ...\n", "x.bin": b"\0"}))
    assert (resolver.symbol("x.py", 1), resolver.symbol("x.py", -1), resolver.symbol("lost.py", 0)) == (
        None,
        None,
        None,
    )
    assert resolver.plain("x.bin", "f", -1) is None
    assert resolver.lines.line("x.py", 0) == resolver.lines.line("x.py", 9) == resolver.lines.line("lost.py", 1) == ""
    assert resolver.lines.line("x.bin", 1) == "\0"
    assert shown(resolver.member(resolver.named("x.py", "f"), "g")) == "?"


OTHER = {
    "web/area.ts": "export function area(x: number) { return x }\n",
    "web/main.ts": "import { area as a } from './area';\nimport * as all from './area';\nlog(a(2), all.area(3));\n",
    "go/geo/a.go": "package geo\n\nfunc Area(x int) int { return x }\n",
    "go/geo/b.go": "package geo\n\nfunc B() int { return Area(2) }\n",
    "go/main.go": 'package main\n\nimport "example.com/go/geo"\n\nfunc main() { geo.Area(1) }\n',
    "c/area.h": "int area(int x);\n",
    "c/area.c": '#include "area.h"\nint area(int x) { return x; }\n',
    "c/main.c": '#include "area.h"\nint main(void) { return area(1); }\n',
}


@pytest.mark.parametrize(
    ("path", "name", "certain", "possible"),
    [
        ("web/area.ts", "area", ["web/main.ts:1", "web/main.ts:3"], []),
        ("go/geo/a.go", "Area", ["go/main.go:5"], ["go/geo/b.go:3"]),
        ("c/area.c", "area", [], ["c/main.c:2"]),
    ],
)
def test_uses_in_other_languages(path: str, name: str, certain: list[str], possible: list[str]) -> None:
    pytest.importorskip("tree_sitter_language_pack")
    resolver = Resolver(MemoryIndex({at: text.encode() for at, text in OTHER.items()}))
    symbol = resolver.named(path, name)
    assert symbol is not None
    found = uses_of(resolver, [symbol]).found
    assert [f"{use.path}:{use.line}" for use in found if use.is_certain] == certain
    assert [f"{use.path}:{use.line}" for use in found if not use.is_certain] == possible
    assert dict(using_tests(resolver, found)) == {}
