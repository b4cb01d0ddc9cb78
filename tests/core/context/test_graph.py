"""Which files a graph is made of, and which edges: by imports exactly, else by the names of members."""

from __future__ import annotations

import pytest
from shapes_project import FILES, index

from orefactor.core.context.graph import Graph
from orefactor.core.context.graph_building import graph_of
from orefactor.core.context.kept_resolver import KeptResolver
from orefactor.core.context.neighbourhood import Around, counterparts, files_around
from orefactor.core.index.symbol_index import MemoryIndex

SHAPES = "src/geo/shapes.py"


def _graph(files: MemoryIndex, whole: list[str] | None = None) -> Graph:
    resolver = KeptResolver(files)
    paths = files_around(resolver, []).paths
    return graph_of(resolver, Around(paths, paths if whole is None else whole, paths if whole is None else whole))


GRAPH = _graph(index())
EDGES = [
    pytest.param("src/app.py::show", f"{SHAPES}::area", "calls", True, id="through-alias-and-package"),
    pytest.param("src/app.py::show", "src/geo/other.py::total", "calls", True, id="through-module-and-star"),
    pytest.param("src/geo/other.py::total", f"{SHAPES}::check", "calls", True, id="through-relative-import"),
    pytest.param(f"{SHAPES}::Square", f"{SHAPES}::Shape", "inherits", True, id="base"),
    pytest.param(f"{SHAPES}::Shape.area", f"{SHAPES}::Shape.scaled", "calls", True, id="self"),
    pytest.param(f"{SHAPES}::Square.area", f"{SHAPES}::check", "calls", True, id="same-file"),
    pytest.param(f"{SHAPES}::area", f"{SHAPES}::check", "calls", True, id="from-inner-function"),
    pytest.param("src/geo/other.py::total", f"{SHAPES}::Shape.area", "calls", False, id="by-name-shared"),
    pytest.param("tests/test_shapes.py::test_square", f"{SHAPES}::Square", "tests", True, id="test"),
    pytest.param("tests/test_shapes.py", SHAPES, "tests", True, id="test-by-name"),
    pytest.param("src/geo/__init__.py", f"{SHAPES}::area", "imports", True, id="re-export"),
    pytest.param("src/geo/__init__.py", "src/geo/other.py", "imports", True, id="star"),
    pytest.param(SHAPES, f"{SHAPES}::LIMIT", "holds", True, id="holds-constant"),
    pytest.param(f"{SHAPES}::Square", f"{SHAPES}::Square.area", "holds", True, id="holds-method"),
    pytest.param(f"{SHAPES}::Square.area", "REQ-1-002", "uses", True, id="mentions"),
    pytest.param("docs/spec.md#areas", "REQ-1-002", "uses", True, id="document-mentions"),
    pytest.param("src/far.py::lonely", "src/far.py::nobody", "calls", True, id="plain"),
]


@pytest.mark.parametrize(("source", "target", "kind", "is_certain"), EDGES)
def test_edges(source: str, target: str, kind: str, *, is_certain: bool) -> None:
    edge = GRAPH.edges[source, target]
    assert (edge.kind, edge.is_certain) == (kind, is_certain)


def test_what_makes_no_edge() -> None:
    assert not [pair for pair in GRAPH.edges if pair[0] == pair[1]]
    assert f"{SHAPES}::area.inner" not in GRAPH.nodes
    assert GRAPH.nodes[f"{SHAPES}::area"].lines == (31, 35), "the last of the overloads is the function"
    assert ("src/app.py::run", "src/geo/other.py::run") not in GRAPH.edges
    assert GRAPH.nodes["REQ-1-002"].path == ""


def test_what_lies_in_functions_is_part_of_them() -> None:
    deep = b"""import geo

@geo.other.run
def outer():
    def inner():
        def innermost():
            return geo.area(1)
"""
    graph = _graph(index(**{"src/deep.py": deep}))
    assert [node for node in graph.nodes if node.startswith("src/deep.py")] == ["src/deep.py", "src/deep.py::outer"]
    assert graph.edges["src/deep.py::outer", f"{SHAPES}::area"].kind == "calls"


