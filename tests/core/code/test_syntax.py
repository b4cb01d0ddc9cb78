"""Which sources count as broken, whatever Python they are written for, and which changes break one."""

import sys

import pytest

from orefactor.core.code.syntax import Problem, breaks, problems

NEWER = [
    b"x = t'{a}'\n",
    b"type X = int\n",
    b"def f[T](x: T) -> T: ...\n",
    b"class A[T]: ...\n",
    b"y = f'{x['a']}'\n",
]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x = 1\n",
        b"\xef\xbb\xbfx = 1\n",
        b"# coding: latin-1\nx = '\xe9'\n",
        b"x = 1\r\nif x:\r\n    pass\r\n",
        b"x = '\\d'\n",
        *NEWER,
        b"x = " + b"-" * 100_000 + b"1\n",
        b"a" + b".a" * 50_000 + b"\n",
    ],
)
def test_sound(data: bytes) -> None:
    assert problems(data, "x.py") == ()
    assert breaks(b"x = 1\n", data, "x.py") is None


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"x = (1\n", 1, "never closed"),
        (b"x = 1\ny = \n", 2, "invalid syntax"),
        (b"def f():\npass\n", 2, "expected an indented block"),
        (b"def f():\n  x\n y\n", 3, "unindent does not match"),
        (b"if x:\n\ty\n        z\n", 3, "inconsistent use of tabs"),
        (b"x = 1\n  y = 2\n", 2, "unexpected indent"),
        (b"return 1\n", 1, "'return' outside function"),
        (b"def f(a, a): pass\n", 1, "duplicate argument"),
        (b"f(a=1, 2)\n", 1, "positional argument follows keyword"),
        (b"1 = x\n", 1, "cannot assign to"),
        (b"try:\n  x\n\ny\n", 4, "expected 'except' or 'finally' block"),
        (b"x = 1\0", 1, ""),
        (b"print 'x'\n", 1, "Missing parentheses"),
        (b"x = '''\n", 1, "unterminated"),
        (b"<<<<<<< ours\nx = 1\n", 1, "invalid syntax"),
    ],
)
def test_broken(data: bytes, line: int, words: str) -> None:
    found = problems(data, "x.py")[0]
    assert (found.line, words in found.message) == (line, True), found
    assert breaks(None, data, "x.py") == found
    assert breaks(b"", data, "x.py") == found
    assert breaks(data, data, "x.py") is None
    assert breaks(data, b"x = 1\n", "x.py") is None


@pytest.mark.parametrize("path", ["x.md", "x", "x.json"])
def test_other_languages_are_not_judged(path: str) -> None:
    assert problems(b"x = (", path) == ()
    assert breaks(None, b"x = (", path) is None


@pytest.mark.parametrize("path", ["x.pyi", "a/b.pyw"])
def test_python_by_other_suffixes(path: str) -> None:
    assert problems(b"x = (", path)


@pytest.mark.parametrize(
    ("before", "after", "broken"),
    [
        # Mending the first error shows the next one, which was there before.
        (b"x = (\n)(\ny = ]\n", b"x = 1\ny = ]\n", False),
        # A second error beside an old one.
        (b"x = = 1\ny = 2\n", b"x = = 1\ny = = 2\n", True),
        # The same error elsewhere.
        (b"x = = 1\ny = 2\n", b"x = 1\ny = = 2\n", False),
        # Python 2 stays Python 2, but no bracket may be lost.
        (b"print 'x'\n", b"print 'y'\nprint 'z'\n", False),
        (b"print 'x'\ny = (1)\n", b"print 'x'\ny = (1\n", True),
    ],
)
def test_files_that_were_broken_before(before: bytes, after: bytes, broken: bool) -> None:
    assert (breaks(before, after, "x.py") is not None) is broken


def test_the_new_error_is_named_among_equal_old_ones() -> None:
    line = b"x = = 1\n\n"
    assert breaks(line + b"\n\n", line + b"\n\ny = ?\n", "x.py") == Problem(5, "can't be parsed from `y = ?` on")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this interpreter knows the syntax")
def test_newer_syntax_is_not_blamed_for_an_error_elsewhere() -> None:
    newer = b"type X = int\n"
    after = newer + b"for in y:\n    pass\n"
    assert problems(after, "x.py") == (Problem(1, "invalid syntax"), Problem(2, "missing 'identifier'"))
    assert breaks(newer, after, "x.py") == Problem(2, "missing 'identifier'")


def test_many_errors_are_cut_off() -> None:
    assert len(problems(b"x = ?\n\ny = 1\n" * 50, "x.py")) <= 21
