"""Calls of tools: whatever is called with whatever, there is one bounded answer, and nothing else changes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files
from fuzz.mutations import KEY, as_json, is_unicode, mutated_bytes, mutated_json, odd_text, odd_values
from fuzz.profiles import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.code.text import decode
from orefactor.core.errors import Refused
from orefactor.core.index.folder_index import FolderIndex
from orefactor.core.redact import Redactor
from orefactor.core.result_limits import RESULT_LIMIT
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Scope, Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

CODE = "class A:\n    def f(self, x):\n        return x\n\n\ndef g(a):\n    return A().f(a)\n"
FILES: Mapping[str, str | bytes] = {
    "pkg/a.py": CODE,
    "pkg/crlf.py": CODE.replace("\n", "\r\n").encode(),
    "pkg/mixed.txt": b"one\r\ntwo\rthree\nfour",
    "pkg/latin.py": "# coding: latin-1\ns = 'é'\n".encode("latin-1"),
    "pkg/wide.txt": "\ufeffwide\nä\n".encode("utf-16-le"),
    "pkg/marked.py": "\ufeffx = 1\n".encode(),
    "pkg/binary": b"\0\1\2",
    "pkg/broken.txt": b"caf\xe9\n",
    "pkg/empty.py": b"",
    "other/b.py": f"from pkg.a import g\n\nKEY = '{KEY}'\ng(1)\n",
    ".git/config": "[core]\n",
}
OUTSIDE = "not for you\n"
CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("read_file", {"path": path, "start_line": 1, "end_line": 2}) for path in FILES),
    *(("edit_file", {"path": path, "old_string": "x", "new_string": "y"}) for path in FILES),
    *(("write_file", {"path": path, "content": "new = 1\n"}) for path in (*FILES, "pkg/new.py", "link", "up/x")),
    ("edit_file", {"path": "pkg/crlf.py", "old_string": "return x\n", "new_string": "return x + 1\n"}),
    ("edit_file", {"path": "pkg/mixed.txt", "old_string": "two\nthree", "new_string": "2\n3"}),
    ("delete_file", {"path": "pkg/a.py"}),
    ("move_file", {"path": "pkg/a.py", "new_path": "pkg/sub/moved.py"}),
    ("move_file", {"path": "pkg/binary", "new_path": "up/stolen"}),
    ("list_dir", {"path": "pkg", "offset": 0}),
    ("grep", {"pattern": "def|(a+)+$", "path": ".", "glob": "*.py"}),
    ("ast_outline", {"path": "pkg/a.py", "offset": 0}),
    ("codebase_context", {"target": "pkg/a.py::A.f"}),
    ("find_references", {"symbol": "g", "offset": 0}),
    ("skill_section", {"rule_id": "x"}),
    ("run_check", {"command": "ruff check pkg"}),
]
_NUMBERS = itertools.count()


class Place:
    """A folder with files to lose, and a toolbox at it whose scope is a part."""

    def __init__(self, above: Path) -> None:
        self.above = above / str(next(_NUMBERS))
        self.top = self.above / "top"
        self.top.mkdir(parents=True)
        (self.above / "outside").write_text(OUTSIDE)
        write_files(self.top, FILES)
        (self.top / "link").symlink_to("../outside")
        (self.top / "up").symlink_to("..")
        root = Root(self.top)
        workspace = Workspace(root, Scope(("pkg", "link", "up")), index=FolderIndex(root))
        self.toolbox = Toolbox(TOOLS, workspace, Redactor({}))
        self.before = self.contents()

    def contents(self) -> dict[str, bytes]:
        """All files, those beside the folder included."""
        found = sorted(path for path in self.above.rglob("*") if path.is_file() and not path.is_symlink())
        return {str(path.relative_to(self.above)): path.read_bytes() for path in found}

    def require_unharmed(self) -> None:
        """Fail where anything outside of the scope changed, or a text in it is none any more."""
        now = self.contents()
        apart = {path: data for path, data in now.items() if not path.startswith("top/pkg/")}
        assert apart == {path: data for path, data in self.before.items() if not path.startswith("top/pkg/")}
        assert (self.top / "link").is_symlink() and (self.top / "up").is_symlink()
        for path, data in now.items():
            assert is_text(path, data) or data in self.before.values(), path


def is_text(path: str, data: bytes) -> bool:
    try:
        decode(data, path)
    except Refused:
        return False
    return True


names = st.sampled_from(list(TOOLS)) | odd_text
any_arguments = st.none() | odd_text | st.dictionaries(odd_text, odd_values, max_size=3) | st.lists(odd_values)
broken = mutated_bytes([as_json(arguments) for _, arguments in CALLS]).map(lambda data: data.decode("utf-8", "replace"))


@st.composite
def changed_calls(draw: st.DrawFn) -> tuple[str, Any]:
    """A call that would be served, with a part of its arguments changed."""
    name, arguments = draw(st.sampled_from(CALLS))
    changed = draw(st.just(arguments) | mutated_json([arguments]))
    return name, json.dumps(changed) if draw(st.booleans()) else changed


calls = st.lists(changed_calls() | st.tuples(names, any_arguments | broken), min_size=1, max_size=6)


@fuzzed(cost=2)
@given(calls)
def test_any_calls(tmp_path: Path, made: list[tuple[str, Any]]) -> None:
    place = Place(tmp_path)
    for name, arguments in made:
        answer = place.toolbox.call(name, arguments)
        assert answer.bug is None
        assert answer.status in ("executed", "refused", "failed")
        assert answer.text.startswith("ERROR: ") == (answer.status != "executed")
        tool = TOOLS.get(name)
        limit = tool.result_limit if tool and answer.status == "executed" else RESULT_LIMIT
        assert len(answer.text.encode()) <= limit
        assert KEY not in answer.text and is_unicode(answer.text)
        assert OUTSIDE.strip() not in answer.text
        place.require_unharmed()


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.effect == "observe"])
def test_looking_changes_nothing(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path)

    @fuzzed(cost=4)
    @given(mutated_json([arguments for known, arguments in CALLS if known == name]))
    def look(arguments: Any) -> None:
        assert place.toolbox.call(name, arguments).bug is None
        assert place.contents() == place.before

    look()
