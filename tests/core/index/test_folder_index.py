"""The symbols of a folder as it is now, without a run."""

from __future__ import annotations

import os
from pathlib import Path

from conftest import git, write_files

from orefactor.core import RefactorTools
from orefactor.core.index.folder_index import FolderIndex, OverlaidIndex
from orefactor.core.index.symbol_index import MemoryIndex, SymbolIndex
from orefactor.sandbox.files import Root

BEFORE = {
    "a.py": b"import b\n\n\ndef area():\n    return b.side()\n",
    "b.py": b"def side():\n    return 1\n",
    "c.py": b"def side():\n    return 2\n\n\ndef gone(): ...\n",
    "notes.txt": b"x\n",
}
CHANGED = {
    "b.py": b"def side(): ...\n\n\ndef Edge():\n    side()\n",
    "c.py": None,
    "d.py": b"import c\n\ndef area(): ...\n",
}
AFTER = {path: data for path, data in {**BEFORE, **CHANGED}.items() if data is not None}
NAMES = ("area", "side", "gone", "Edge", "edge", "b", "c", "nothing")


def answers(index: SymbolIndex) -> list[object]:
    """Everything that an index says, in its order."""
    every = [*BEFORE, *CHANGED, "lost.py"]
    return [
        list(index.paths),
        [index.source(path) for path in every],
        list(index.symbols(every).items()),
        *([(name, list(at)) for name, at in asked.items()] for asked in (index.folded(NAMES), index.defining(NAMES))),
        [(name, list(at)) for name, at in index.referring(NAMES).items()],
    ]


def test_an_overlaid_index_is_as_one_of_the_changed_tree() -> None:
    over = {path: data for path, data in CHANGED.items() if data is not None}
    assert answers(OverlaidIndex(MemoryIndex(BEFORE), MemoryIndex(over), CHANGED)) == answers(MemoryIndex(AFTER))


def test_a_folder_is_read_anew_where_it_changed(tmp_path: Path) -> None:
    write_files(tmp_path, BEFORE)
    index = FolderIndex(Root(tmp_path))
    assert answers(index()) == answers(MemoryIndex(BEFORE))
    assert index() is index()
    (tmp_path / "c.py").unlink()
    write_files(tmp_path, {path: data for path, data in CHANGED.items() if data is not None})
    assert answers(index()) == answers(MemoryIndex(AFTER))
    write_files(tmp_path, BEFORE)
    (tmp_path / "d.py").unlink()
    assert answers(index()) == answers(MemoryIndex(BEFORE))


def test_what_counts_as_a_file_of_the_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    long = b"x = 1\n" * 500_000
    write_files(tmp_path, {"x.py": "def f(): ...\n", ".gitignore": "built/\n", "built/y.py": "def g(): ...\n",
                           "odd.bin": b"\0", "long.py": long, "empty.py": ""})  # fmt: skip
    os.symlink("x.py", tmp_path / "link.py")
    index = FolderIndex(Root(tmp_path))()
    assert list(index.paths) == [".gitignore", "long.py", "x.py"]
    assert (index.source("long.py"), dict(index.defining(["g"]))) == (b"", {})
    (tmp_path / "x.py").unlink()
    (tmp_path / "x.py").mkdir()
    assert list(FolderIndex(Root(tmp_path))().paths) == [".gitignore", "long.py"]


def test_the_tools_of_a_folder_see_their_own_edits(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.py": "def area(): ...\n", "y.py": "from x import area\n"})
    tools = RefactorTools(tmp_path)
    assert tools.find_references("area").splitlines()[-1] == "y.py:1: from x import area"
    tools.write_file("z.py", "import x\n\nx.area()\n")
    assert tools.find_references("area").splitlines()[-1] == "z.py:3: x.area()"
    tools.delete_file("z.py")
    assert tools.find_references("area").splitlines()[-1] == "y.py:1: from x import area"
