"""What an index of files in memory answers; it is what the stored one is compared with."""

from __future__ import annotations

from orefactor.core.index.symbol_index import MemoryIndex, SymbolIndex

FILES = {
    "src/shapes.py": b"class Square:\n    def Area_of(self):\n        return total()\n\nclass Square: pass\n",
    "src/app.py": b"from .shapes import Square\nimport os.path\n\ndef total():\n    return Square().area_of()\n",
    "README.md": b"# Install it\n\nSee REQ-1-002.\n",
    "data.bin": b"\0\1",
    "binary.py": b"def f(): pass\n\0",
    "\udce9.py": b"def total(): pass\n",
}
INDEX: SymbolIndex = MemoryIndex(FILES)


def test_paths_and_sources() -> None:
    assert list(INDEX.paths) == ["README.md", "binary.py", "data.bin", "src/app.py", "src/shapes.py", "\udce9.py"]
    assert INDEX.source("data.bin") == b"\0\1"
    assert INDEX.source("none") is None


def test_symbols() -> None:
    found = INDEX.symbols(["src/app.py", "data.bin", "binary.py", "none", "README.md", "src/app.py"])
    assert list(found) == ["README.md", "src/app.py"]
    assert found["src/app.py"].language == "python"


def test_where_names_are_defined() -> None:
    names = ["areaof", "square.areaof", "Square", "square", "none", "installit"]
    assert INDEX.folded(names) == {
        "areaof": [("src/shapes.py", 1)],
        "square": [("src/shapes.py", 0), ("src/shapes.py", 2)],
        "square.areaof": [("src/shapes.py", 1)],
        "installit": [("README.md", 0)],
    }
    assert INDEX.defining(["total", "Area_of", "areaof", ""]) == {
        "Area_of": [("src/shapes.py", 1)],
        "total": [("src/app.py", 0), ("\udce9.py", 0)],
    }


def test_where_names_are_mentioned() -> None:
    assert INDEX.referring(["total", "shapes", "Square", "path", "REQ-1-002", "none"]) == {
        "REQ-1-002": ["README.md"],
        "Square": ["src/app.py"],
        "path": ["src/app.py"],
        "shapes": ["src/app.py"],
        "total": ["src/shapes.py"],
    }