def test_a_certain_edge_outweighs_a_possible_one() -> None:
    text = b"from geo.shapes import Square\n\ndef f(x):\n    Square.area\n    x.area()\n"
    assert _graph(index(**{"src/g.py": text})).edges["src/g.py::f", f"{SHAPES}::Square.area"].is_certain


def test_shared_weight_and_names_of_many() -> None:
    one = GRAPH.edges["src/geo/other.py::total", f"{SHAPES}::Shape.area"].weight
    many = "".join(f"class C{number}:\n    def area(self): ...\n" for number in range(7)).encode()
    split = _graph(index(**{"src/many.py": many[: 30 * 4]}))
    assert split.edges["src/geo/other.py::total", f"{SHAPES}::Shape.area"].weight < one
    assert ("src/geo/other.py::total", f"{SHAPES}::Shape.area") not in _graph(index(**{"src/many.py": many})).edges
    only = _graph(
        index(**{"src/start.py": b"class Engine:\n    def start(self): ...\n    @property\n    def x(self): ...\n"})
    )
    assert only.edges["src/app.py::run", "src/start.py::Engine.start"].is_certain


def test_of_files_further_off_only_what_leads_to_the_others_counts() -> None:
    more = b"from geo.other import total\nfrom geo.shapes import Square\n\nclass Odd(Square): ...\nclass Odd: ...\n"
    graph = _graph(index(**{"lib/more.py": more}), whole=[SHAPES])
    assert graph.edges["lib/more.py::Odd", f"{SHAPES}::Square"].kind == "inherits"
    assert ("lib/more.py", "src/geo/other.py::total") not in graph.edges
    assert ("src/app.py::show", f"{SHAPES}::area") not in graph.edges, "it is called by another name there"
    assert ("tests/test_shapes.py::test_square", f"{SHAPES}::Square") in graph.edges
    assert ("src/far.py::lonely", "src/far.py::nobody") not in graph.edges


def _large(**more: bytes) -> MemoryIndex:
    return index(**{f"lib/m{number:03}.py": b"def filler():\n    return 1\n" for number in range(450)}, **more)


def _around(files: MemoryIndex, *seeds: str) -> Around:
    return files_around(KeptResolver(files), list(seeds))


def test_a_large_repository_is_read_around_the_seeds() -> None:
    files = _large(
        **{
            "lib/uses.py": b"from geo.shapes import LIMIT, nothing\nprint(LIMIT)\n",
            "lib/kind.py": b"class Other:\n    def scaled(self): ...\n",
        }
    )
    near = _around(files, SHAPES)
    assert {SHAPES, "src/geo/__init__.py", "src/geo/other.py", "lib/uses.py", "tests/test_shapes.py"} <= set(near.paths)
    assert "lib/m001.py" not in near.paths and "src/far.py" not in near.paths
    assert len(near.paths) <= 48 and set(near.whole) <= set(near.paths)
    assert "tests/test_shapes.py" in _around(files, f"{SHAPES}::Square.area").paths
    assert set(_around(files, "REQ-1-002").paths) == {"docs/spec.md", SHAPES, "src/geo/__init__.py"} - {
        "src/geo/__init__.py"
    }
    assert SHAPES in _around(files, "tests/test_shapes.py").paths
    assert "docs/spec.md" in _around(files, "docs/spec.md#areas").paths


def test_without_seeds_the_most_referred_files_are_read() -> None:
    paths = _around(_large()).paths
    assert len(paths) <= 48 and SHAPES in paths
    assert set(_around(index()).paths) == {path for path in FILES if not path.endswith(".toml")}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("src/shapes.py", ("test_shapes.py", "shapes_test.py", "test_shapes.py")),
        ("src/_shapes.py", ("test__shapes.py", "_shapes_test.py", "test_shapes.py")),
        ("tests/test_shapes.py", ("shapes.py", "_shapes.py")),
        ("tests/shapes_test.py", ("shapes.py", "_shapes.py")),
        ("tests/conftest.py", ()),
    ],
)
def test_files_and_tests_are_named_after_each_other(path: str, names: tuple[str, ...]) -> None:
    assert counterparts(path) == names
