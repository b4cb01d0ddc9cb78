"""Outlines: what is found in sound, old, broken, deep and large sources, and how it is shown."""

import time

import pytest

from orefactor.core.code.outline import enclosing, outline, render
from orefactor.core.code.symbols import Definition

SOURCE = b'''\
import x

@dec.a(
    1,  # one
    2,
)
@final
class A[T](Base, metaclass=M):
    # A comment before the docstring.
    r"""
    Doc of A.

    More.
    """

    async def f[U](
        self,
        a: int = 1,  # why # not
        *,
        b: str = "a  # b",
    ) -> dict[str,
        int]:
        def inner(): "one"; pass
        if a:
            def deeper():
                pass

    @property
    def p(self): return 1

    if X:
        def q(self):
            f"no docstring"

    class B: pass

def g(x): # a comment
    'doc' 'more'
    return \\
        1

try:
    def h(): b"bytes"
except E:
    class I: ...
'''

SHOWN = """\
src/x.py
L3-35 @dec.a(1, 2) @final class A[T](Base, metaclass=M)  "Doc of A."
  L16-26 async def f[U](self, a: int = 1, *, b: str = "a  # b") -> dict[str, int]
    L23-23 def inner()  "one"
    L25-26 def deeper()
  L28-29 @property def p(self)
  L32-33 def q(self)
  L35-35 class B
L37-40 def g(x)  "doc"
L43-43 def h()
L45-45 class I"""


def test_render() -> None:
    assert render(outline(SOURCE, "src/x.py"), "src/x.py") == SHOWN


def test_symbol() -> None:
    found = {symbol.qualified_name: symbol for symbol in outline(SOURCE, "x.py")}
    assert found["A.p"] == Definition("method", "p", "A.p", "def p(self)", ("property",), None, 28, 29)
    kinds = {name: symbol.kind for name, symbol in found.items()}
    assert kinds == {
        "A": "class",
        "A.f": "method",
        "A.f.inner": "function",
        "A.f.deeper": "function",
        "A.p": "method",
        "A.q": "method",
        "A.B": "class",
        "g": "function",
        "h": "function",
        "I": "class",
    }


@pytest.mark.parametrize(
    ("line", "name"),
    [(1, None), (3, "A"), (9, "A"), (16, "A.f"), (23, "A.f.inner"), (26, "A.f.deeper"), (28, "A.p"),
     (27, "A"), (36, None), (40, "g"), (45, "I"), (99, None)],
)  # fmt: skip
def test_enclosing(line: int, name: str | None) -> None:
    assert enclosing(outline(SOURCE, "x.py"), line) == name


@pytest.mark.parametrize(
    "data",
    [
        SOURCE.replace(b"\n", b"\r\n"),
        SOURCE.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + SOURCE,
        b"\xff\xfe" + SOURCE.decode().encode("utf-16-le"),
    ],
    ids=["crlf", "cr", "bom", "utf-16"],
)
def test_bytes_make_no_difference(data: bytes) -> None:
    assert outline(data, "x.py") == outline(SOURCE, "x.py")


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", ["x.py: no classes or functions"]),
        (b"x = lambda: 1\n", ["x.py: no classes or functions"]),
        (b"def f(a, (b, c)):\n    print 'x'\n    exec 'y' in z\n", ["L1-3 def f(a, (b, c))"]),
        (b"class A:\n    def f(self):\n        raise E, 'x'\n", ["L1-3 class A", "  L2-3 def f(self)"]),
        (b"# coding: latin-1\ndef caf\xe9(): '\xe9'\n", ['L2-2 def café()  "é"']),
        (b"def caf\xe9():\n    pass\n", ["L1-2 def café()"]),
        (b"def f(x=\\\n  1): pass\n", ["L1-2 def f(x= 1)"]),
        (b"def f(\n    #c\n): pass\n", ["L1-3 def f()"]),
        (b"class A(\n    B,\n): pass\n", ["L1-3 class A(B)"]),
        (b"class A(): x = 1\n", ["L1-1 class A()"]),
        (b"def f():\n    ''\n", ["L1-2 def f()"]),
        (b"def f():\n    ''' '''\n", ["L1-2 def f()"]),
        (b"def f():\n    x = 'no'\n", ["L1-2 def f()"]),
        (b"def f():\n    'a', 'b'\n", ["L1-2 def f()"]),
        (b"def f():\n    'no'.strip()\n", ["L1-2 def f()"]),
        (b"def f():\n    # only a comment\n", ["L1-1 def f()"]),
        (b"match x:\n    case 1:\n        def f(): pass\n", ["L3-3 def f()"]),
        (b"with a:\n  for b in c:\n    while d:\n      def f(): pass\n    else:\n      def g(): pass\n",
         ["L4-4 def f()", "L6-6 def g()"]),
        (b"def f(x=" + b"1" * 300 + b"): pass\n", ["L1-1 def f(x=" + "1" * 231 + "\u2026"]),
    ],
)  # fmt: skip
def test_shown(data: bytes, shown: list[str]) -> None:
    rendered = render(outline(data, "x.py"), "x.py").split("\n")
    assert rendered[-len(shown) :] == shown


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"def a(): pass\nx = (1\ndef b(): pass\n", {"a"}),
        (b"def a(): pass\n\nx = = 1\n\ndef b(): pass\n", {"a", "b"}),
        (b"class A:\n    def f(self:\n        pass\n    def g(self):\n        pass\n", {"A"}),
        (b"<<<<<<< ours\ndef a(): pass\n=======\ndef a(): pass\n>>>>>>> theirs\n", {"a"}),
        (b"def f():", {"f"}),
        (b"def", set[str]()),
        (b"class", set[str]()),
        (bytes(range(256)) * 100, set[str]()),
        (b"\0" * 1000, set[str]()),
    ],
)
def test_broken_sources_give_what_they_can(data: bytes, names: set[str]) -> None:
    assert names <= {symbol.name for symbol in outline(data, "x.py")}


@pytest.mark.parametrize(
    "data",
    [
        b"".join(b" " * depth + b"def f():\n" for depth in range(400)) + b" " * 400 + b"pass\n",
        b"".join(b" " * depth + b"if x:\n" for depth in range(2000)) + b" " * 2000 + b"pass\n",
        b"x = " + b"(" * 50_000,
        b"x = " + b"-" * 50_000 + b"1\n",
        b"def f(a=" + b"[" * 500 + b"#\n" + b"]" * 500 + b"): pass\n",
    ],
)
def test_deep_nesting(data: bytes) -> None:
    outline(data, "x.py")


def test_large_files_take_time_in_proportion() -> None:
    method = b"    @d\n    def m(self, a: int = 1) -> int:\n        '''Doc.'''\n        return a\n\n"
    data = b"".join(b"class C%d:\n" % number + method * 10 for number in range(400))
    start = time.process_time()
    symbols = outline(data, "x.py")
    assert len(symbols) == 4400
    assert time.process_time() - start < 5
