"""What `formatting` sees through, and what it takes for another program."""

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


SAME = {
    "spaces": ("x=1\n", "x = 1\n"),
    "blank lines": ("x\ny\n", "x\n\n\ny\n"),
    "parentheses": ("x = (a + (b))\n", "x = a + b\n"),
    "statement": ("return (x)\n", "return x\n"),
    "tuple": ("return (a, b)\n", "return a, b\n"),
    "target": ("(a) = (b, c) = d\n", "a = b, c = d\n"),
    "last comma": ("f(a, b)\n", "f(\n    a,\n    b,\n)\n"),
    "literals": ("[1,]; {2,}; {3: 4,}\n", "[1]; {2}; {3: 4}\n"),
    "parameters": ("def f(a, *, b=1) -> c: d\n", "def f(\n    a,\n    *,\n    b=(1),\n) -> c:\n    d\n"),
    "quotes": ("x = 'a'\n", 'x = "a"\n'),
    "escaped quotes": (r"x = 'a\'b'", 'x = "a\'b"'),
    "prefix": ("x = R'a' + B'b' + u'c'\n", "x = r'a' + b'b' + 'c'\n"),
    "formatted": ("x = f'{a[\"b\"]!r:>{c}} d'\n", "x = f\"{a['b']!r:>{c}} d\"\n"),
    "numbers": ("x = 0XFF + 1E5 + 2J\n", "x = 0xff + 1e5 + 2j\n"),
    "import": ("from a import b, c\n", "from a import (\n    b,\n    c,\n)\n"),
    "with": ("with a as b, c: d\n", "with (\n    a as b,\n    c,\n):\n    d\n"),
    "backslash": ("x = a + \\\n    b\n", "x = a + b\n"),
    "semicolon": ("x; y;\n", "x\ny\n"),
    "one line": ("if a: b\n", "if a:\n    b\n"),
    "indentation": ("if a:\n  b\n", "if a:\n\tb\n"),
    "operators": ("x = a is  not b\n", "x = a is not b\n"),
    "comment": ("x = 1 #a\n", "x = 1  # a\n"),
    "comment moves out": ("x = [  # a\n    1]\n", "x = [1]  # a\n"),
    "directive moves out": ("x = [  # noqa\n    1]\n", "x = [1]  # noqa\n"),
    "docstring": ('def f():\n  """A.\n\n   b\n  """\n', 'def f():\n    """A.\n\n    b\n    """\n'),
    "line ends": ("x\r\ny\r\n", "x\ny\n"),
    "walrus": ("(a := b)\n", "(a := (b))\n"),
    "pattern": ("match a:\n  case (b): c\n", "match a:\n  case b: c\n"),
    "lambda": ("f(lambda: (x))\n", "f(lambda: x)\n"),
    "deep": ("x = " + "(" * 5000 + "1" + ")" * 5000 + "\n", "x = 1\n"),
}


@pytest.mark.parametrize(("before", "after"), SAME.values(), ids=SAME)
def test_same(before: str, after: str) -> None:
    assert breach("formatting", before, after) is None
    assert breach("formatting", after, before) is None


OTHER = {
    "grouping": ("x = (a + b) * c\n", "x = a + b * c\n"),
    "comparison": ("x = (a < b) < c\n", "x = a < b < c\n"),
    "tuple of one": ("x = (a,)\n", "x = (a)\n"),
    "returned tuple of one": ("return a,\n", "return a\n"),
    "target of one": ("a, = b\n", "a = b\n"),
    "pattern of one": ("match a:\n  case (b,): c\n", "match a:\n  case (b): c\n"),
    "subscript": ("x = a[1,]\n", "x = a[1]\n"),
    "concatenation": ("x = 'a' 'b'\n", "x = 'ab'\n"),
    "bytes": ("x = 'a'\n", "x = b'a'\n"),
    "raw": ("x = '\\n'\n", "x = r'\\n'\n"),
    "escape": ("x = '\\\\a'\n", "x = '\\\\\\\\a'\n"),
    "line in text": ("x = '''a\nb'''\n", "x = '''a\n b'''\n"),
    "shown source": ("x = f'{a=}'\n", "x = f'{a = }'\n"),
    "format": ("x = f'{a:>1}'\n", "x = f'{a: >1}'\n"),
    "yield": ("x = (yield a), b\n", "x = yield a, b\n"),
    "assert": ("assert a, b\n", "assert (a, b)\n"),
    "raise": ("raise a, b\n", "raise (a, b)\n"),
    "print": ("print a, b\n", "print (a, b)\n"),
    "trailing print": ("print a,\n", "print a\n"),
    "annotated": ("(a): int = 1\n", "a: int = 1\n"),
    "lambda": ("x = lambda: (a, b)\n", "x = lambda: a, b\n"),
    "star": ("f(*a)\n", "f(a)\n"),
    "block": ("if a:\n  b\n  c\n", "if a:\n  b\nc\n"),
    "else": ("if a: b\nelif c: d\n", "if a: b\nelse:\n  if c: d\n"),
    "order": ("x; y\n", "y; x\n"),
    "number": ("x = 1\n", "x = 1.0\n"),
    "comment": ("x  # a\n", "x  # b\n"),
    "directive moves away": ("x  # noqa\n", "x\n# noqa\n"),
    "comment gone": ("x  # a\n", "x\n"),
    "comment elsewhere": ("x  # a\ny\n", "x\ny  # a\n"),
    "docstring": ("def f():\n  'a b'\n", "def f():\n  'a  c'\n"),
    "docstring becomes code": ("def f():\n  'a'\n  b\n", "def f():\n  b\n  'a'\n"),
    "words of a text": ("x = 'a  b'\n", "x = 'a b'\n"),
    "broken": ("def f(:\n  x\n", "def f(:\n    x\n"),
    "broken inside": ("x = (1 +)\n", "x = (1  +)\n"),
    "import": ("from a import b, c\n", "from a import c, b\n"),
    "shebang": ("#!a\nx\n", "#! a\nx\n"),
}


@pytest.mark.parametrize(("before", "after"), OTHER.values(), ids=OTHER)
def test_other(before: str, after: str) -> None:
    assert breach("formatting", before, after) is not None
    assert breach("formatting", after, before) is not None
