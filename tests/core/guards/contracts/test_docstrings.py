"""What `docstrings` allows: docstrings and what they make needless, and not a byte besides."""

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


KEPT = {
    "function": ("def f():\n    return 1\n", 'def f():\n    """Doc."""\n    return 1\n'),
    "method and class": (
        "class A:\n  def f(self): return 1\n",
        'class A:\n  """A."""\n\n  def f(self):\n    """F."""\n    return 1\n',
    ),
    "module": ("# c\nimport os\n", '# c\n"""Doc."""\n\nimport os\n'),
    "pass goes": ("class A:\n    pass\n", 'class A:\n    """Doc."""\n'),
    "dots go": ("class A: ...\n", 'class A:\n    """Doc."""\n'),
    "pass stays": ("def f(): pass\n", 'def f():\n    """Doc."""\n    pass\n'),
    "pass comes back": ('def f():\n    """Doc."""\n', "def f():\n    pass\n"),
    "reworded": ("def f():\n    'a'\n    x\n", 'def f():\n\n    """\n    b\n    """\n\n    x\n'),
    "concatenated": ("def f():\n    x\n", 'def f():\n    ("a" "b")\n    x\n'),
    "async": ("async def f():\n    await x\n", 'async def f():\n    r"""D."""\n    await x\n'),
    "deep": (
        "if a:\n  class A:\n    def f(self):\n      x\n",
        "if a:\n  class A:\n    def f(self):\n      'd'\n      x\n",
    ),
    "comment around": ("def f():\n    # c\n    x\n", 'def f():\n    """D."""\n    # c\n    x\n'),
    "decorated": ("@a\ndef f():\n    x\n", "@a\ndef f():\n    'd'\n    x\n"),
    "match": ("match x:\n  case 1:\n    def f(): pass\n", "match x:\n  case 1:\n    def f(): 'd'\n"),
    "python 2": ("def f():\n    print 'x'\n", "def f():\n    'd'\n    print 'x'\n"),
    "type parameters": ("def f[T](x: T): ...\n", "def f[T](x: T): 'd'\n"),
    "exception groups": ("def f():\n  try: a\n  except* B: c\n", "def f():\n  'd'\n  try: a\n  except* B: c\n"),
    "broken elsewhere": ("x = (\ny ~ z\n\ndef f():\n    a\n", "x = (\ny ~ z\n\ndef f():\n    a\n"),
    "nothing left": ("class A:\n    'd'\n    x = 1\n", "class A:\n    x = 1\n"),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_kept(before: str, after: str) -> None:
    assert breach("docstrings", before, after) is None
    assert breach("docstrings", after, before) is None


BROKEN = {
    "body": (
        "def f():\n    return a\n",
        'def f():\n    """D."""\n    return b\n',
        3,
        "f",
        "`return a` became `return b`",
    ),
    "statement gone": ("def f():\n    x\n    y\n", "def f():\n    'd'\n    y\n", 3, "f", "`x` was removed"),
    "statement new": ("def f():\n    y\n", "def f():\n    'd'\n    x\n    y\n", 3, "f", "`x` was added"),
    "text in code": ("def f():\n    x\n", "def f():\n    x\n    'd'\n", 3, "f", "`'d'` was added"),
    "text further down": ("def f():\n    'd'\n    x\n", "def f():\n    x\n    'd'\n", 3, "f", "`'d'` was added"),
    "bytes": ("def f():\n    x\n", "def f():\n    b'd'\n    x\n", 2, "f", "`b'd'` was added"),
    "formatted": ("def f():\n    x\n", "def f():\n    f'd'\n    x\n", 2, "f", "`f'd'` was added"),
    "tuple": ("def f():\n    x\n", "def f():\n    'd',\n    x\n", 2, "f", "`'d',` was added"),
    "in a loop": ("for a in b:\n    x\n", "for a in b:\n    'd'\n    x\n", 2, "", "`'d'` was added"),
    "pass alone": ("def f(): pass\n", "def f(): ...\n", 1, "f", "`pass` became `...`"),
    "pass with both": ("def f():\n  'd'\n  pass\n", "def f():\n  'e'\n  ...\n", 3, "f", "`pass` became `...`"),
    "pass for nothing": ("def f():\n  'd'\n  pass\n", "def f():\n  'd'\n", 1, "f", "`pass` was removed"),
    "comment": ("def f():\n    # c\n    x\n", "def f():\n    'd'\n    x\n", 3, "f", "the comment `# c` was removed"),
    "for a comment": (
        "def f():\n    'd'\n    x\n",
        "def f():\n    # d\n    x\n",
        2,
        "f",
        "the comment `# d` was added",
    ),
    "blank line": ("x\n\ny\n", "x\ny\n", 2, "", "the white space before `y` changed"),
    "layout": ("x = [1,\n 2]\n", "x = [1, 2]\n", 1, "", "the layout of `x = [1, 2]` changed"),
    "quotes": ("x = 'a'\n", 'x = "a"\n', 1, "", 'the layout of `x = "a"` changed'),
    "end": ("x\n", "x\n\n", 1, "", "the white space at the end of the file changed"),
    "block": ("if a:\n  b\n  c\n", "if a:\n  b\nc\n", 3, "", "`c` stands in another block"),
    "default": ("def f(a=1): x\n", "def f(a=2):\n  'd'\n  x\n", 1, "f", "`def f(a=1):` became `def f(a=2):`"),
    "import": ("import a\n", "'d'\nimport b\n", 2, "", "`import a` became `import b`"),
    "line ends": ("x\ny\n", "x\ny\r\n", 2, "", "the line ends in '\\r\\n', as no line did before"),
    "mark": ("x\n", "\ufeffx\n", 0, "", "the file's byte order mark changed"),
    "broken part": ("def f(x:\n  a\n", "def f(x:\n  b\n", 2, "", "`def f(x: a` became `def f(x: b`"),
}


@pytest.mark.parametrize(("before", "after", "line", "symbol", "detail"), BROKEN.values(), ids=BROKEN)
def test_broken(before: str, after: str, line: int, symbol: str, detail: str) -> None:
    found = breach("docstrings", before, after)
    assert found is not None
    assert (found.line, found.symbol, found.detail) == (line, symbol, detail)


def test_words_of_a_breach() -> None:
    found = breach("docstrings", "class A:\n  def f(self): return a\n", "class A:\n  def f(self): return b\n")
    assert str(found) == "a.py:2 in A.f: `return a` became `return b`; the contract `docstrings` doesn't allow it"
