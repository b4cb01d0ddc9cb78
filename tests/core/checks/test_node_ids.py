"""Two runs of the same tests, compared by node id and outcome."""

from __future__ import annotations

import pytest

from orefactor.core.checks.node_ids import lost_tests, moved_nodes, new_failures


@pytest.mark.parametrize(
    ("before", "after", "is_new", "lost"),
    [
        ("passed", "passed", False, ""),
        ("passed", "failed", True, ""),
        ("passed", "error", True, ""),
        ("passed", "skipped", False, "skipped"),
        ("passed", "xfailed", False, "xfailed"),
        ("passed", None, False, "gone"),
        ("failed", "failed", False, ""),
        ("failed", "error", False, ""),
        ("error", "failed", False, ""),
        ("failed", None, False, ""),
        ("skipped", "failed", True, ""),
        ("xfailed", "failed", True, ""),
        (None, "failed", True, ""),
        (None, "passed", False, ""),
        ("skipped", None, False, ""),
    ],
)
def test_one_test(before: str | None, after: str | None, is_new: bool, lost: str) -> None:
    was = {} if before is None else {"t.py::a": before}
    now = {} if after is None else {"t.py::a": after}
    assert bool(new_failures(now, was)) is is_new
    assert lost_tests(now, was) == ((f"t.py::a ({lost})",) if lost else ())


def test_renamed_files() -> None:
    tests = {"old/t.py::A::b[x::y]": "passed", "u.py": "error"}
    assert moved_nodes(tests, {"old/t.py": "new.py"}) == {"new.py::A::b[x::y]": "passed", "u.py": "error"}
