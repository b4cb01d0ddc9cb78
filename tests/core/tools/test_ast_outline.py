"""`ast_outline` on sources of other languages, on documents, and on what has no outline."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import write_files

from orefactor.core import RefactorTools

FILES = {
    "x.ts": "export class A {\n  m(): void {}\n}\n",
    "x.go": "package a\n// F does.\nfunc F() {}\n",
    "x.md": "# A\n\n## B\n",
    "x.py": "MAX = 1\n\nclass A:\n    LOW = 2\n    def f(self): ...\n",
    "empty.js": "",
    "x.bin": "def f(): ...\n",
}


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("x.ts", "x.ts\nL1-3 export class A\n  L2-2 m(): void"),
        ("x.go", 'x.go\nL3-3 func F()  "F does."'),
        ("x.md", "x.md\nL1-3 # A\n  L3-3 # B"),
        ("x.py", "x.py\nL3-5 class A\n  L5-5 def f(self)"),
        ("empty.js", "empty.js: no classes or functions"),
        ("x.bin", "x.bin: no outline of this kind of file; read_file shows it"),
    ],
)
def test_outlines(tmp_path: Path, path: str, shown: str) -> None:
    write_files(tmp_path, FILES)
    assert RefactorTools(tmp_path).ast_outline(path) == shown
