"""Which findings are new: edits that keep what was wrong keep it old, and what is wrong anew is found."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.checks.findings import Finding
from orefactor.core.checks.fingerprints import located, new_findings


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
        pytest.param([found(3, text="130 > 120")], [found(3, text="140 > 120")], [], id="numbers"),
    ],
)
def test_without_the_source(after: list[Finding], before: list[Finding], new: list[Finding]) -> None:
    assert new_findings(after, before) == new


def marked(source: str, path: str = "x.py") -> list[Finding]:
    """A finding for each `#!rule message` at the end of a line, located; the marks are no part of the source."""
    lines, findings = list[str](), list[Finding]()
    for number, line in enumerate(source.split("\n"), 1):
        code, mark, said = line.partition("#!")
        lines.append(code.rstrip())
        if mark:
            rule, _, text = said.partition(" ")
            findings.append(Finding(path, number, rule, text))
    data = "\n".join(lines).encode()
    return list(located(findings, lambda asked: data if asked == path else None))


AT = "def f(a):  #!D103 no docstring\n    return a.b  #!attr no attribute b\n"


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        pytest.param(AT, AT, 0, id="untouched"),
        pytest.param(AT, f"import os\n\n\n{AT}", 0, id="lines-above"),
        pytest.param(AT, AT.replace("f(a)", "f(a: int) -> int"), 0, id="annotated"),
        pytest.param(AT, AT.replace("def f", "def g"), 0, id="renamed"),
        pytest.param(AT, AT.replace("    ", "\t"), 0, id="white-space"),
        pytest.param(AT, AT.replace("a.b  #!attr no attribute b", "a.b  #!attr nothing like b"), 0, id="other-words"),
        pytest.param(AT, AT + AT.replace("f(", "g("), 2, id="copied"),
        pytest.param(AT, AT.replace("a.b  #!attr no attribute b", "a.c  #!attr no attribute c"), 1, id="another"),
        pytest.param("import os  #!F401 os\n", "import sys  #!F401 sys\n", 1, id="another-import"),
        pytest.param("import os  #!F401 os\n", "import os, sys  #!F401 os\n", 0, id="one-of-two"),
        pytest.param("x = (  #!syntax never closed\n", "x = (  #!syntax never closed\ny = 1\n", 0, id="broken"),
        pytest.param("class A:\n    x = y  #!F821 y\n", "class B:\n    x = y  #!F821 y\n", 0, id="class-renamed"),
        pytest.param("def f():\n    x = y  #!F821 y\n", "def f():\n    y = 1\n    x = z  #!F821 z\n", 1, id="mended"),
    ],
)
def test_edits(before: str, after: str, new: int) -> None:
    assert len(new_findings(marked(after), marked(before))) == new


def test_a_function_that_moves_takes_its_findings_along() -> None:
    assert new_findings(marked(AT, "new.py"), marked(AT, "old.py")) == []
    # A line outside of any symbol is too little to go by.
    assert len(new_findings(marked("import os  #!F401 os\n", "new.py"), marked("import os  #!F401 os\n"))) == 1


FILES: Mapping[str, bytes] = {
    "x.py": b"class A:\n    def f(self):\n        return  1\n\n\nx =\t2\n",
    "l.py": b"# -*- coding: latin-1 -*-\n# caf\xe9\n",
    "bad.py": b"x = '\xff'\n",
    "x.toml": b"a = 1\r\nb = 2\r\n",
}


@pytest.mark.parametrize(
    ("path", "line", "symbol", "source"),
    [
        ("x.py", 1, "A", "class A:"),
        ("x.py", 3, "A.f", "return 1"),
        ("x.py", 6, "", "x = 2"),
        ("x.py", 99, "", ""),
        ("x.py", 0, "", ""),
        ("l.py", 2, "", "# caf\u00e9"),
        ("bad.py", 1, "", "x = '\u00ff'"),
        ("x.toml", 2, "", "b = 2"),
        ("lost.py", 1, "", ""),
    ],
)
def test_where_a_finding_lies(path: str, line: int, symbol: str, source: str) -> None:
    (finding,) = located([Finding(path, line, "R", "t")], FILES.get)
    assert (finding.symbol, finding.source) == (symbol, source)


some = st.builds(
    Finding,
    st.sampled_from(["x.py", "y.py"]),
    st.integers(0, 3),
    st.sampled_from(["A", "B"]),
    st.sampled_from(["t1", "t2", "u"]),
    st.sampled_from(["", "f", "g"]),
    st.sampled_from(["", "x = 1", "y = 2"]),
)


@given(st.lists(some, max_size=8), st.lists(some, max_size=8))
def test_pairs_are_one_to_one(after: list[Finding], before: list[Finding]) -> None:
    fresh = new_findings(after, before)
    assert len(after) - len(fresh) <= len(before)
    assert new_findings(after, after) == []
    assert new_findings(after, [*before, *after]) == []
    assert new_findings(after, []) == after


def test_many_findings_take_no_long_time() -> None:
    source = "".join(f"def f{number}():\n    x = y\n" for number in range(5000)).encode()
    findings = [Finding("x.py", 2 * number + 2, "F", "y") for number in range(5000)]
    placed = located(findings, lambda _path: source)
    assert placed[-1].symbol == "f4999"
    assert new_findings(placed, placed) == []
