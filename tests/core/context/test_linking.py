"""What the words of a text name, in every spelling, and what several things answer to."""

import time

import pytest

from orefactor.core.context.frame import LABELS, LinkedEntity, analyze_request, is_plain_word
from orefactor.core.index.symbol_index import MemoryIndex

FILES = {
    "src/pkg/__init__.py": b"",
    "src/pkg/shapes.py": b"""
MAX_SIZE = 1

class Square:
    def area(self):
        def inner(): pass

    @property
    def side(self): return 1

    @side.setter
    def side(self, value): pass

class Circle:
    def area(self): pass
    class Inner:
        def deep(self): pass

def make_shape(): pass
async def load(): pass
""",
    "src/pkg/old/shapes.py": b"# REQ-1-002: small\nclass Triangle: pass\ndef to(): pass\n",
    "src/pkg/v2/__init__.py": b"",
    "src/pkg/v2/shapes.py": b"",
    "copies/v2/__init__.py": b"",
    "copies/src/pkg/v2/shapes.py": b"",
    "tests/test_shapes.py": b"# SPEC-7\nclass TestSquare:\n    def test_area(self): pass\ndef helper(): pass\n",
    "lib/tests_of.py": b"def test_data(): pass\nclass TestBed: pass\n",
    "docs/guide.md": b"# Getting started\n\n## Usage\n\n## What's new?\n\n### TC-9\n\nAs in TC-9.\n",
    "docs/api.rst": b"Reference\n=========\n\nUsage\n-----\n",
    "README.md": b"Hi.\n",
    ".editorconfig": b"root = true\n",
    "Makefile": b"all:\n",
    "data/usage.csv": b"1\n",
    "caf\udce9/\u00fcber.py": b"def gross(): pass\n",
}
INDEX = MemoryIndex(FILES)
SHAPES = "src/pkg/shapes.py"
AREAS = (("function", f"{SHAPES}::Circle.area"), ("function", f"{SHAPES}::Square.area"))
MODULES = tuple(
    ("module", path)
    for path in ("copies/src/pkg/v2/shapes.py", "src/pkg/old/shapes.py", SHAPES, "src/pkg/v2/shapes.py")
)
V2 = (("module", "copies/v2/__init__.py"), ("module", "src/pkg/v2/__init__.py"))
USAGES = (("heading", "docs/api.rst#usage"), ("heading", "docs/guide.md#usage"))

ONE = {
    "class": ("Square", "class", f"{SHAPES}::Square"),
    "case": ("sQuArE", "class", f"{SHAPES}::Square"),
    "underscores": ("MAKESHAPE", "function", f"{SHAPES}::make_shape"),
    "dashes": ("make-shape", "function", f"{SHAPES}::make_shape"),
    "call": ("make_shape()", "function", f"{SHAPES}::make_shape"),
    "quoted": ("`make_shape`.", "function", f"{SHAPES}::make_shape"),
    "constant": ("max_size", "constant", f"{SHAPES}::MAX_SIZE"),
    "async": ("load:", "function", f"{SHAPES}::load"),
    "qualified": ("Square.area", "function", f"{SHAPES}::Square.area"),
    "qualified end": ("Inner.deep", "function", f"{SHAPES}::Circle.Inner.deep"),
    "nested": ("area.inner", "function", f"{SHAPES}::Square.area.inner"),
    "two definitions of one name": ("side", "function", f"{SHAPES}::Square.side"),
    "module and name": ("shapes.Triangle", "class", "src/pkg/old/shapes.py::Triangle"),
    "whole dotted name": ("pkg.shapes.Square.area", "function", f"{SHAPES}::Square.area"),
    "from the top": ("src.pkg.shapes.make_shape", "function", f"{SHAPES}::make_shape"),
    "entry point": ("pkg.shapes:make_shape", "function", f"{SHAPES}::make_shape"),
    "node id": ("src/pkg/shapes.py::Square.area", "function", f"{SHAPES}::Square.area"),
    "with colons": ("Square::area", "function", f"{SHAPES}::Square.area"),
    "test node id": (
        "tests/test_shapes.py::TestSquare::test_area",
        "test",
        "tests/test_shapes.py::TestSquare.test_area",
    ),
    "test": ("test_area", "test", "tests/test_shapes.py::TestSquare.test_area"),
    "test class": ("TestSquare", "test", "tests/test_shapes.py::TestSquare"),
    "what serves tests": ("helper", "function", "tests/test_shapes.py::helper"),
    "named as a test elsewhere": ("test_data", "function", "lib/tests_of.py::test_data"),
    "class named as a test elsewhere": ("TestBed", "class", "lib/tests_of.py::TestBed"),
    "module": ("test_shapes", "module", "tests/test_shapes.py"),
    "dotted module": ("old.shapes", "module", "src/pkg/old/shapes.py"),
    "package": ("pkg", "module", "src/pkg/__init__.py"),
    "dotted package": ("pkg.v2", "module", "src/pkg/v2/__init__.py"),
    "file": ("test_shapes.py", "module", "tests/test_shapes.py"),
    "other file": ("guide.md", "file", "docs/guide.md"),
    "document without its suffix": ("readme", "file", "README.md"),
    "hidden file": (".editorconfig", "file", ".editorconfig"),
    "file without suffix": ("makefile", "file", "Makefile"),
    "folder tells which": ("pkg/shapes.py", "module", SHAPES),
    "path from the top": ("src/pkg/v2/shapes.py", "module", "src/pkg/v2/shapes.py"),
    "folder of a path": ("pkg/v2/shapes.py", "module", "src/pkg/v2/__init__.py"),
    "absolute path": ("/home/u/src/pkg/shapes.py", "module", SHAPES),
    "heading of one word": ("reference", "heading", "docs/api.rst#reference"),
    "heading of two words": ("Getting started", "heading", "docs/guide.md#getting-started"),
    "anchor": ("getting-started", "heading", "docs/guide.md#getting-started"),
    "heading with marks": ("what's NEW", "heading", "docs/guide.md#whats-new"),
    "requirement": ("REQ-1-002:", "requirement", "REQ-1-002"),
    "requirement folded": ("req_1_002", "requirement", "REQ-1-002"),
    "specification": ("spec-7", "specification", "SPEC-7"),
    "id that is a heading": ("TC-9", "test", "TC-9"),
    "path in another encoding": ("gross", "function", "caf\udce9/\u00fcber.py::gross"),
}


