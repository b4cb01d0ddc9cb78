"""From the words of a check to findings, and which of them are new."""

from __future__ import annotations

import json

import pytest

from orefactor.core.checks.findings import (
    Finding,
    new_findings,
    parse_mypy,
    parse_py_compile,
    parse_pytest,
    parse_ruff,
    parse_ruff_format,
)

RUFF = json.dumps(
    [
        {"filename": "/repo/pkg/x.py", "location": {"row": 3, "column": 1}, "code": "F401", "message": "`os` unused"},
        {"filename": "/repo/y.py", "location": None, "code": None, "message": "unexpected indent"},
        {"filename": "/elsewhere/z.py", "location": {"row": 1, "column": 1}, "code": "E902", "message": "m"},
    ]
)
MYPY = """pkg/x.py:3:5: error: Incompatible types in assignment  [assignment]
pkg/x.py:3:5: note: see the manual
y.py:7: error: Something without a code
Found 2 errors in 2 files (checked 2 source files)
"""
PYTEST = """
FAILED tests/not_this.py::before_the_summary
=========================== short test summary info ============================
FAILED tests/test_a.py::test_one - assert 1 == 2
FAILED tests/test_a.py::test_two[a - b] - ValueError: x
FAILED tests/test_a.py::TestC::test_three
FAILED my tests/test_b.py::test_four - assert 0
ERROR tests/test_c.py - ImportError: no module
5 failed, 3 passed in 0.10s
"""


def test_ruff() -> None:
    assert [str(finding) for finding in parse_ruff(RUFF, "/repo")] == [
        "pkg/x.py:3: F401 `os` unused",
        "y.py: syntax-error unexpected indent",
        "/elsewhere/z.py:1: E902 m",
    ]


def test_ruff_that_gives_no_json() -> None:
    with pytest.raises(ValueError):
        parse_ruff("error: broken configuration", "/repo")


def test_ruff_format() -> None:
    output = "Would reformat: pkg/x.py\nunformatted: y.py\n2 files would be reformatted"
    assert [finding.path for finding in parse_ruff_format(output, "/repo")] == ["pkg/x.py", "y.py"]


def test_py_compile() -> None:
    output = "orefactor-compile\t2\t./pkg/x.py\tinvalid syntax\norefactor-compile\t0\t./y.py\tsource has null bytes\n"
    assert [str(finding) for finding in parse_py_compile(output, "/repo")] == [
        "pkg/x.py:2: syntax invalid syntax",
        "y.py: syntax source has null bytes",
    ]


def test_mypy() -> None:
    assert [str(finding) for finding in parse_mypy(MYPY, "/repo")] == [
        "pkg/x.py:3: assignment Incompatible types in assignment",
        "y.py:7: mypy Something without a code",
    ]


def test_pytest() -> None:
    assert [(finding.path, finding.rule, finding.text) for finding in parse_pytest(PYTEST, "/repo")] == [
        ("tests/test_a.py", "tests/test_a.py::test_one", "failed"),
        ("tests/test_a.py", "tests/test_a.py::test_two[a - b]", "failed"),
        ("tests/test_a.py", "tests/test_a.py::TestC::test_three", "failed"),
        ("my tests/test_b.py", "my tests/test_b.py::test_four", "failed"),
        ("tests/test_c.py", "tests/test_c.py", "error"),
    ]


def found(line: int, rule: str = "F401", text: str = "unused", path: str = "x.py") -> Finding:
    return Finding(path, line, rule, text)


@pytest.mark.parametrize(
    ("after", "before", "new"),
    [
        pytest.param([found(3)], [], [found(3)], id="all-new"),
        pytest.param([found(3)], [found(3)], [], id="the-same"),
        pytest.param([found(9)], [found(3)], [], id="lines-moved"),
        pytest.param([found(3), found(9)], [found(3)], [found(9)], id="one-more-of-the-kind"),
        pytest.param([found(3, "E501")], [found(3)], [found(3, "E501")], id="other-rule"),
        pytest.param([found(3, text="x")], [found(3)], [found(3, text="x")], id="other-text"),
        pytest.param([found(3, path="y.py")], [found(3)], [found(3, path="y.py")], id="other-file"),
        pytest.param([], [found(3)], [], id="fewer"),
    ],
)
def test_what_is_new(after: list[Finding], before: list[Finding], new: list[Finding]) -> None:
    assert new_findings(after, before) == new
