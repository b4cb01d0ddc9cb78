"""Statements `...` among others stand for code left out; stubs don't."""

from __future__ import annotations

import pytest
from file_changes import added, modified

from orefactor.core.code.edits import replace_once, whole_file
from orefactor.core.code.idle_ellipses import idle_ellipses
from orefactor.core.guards import placeholders
from orefactor.sandbox.errors import Refused

SOURCE = "def f(a):\n    b = a + 1\n    return b\n"
ELIDED = "def f(a):\n    b = a + 1\n    ...\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(ELIDED, (3,), id="after"),
        pytest.param("def f(a):\n    ...\n    return a\n", (2,), id="before"),
        pytest.param("class C:\n    x = 1\n    ...\n", (3,), id="class"),
        pytest.param("import os\n...\nx = 1\n", (2,), id="module"),
        pytest.param("if a:\n    b()\nelse:\n    c()\n    ...\n", (5,), id="else"),
        pytest.param("def f():\n    ...\n", (), id="stub"),
        pytest.param('def f():\n    """Say."""\n    ...\n', (), id="stub-with-docstring"),
        pytest.param("x: tuple[\n    int,\n    ...\n]\n", (), id="type"),
        pytest.param('"""Says\n...\n"""\nx = 1\n', (), id="string"),
        pytest.param("f = lambda: 1\n", (), id="none"),
        pytest.param("def f(:\n    ...\n    x\n", (), id="broken"),
    ],
)
def test_idle_ellipses(text: str, lines: tuple[int, ...]) -> None:
    assert idle_ellipses(text, "x.py") == lines
    assert idle_ellipses(text, "x.pyi") == ()


def test_the_tools_refuse_them() -> None:
    with pytest.raises(Refused, match=r"`\.\.\.` among other statements \(line 3"):
        replace_once(SOURCE.encode(), "x.py", "    return b\n", "    ...\n")
    for data in (None, SOURCE.encode()):
        with pytest.raises(Refused, match="among other statements"):
            whole_file(data, "x.py", ELIDED)


def test_those_that_were_there_stay() -> None:
    assert replace_once(ELIDED.encode(), "x.py", "    ...\n", "    c = 2\n    ...\n").endswith(b"c = 2\n    ...\n")
    assert whole_file(ELIDED.encode(), "x.py", ELIDED + "x = 1\n").endswith(b"x = 1\n")
    assert placeholders.judge([modified(ELIDED, f"{ELIDED}x = 1\n")]).ok


def test_the_guard_names_them() -> None:
    assert "`x.py:3`" in placeholders.judge([modified(SOURCE, ELIDED)]).detail
    assert not placeholders.judge([added(ELIDED)]).ok
