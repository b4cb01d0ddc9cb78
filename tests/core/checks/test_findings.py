"""A finding as a line of text, whatever it is made of."""

from __future__ import annotations

import pytest

from orefactor.core.checks.findings import Finding, failing_tests, listed, relative


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (Finding("x.py", 3, "F401", "`os` unused"), "x.py:3: F401 `os` unused"),
        (Finding("x.py", 0, "format", "would be reformatted"), "x.py: format would be reformatted"),
        (Finding("t.py", 0, "t.py::a[x - 1]", "failed"), "t.py: t.py::a[x - 1] failed"),
        (Finding("x.py", 3, "", ""), "x.py:3:"),
        (Finding("x\n.py", 3, "F\x1b[31m", "a\tb\nc \u202e\ud800"), "x .py:3: F\\x1b[31m a b c \\u202e\\ud800"),
    ],
)
def test_one_line(finding: Finding, line: str) -> None:
    assert str(finding) == line


def test_long_words_are_cut() -> None:
    shown = str(Finding("p" * 9000, 1, "r" * 9000, "t" * 9000))
    assert len(shown) < 2500 and shown.count("\u2026") == 3


@pytest.mark.parametrize(
    ("path", "name"),
    [("/repo/a/x.py", "a/x.py"), ("./x.py", "x.py"), ("x.py", "x.py"), ("/repo2/x.py", "/repo2/x.py")],
)
def test_paths_are_relative(path: str, name: str) -> None:
    assert relative(path, "/repo") == relative(path, "/repo/") == name


def test_readings() -> None:
    assert listed(()).shown is None
    assert listed((Finding("x.py", 1, "a", "b"), Finding("y.py", 2, "c", "d"))).shown == "x.py:1: a b\ny.py:2: c d"
    found = failing_tests({"t.py::a": "passed", "t.py::b": "failed", "u.py": "error", "t.py::c": "skipped"})
    assert [(finding.path, finding.rule, finding.text) for finding in found] == [
        ("t.py", "t.py::b", "failed"),
        ("u.py", "u.py", "error"),
    ]
