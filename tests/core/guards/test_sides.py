"""The two sides of a change, and lines that only one of them has."""

from __future__ import annotations

import pytest
from file_changes import added, deleted, modified, renamed

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.sides import after, before, line_changes


@pytest.mark.parametrize(
    ("changes", "new", "old"),
    [
        pytest.param([modified("a\nb\n", "a\nc\n")], [("x.py", 2, "c")], [("x.py", 2, "b")], id="changed"),
        pytest.param([modified("a\nb\n", "b\na\n")], [], [], id="moved"),
        pytest.param([modified("a\n", "    a\n")], [], [], id="indented"),
        pytest.param([deleted("a\n", "y.py"), added("a\n")], [], [], id="moved-to-another-file"),
        pytest.param([modified("a\r\n", "a\n")], [], [], id="line-ends-are-no-text"),
        pytest.param([modified("a\n", "a\na\n")], [("x.py", 2, "a")], [], id="once-more"),
        pytest.param([renamed("a", "a", "y.py", "x.py")], [], [], id="only-renamed"),
        pytest.param([modified(b"\xe9\n", b"\xe8\n")], [("x.py", 1, "è")], [("x.py", 1, "é")], id="undecodable"),
        pytest.param([FileChange("x", None, "added", None, b"y", "000000", "120000")], [], [], id="link"),
    ],
)
def test_line_changes(
    changes: list[FileChange], new: list[tuple[str, int, str]], old: list[tuple[str, int, str]]
) -> None:
    found = line_changes(changes)
    assert [[(line.path, line.number, line.text) for line in lines] for lines in found] == [new, old]


def test_the_old_side_has_the_old_path() -> None:
    change = renamed("a", "b", "y.txt", "x.py")
    was, now = before(change), after(change)
    assert was is not None
    assert now is not None
    assert (was.path, was.is_python, now.path, now.is_python) == ("y.txt", False, "x.py", True)
