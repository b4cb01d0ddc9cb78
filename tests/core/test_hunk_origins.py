"""Which call made which hunk."""

from __future__ import annotations

from typing import Any

import pytest

from orefactor.core.hunk_origins import find_origins
from orefactor.core.patch_hunks import read_patch
from orefactor.core.trace_model import CallPart


def _call(name: str, arguments: Any, status: str = "executed") -> CallPart:
    facts = {"round": 1, "id": "c", "duration_ms": 1, "summary": "", "digest": ""}
    return CallPart.model_validate({"name": name, "arguments": arguments, "status": status, **facts})


def _edit(old: str, new: str, path: str = "x.py", status: str = "executed") -> CallPart:
    return _call("edit_file", {"path": path, "old_string": old, "new_string": new}, status)


def _patch(*hunks: str, head: str = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n") -> bytes:
    return (
        head + "".join(f"@@ -1,{hunk.count(chr(10))} +1,{hunk.count(chr(10))} @@\n{hunk}" for hunk in hunks)
    ).encode()


DOC = '    """Same."""\n'
ADDED = ' def a():\n+    """Same."""\n     pass\n'
MOVED = "diff --git a/x.py b/y.py\nsimilarity index 90%\nrename from x.py\nrename to y.py\n--- a/x.py\n+++ b/y.py\n"
GONE = "diff --git a/x.py b/x.py\ndeleted file mode 100644\n--- a/x.py\n+++ /dev/null\n"
NEW = "diff --git a/x.py b/x.py\nnew file mode 100644\n--- /dev/null\n+++ b/x.py\n"

CASES: dict[str, tuple[bytes, list[CallPart], dict[int, tuple[int, ...]]]] = {
    "one edit": (_patch("-a\n+b\n"), [_edit("a\n", "b\n")], {1: (0,)}),
    "lines of several edits": (_patch("-a\n-c\n+b\n+d\n"), [_edit("a", "b"), _edit("c", "d")], {1: (0, 1)}),
    "the last one of two that wrote it": (_patch("-a\n+b\n"), [_edit("y", "b"), _edit("z", "b")], {1: (1,)}),
    "equal lines find their own call": (
        _patch(ADDED, ADDED.replace("def a", "def b")),
        [_edit("def b():\n", "def b():\n" + DOC), _edit("def a():\n", "def a():\n" + DOC)],
        {1: (1,), 2: (0,)},
    ),
    "removed lines": (_patch(" k\n-a\n"), [_edit("k\nb\n", "k\n"), _edit("k\na\n", "k\n")], {1: (1,)}),
    "an empty line": (_patch(" k\n+\n"), [_edit("k\n", "k\n\n")], {1: (0,)}),
    "other line ends": (_patch("-a\r\n+b\r\n"), [_edit("a", "b")], {1: (0,)}),
    "a file that was written": (
        _patch("+a\n+b\n", head=NEW),
        [_call("write_file", {"path": "./x.py", "content": "a\nb\n"})],
        {1: (0,)},
    ),
    "a file that was taken away": (_patch("-a\n", head=GONE), [_call("delete_file", {"path": "x.py"})], {1: (0,)}),
    "a file that was edited and moved": (
        _patch("-a\n+b\n", head=MOVED),
        [_edit("a", "b"), _call("move_file", {"path": "x.py", "new_path": "y.py"})],
        {1: (0, 1)},
    ),
    "another file": (_patch("-a\n+b\n"), [_edit("a", "b", "y.py")], {}),
    "a call that failed": (_patch("-a\n+b\n"), [_edit("a", "b", status="failed")], {}),
    "lines that no call holds": (_patch("-a\n+b\n"), [_edit("a", "c"), _edit("x", "y")], {1: (0,)}),
    "arguments of no use": (
        _patch("-a\n+b\n"),
        [
            _call("edit_file", 5),
            _call("edit_file", {"path": 1, "new_string": []}),
            _call("read_file", {"path": "x.py"}),
        ],
        {},
    ),
    "moves in a circle": (
        _patch("-a\n+b\n", head=MOVED),
        [
            _call("move_file", {"path": "x.py", "new_path": "y.py"}),
            _call("move_file", {"path": "y.py", "new_path": "x.py"}),
        ],
        {1: (0, 1)},
    ),
}


@pytest.mark.parametrize(("patch", "calls", "expected"), CASES.values(), ids=CASES)
def test_origins(patch: bytes, calls: list[CallPart], expected: dict[int, tuple[int, ...]]) -> None:
    assert find_origins(read_patch(patch), calls) == expected


def test_many_calls_and_hunks_take_little_time() -> None:
    hunks = [f" def f{n}():\n+    x = 1\n" for n in range(2000)]
    calls = [_edit(f"def f{n}():\n", f"def f{n}():\n    x = 1\n") for n in range(1000)]
    assert find_origins(read_patch(_patch(*hunks)), calls) == {}
