"""Lines that a change adds and removes, by file."""

from __future__ import annotations

from conftest import MakeRepository, git, write_files

from orefactor.sandbox.line_counts import LineCount, count_lines
from orefactor.sandbox.repository import find_repository


def test_counts(make_repository: MakeRepository) -> None:
    folder = make_repository({"a.py": "x = 1\n" * 9, "b.bin": b"\0\1", "c\t\u00e9.py": "1\n", "gone": "1\n2\n"})
    base = git(folder, "rev-parse", "HEAD")
    git(folder, "mv", "a.py", "moved.py")
    git(folder, "rm", "-q", "gone")
    write_files(folder, {"moved.py": "x = 1\n" * 9 + "y = 2\n", "b.bin": b"\0\2", "c\t\u00e9.py": "2\n3\n"})
    git(folder, "add", "-A")
    tree = git(folder, "write-tree")
    assert count_lines(find_repository(folder).git, base, tree) == (
        LineCount("b.bin", None, None, None),
        LineCount("c\t\u00e9.py", None, 2, 1),
        LineCount("gone", None, 0, 2),
        LineCount("moved.py", "a.py", 1, 0),
    )
    assert count_lines(find_repository(folder).git, base, base) == ()