def link(text: str) -> tuple[LinkedEntity, ...]:
    return analyze_request(text, repo=INDEX, budget=0, requester="").entities


@pytest.mark.parametrize(("text", "label", "node"), ONE.values(), ids=ONE)
def test_one(text: str, label: str, node: str) -> None:
    found = [entity for entity in link(text) if entity.node_id == node]
    assert [(entity.label, entity.ambiguous, entity.candidates) for entity in found] == [(label, False, ())]
    assert label in LABELS


SEVERAL = {
    "last segment": ("area", "area", AREAS),
    "module": ("Shapes", "Shapes", MODULES),
    "file": ("shapes.py,", "shapes.py", MODULES),
    "heading": ("Usage", "Usage", USAGES),
    "nowhere it says": ("lib/shapes.py", "shapes.py", MODULES),
    "here and anywhere": ("pkg/shapes.py like shapes.py", "shapes.py", MODULES),
    "both": ("pkg/old/shapes.py like src/pkg/shapes.py", "shapes.py", MODULES[1:3]),
    "too many places": (" ".join(f"{part}/shapes.py" for part in ("old", *range(30))), "shapes.py", MODULES),
    "end of several": ("v2/shapes.py", "shapes.py", (MODULES[0], MODULES[3])),
    "folder without such a file": ("v2/missing.py", "v2", V2),
    "folders": ("v2", "v2", V2),
}


@pytest.mark.parametrize(("text", "token", "candidates"), SEVERAL.values(), ids=SEVERAL)
def test_several(text: str, token: str, candidates: tuple[tuple[str, str], ...]) -> None:
    found = [entity for entity in link(text) if entity.token == token]
    assert found == [LinkedEntity(token, "", "", ambiguous=True, candidates=candidates)]


NOTHING = [
    "",
    "... --- :: _ - .",
    "nothing known here",
    "other.area",
    "shapes.area",
    "x.shapes",
    "make shape",
    "getting it started",
    "REQ-1-003 UTF-8 SPEC-",
    "init",
    "usage.md guide api",
    "\u00fc\udcff\x00\u202e",
    "." * 30_000,
    "a/" * 20_000,
    "a." * 20_000,
    "x " * 10_000 + "Square",
]


@pytest.mark.parametrize("text", NOTHING, ids=[repr(text[:20]) for text in NOTHING])
def test_nothing(text: str) -> None:
    assert link(text) == ()


def test_order_and_once_each() -> None:
    found = link("Use make-shape in TestSquare, getting started with MakeShape and test_square; to Square.")
    assert [entity.token for entity in found] == ["make-shape", "TestSquare", "getting started", "to", "Square"]
    assert [is_plain_word(entity.token) for entity in found] == [False, False, False, True, False]


PLAIN = {"add": True, "Add": True, "the": True, "tests": True, "ADD": False, "add_": False, "area": False, "": False}


@pytest.mark.parametrize(("word", "plain"), PLAIN.items(), ids=PLAIN)
def test_plain_words(word: str, plain: bool) -> None:
    assert is_plain_word(word) is plain


def test_nothing_of_an_empty_tree() -> None:
    assert analyze_request("add REQ-1 to x.py", repo=MemoryIndex({}), budget=0, requester="").entities == ()


def test_many_files_and_names() -> None:
    files = {f"pkg{number % 100}/module{number}.py": b"def run(): pass\n" for number in range(3_000)}
    index = MemoryIndex({**files, **{f"data/{number}.bin": b"" for number in range(100_000)}})
    index.folded(["run"])
    start = time.process_time()
    found = analyze_request("run module77.run and " + "word " * 3_000, repo=index, budget=0, requester="").entities
    assert time.process_time() - start < 3
    assert [(entity.token, len(entity.candidates)) for entity in found] == [("run", 1_000), ("module77.run", 0)]


def test_at_most_so_many_files() -> None:
    names = ("run", "walk", "swim")
    files = {f"{name}{number}.py": f"def {name}(): pass\n".encode() for name in names for number in range(900)}
    found = analyze_request("run walk swim", repo=MemoryIndex(files), budget=0, requester="").entities
    assert [len(entity.candidates) for entity in found] == [900, 900, 200]
