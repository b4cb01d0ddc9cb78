"""Marks of findings: the same in the next run wherever lines have moved to, and another one for each finding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orefactor.core.checks.findings import Finding
from orefactor.core.checks.marks import marks

ONE = Finding("x.py", 3, "F401", "`os` (line 3) is unused", "area", "import os")


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"line": 90}, True),
        ({"text": "`os` (line 90) is unused"}, True),
        ({"path": "y.py"}, False),
        ({"rule": "F402"}, False),
        ({"symbol": "volume"}, False),
        ({"source": "import os, re"}, False),
        ({"text": "`re` (line 3) is unused"}, False),
    ],
    ids=["line", "number", "path", "rule", "symbol", "source", "text"],
)
def test_what_a_mark_depends_on(changed: dict[str, Any], same: bool) -> None:
    assert (marks("ruff", [ONE]) == marks("ruff", [replace(ONE, **changed)])) is same


def test_findings_that_are_alike_are_counted_by_their_line() -> None:
    low, high = replace(ONE, line=2), replace(ONE, line=30)
    first, second = marks("ruff", [low, high])
    assert first != second
    assert marks("ruff", [high, low]) == [second, first]
    assert marks("mypy", [low]) != [first]
    assert marks("ruff", []) == []


def test_halves_of_surrogate_pairs_are_no_obstacle() -> None:
    assert len(marks("own", [replace(ONE, path="\udce9.py", text="\ud800")])) == 1
