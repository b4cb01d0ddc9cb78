"""What `rename` takes for a renaming, and where one is incomplete or changes what a name means."""

from collections.abc import Mapping

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge
from orefactor.sandbox.patch import ChangeKind


def changed(before: str | None, after: str | None, path: str = "a.py", old_path: str | None = None) -> FileChange:
    kind: ChangeKind = (
        "added" if before is None else "deleted" if after is None else "renamed" if old_path else "modified"
    )
    old_mode, new_mode = ("000000" if side is None else "100644" for side in (before, after))
    old, new = (None if side is None else side.encode() for side in (before, after))
    return FileChange(path, old_path, kind, old, new, old_mode, new_mode)


def breach(contract: str, before: str, after: str) -> Breach | None:
    return judge(parse_contract([contract]), [changed(before, after)])


def breach_of(contract: str, files: Mapping[str, tuple[str | None, str | None]]) -> Breach | None:
    return judge(parse_contract([contract]), [changed(*sides, path) for path, sides in files.items()])


KEPT = {
    "function": ("def a(): x\na()\n", "def b(): x\nb()\n"),
    "nothing": ("def a(): x\n", "def a(): x\n"),
    "local": (
        "def f():\n  a = 1\n  return a\ndef g():\n  a = 2\n",
        "def f():\n  b = 1\n  return b\ndef g():\n  a = 2\n",
    ),
    "parameter": ("def f(a): return a\nf(a=1)\ng(a=2)\n", "def f(b): return b\nf(b=1)\ng(a=2)\n"),
    "parameter of a class": (
        "class C:\n  def __init__(self, a): x = a\nC(a=1)\n",
        "class C:\n  def __init__(self, b): x = b\nC(b=1)\n",
    ),
    "method": ("class C:\n  def a(self): self.a()\n  x = a\n", "class C:\n  def b(self): self.b()\n  x = b\n"),
    "attribute": ("class C:\n  def f(self):\n    self.a = 1\n", "class C:\n  def f(self):\n    self.b = 1\n"),
    "attribute elsewhere": ("class C:\n  a = 1\nc.a\nsubprocess.a\n", "class C:\n  b = 1\nc.b\nsubprocess.a\n"),
    "class": ("class A:\n  x = A.y\n  def f(self) -> A: A.y\n", "class B:\n  x = B.y\n  def f(self) -> B: B.y\n"),
    "variable": ("a = 1\ndef f():\n  global a\n  a = 2\n", "b = 1\ndef f():\n  global b\n  b = 2\n"),
    "two": ("a = c = 1\n", "b = d = 1\n"),
    "swapped": ("a = 1\nc = 2\na\n", "c = 1\na = 2\nc\n"),
    "texts": ("def a(): 'a b'\n# a\nx = 'a', 'a'\n", "def b(): 'b b'\n# b\nx = 'b', 'a'\n"),
    "wrapped": ("def a(x, y): z\n", "def bb(\n    x,\n    y,\n): z\n"),
    "formatted": ("a = 1\nx = f'{a} {a.c}'\n", "b = 1\nx = f'{b} {b.c}'\n"),
    "shown source": ("a = 1\nx = f'{a=}'\n", "b = 1\nx = f'{b=}'\n"),
    "alias": ("import x as a\na\n", "import x as b\nb\n"),
    "loop": ("for a in x: a\n", "for b in x: b\n"),
    "loop in function": ("def f():\n  for a, (c, *d) in x: a\n", "def f():\n  for b, (c, *d) in x: b\n"),
    "targets": (
        "def f():\n  with x as a: a\n  try: y\n  except E as c: c\n  d[e := 1] += e\n",
        "def f():\n  with x as b: b\n  try: y\n  except E as g: g\n  d[h := 1] += h\n",
    ),
    "patterns": (
        "def f(x):\n  match x:\n    case [a, *c]: a, c\n    case C(k=d) as e: d, e\n    case {**g}: g\n",
        "def f(x):\n  match x:\n    case [b, *h]: b, h\n    case C(k=i) as j: i, j\n    case {**k}: k\n",
    ),
    "comprehension": ("def f(): return [a for a in x]\n", "def f(): return [b for b in x]\n"),
    "lambda": ("def f(): return lambda a, c=1: a\n", "def f(): return lambda b, c=1: b\n"),
    "nested function": ("def f():\n  a = 1\n  def g(): return a\n", "def f():\n  b = 1\n  def g(): return b\n"),
    "nonlocal": (
        "def f():\n  a = 1\n  def g():\n    nonlocal a\n    a = 2\n",
        "def f():\n  b = 1\n  def g():\n    nonlocal b\n    b = 2\n",
    ),
    "shadowed": ("a = 1\ndef f(a): a\n", "b = 1\ndef f(a): a\n"),
    "inner of its own": (
        "def f():\n  a = 1\n  def g():\n    b = 2\n    return b\n  return a\n",
        "def f():\n  b = 1\n  def g():\n    b = 2\n    return b\n  return b\n",
    ),
    "new elsewhere": ("def f(): a = 1\ndef g(): b = 1\n", "def f(): b = 1\ndef g(): b = 1\n"),
    "not python's eyes": ("def a():\n  print 'x'\n", "def b():\n  print 'x'\n"),
    "tuple attributes": (
        "class C:\n  def f(self):\n    self.a, [self.c] = x\n    self.a\n",
        "class C:\n  def f(self):\n    self.b, [self.c] = x\n    self.b\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_kept(before: str, after: str) -> None:
    assert breach("rename", before, after) is None


BROKEN = {
    "use left": ("def a(): x\na()\na()\n", "def b(): x\nb()\na()\n", 3, "`a` stayed here, but became `b` in line 1"),
    "use only": ("def a(): x\na()\n", "def a(): x\nb()\n", 1, "`a` stayed here, but became `b` in line 2"),
    "two ways": ("a = 1\na\n", "b = 1\nc\n", 2, "`a` became `c` here, but became `b` in line 1"),
    "local left": (
        "def f(a):\n  return a\n",
        "def f(b):\n  return a\n",
        2,
        "`a` stayed here, but became `b` in line 1",
    ),
    "own attribute left": (
        "class C:\n  def a(self): x\n  def f(self): self.a()\n",
        "class C:\n  def b(self): x\n  def f(self): self.a()\n",
        3,
        "`a` stayed here, but became `b` in line 2",
    ),
    "keyword left": ("def f(a): a\nf(a=1)\n", "def f(b): b\nf(a=1)\n", 2, "`a` stayed here, but became `b` in line 1"),
    "in use": ("a = 1\nb = 2\na\n", "b = 1\nb = 2\nb\n", 1, "`a` became `b`, which is in use already"),
    "onto one": ("a = 1\nc = 2\n", "b = 1\nb = 2\n", 1, "`a` became `b`, which `c` became as well"),
    "local in use": ("def f(a, b): a\n", "def f(b, b): b\n", 1, "`a` became `b`, which is in use already"),
    "hides": (
        "def f(a):\n  return a, len\n",
        "def f(len):\n  return len, len\n",
        1,
        "`a` became `len`, which means something else there",
    ),
    "is hidden": (
        "a = 1\ndef f(b): return a\n",
        "b = 1\ndef f(b): return b\n",
        2,
        "`a` became `b`, which means something else there",
    ),
    "undefined": ("x(a)\n", "x(b)\n", 1, "`a` became `b`, but nothing of that name is defined in the change"),
    "attribute": ("x.a\n", "x.b\n", 1, "`a` became `b`, but nothing of that name is defined in the change"),
    "inherited": (
        "class C(B):\n  def f(self): self.a\n",
        "class C(B):\n  def f(self): self.b\n",
        2,
        "`a` became `b`, but nothing of that name is defined in the change",
    ),
    "keyword": ("x(a=1)\n", "x(b=1)\n", 1, "`a` became `b`, but nothing of that name is defined in the change"),
    "imported": (
        "from m import a\na\n",
        "from m import b\nb\n",
        1,
        "`a` became `b`, but nothing of that name is defined in the change",
    ),
    "only imported": (
        "from m import a\n",
        "from m import b\n",
        1,
        "`a` became `b`, but nothing of that name is defined in the change",
    ),
    "import new": ("a = 1\n", "import x\nb = 1\n", 1, "`import x` was added"),
    "import gone": ("import x\nimport y\na = 1\n", "b = 1\n", 1, "`import x` was removed"),
    "text": ("x = 'a'\n", "x = 'b'\n", 1, "`a` became `b` in a text or comment, but no name changed so"),
    "code": ("a = 1\n", "b = 2\n", 1, "`a = 1` became `b = 2`"),
    "operator": ("a = 1\na + a\n", "b = 1\nb - b\n", 2, "`a + a` became `b - b`"),
    "punctuation": ("a = 'x y'\n", "b = 'x, y'\n", 1, "`a = 'x y'` became `b = 'x, y'`"),
    "attribute for a name": ("a = 1\n", "b.c = 1\n", 1, "`a = 1` became `b.c = 1`"),
    "comment": ("a = 1\n", "b = 1  # c\n", 1, "the comment `# c` was added"),
    "layout": ("a = 1\nx = [1,\n2]\n", "b = 1\nx = [1, 2]\n", 2, "the layout of `x = [1, 2]` changed"),
    "broken": (
        "a = (1\nx a\n",
        "b = (1\ny b\n",
        1,
        "`a` became `b`, but nothing of that name is defined in the change",
    ),
}


@pytest.mark.parametrize(("before", "after", "line", "detail"), BROKEN.values(), ids=BROKEN)
def test_broken(before: str, after: str, line: int, detail: str) -> None:
    found = breach("rename", before, after)
    assert found is not None
    assert (found.line, found.detail) == (line, detail)


NAMED = {
    "asked": ("def a(): x\n", "def b(): x\n", True),
    "use of something else": ("x.a()\n", "x.b()\n", True),
    "other way": ("def b(): x\n", "def a(): x\n", False),
    "another": ("def c(): x\n", "def d(): x\n", False),
    "text": ("x = 'a'\n", "x = 'b'\n", True),
    "other text": ("x = 'c'\n", "x = 'd'\n", False),
    "import": ("from m import a, c\na\n", "from m import c, b\nb\n", True),
    "import under the old name": ("from m import a\na\n", "from m import b as a\na\n", True),
    "module": ("import p.a\np.a.x\n", "import p.b\np.b.x\n", True),
    "in use": ("a = b\n", "b = b\n", False),
    "broken": ("a = (1\nx a\n", "b = (1\nx b\n", True),
    "broken and left": ("a = (1\nx a\n", "b = (1\nx a\n", False),
    "broken and more": ("a = (1\nx a\n", "b = (1\nx  b\n", False),
}


@pytest.mark.parametrize(("before", "after", "is_kept"), NAMED.values(), ids=NAMED)
def test_named(before: str, after: str, is_kept: bool) -> None:
    assert (breach("rename:m.a=m.b", before, after) is None) == is_kept


FILES = {
    "definition and import": (
        "rename",
        {"m.py": ("def a(): x\n", "def b(): x\n"), "n.py": ("from m import a\na()\n", "from m import b\nb()\n")},
        True,
    ),
    "import sorted anew": (
        "rename",
        {
            "m.py": ("def a(): x\n", "def z(): x\n"),
            "n.py": ("from m import a, c\nimport k\na()\n", "import k\nfrom m import c, z\nz()\n"),
        },
        True,
    ),
    "import left": (
        "rename",
        {"m.py": ("def a(): x\n", "def b(): x\n"), "n.py": ("from m import a\na()\n", "from m import a\nb()\n")},
        False,
    ),
    "parameter in another file": (
        "rename",
        {"m.py": ("def f(a): a\n", "def f(b): b\n"), "n.py": ("m.f(a=1)\n", "m.f(b=1)\n")},
        True,
    ),
    "attribute in another file": (
        "rename",
        {"m.py": ("class C:\n  a = 1\n", "class C:\n  b = 1\n"), "n.py": ("c.a\n", "c.b\n")},
        True,
    ),
    "words elsewhere": (
        "rename",
        {"m.py": ("def a(): x\n", "def b(): x\n"), "d.md": ("`a` is a\n", "`b` is a\n")},
        True,
    ),
    "other words elsewhere": ("rename", {"m.py": ("def a(): x\n", "def b(): x\n"), "d.md": ("c\n", "d\n")}, False),
    "spaces elsewhere": ("rename", {"m.py": ("def a(): x\n", "def b(): x\n"), "d.md": ("a  a\n", "b a\n")}, False),
    "module as two files": (
        "rename",
        {"a.py": ("x\n", None), "b.py": (None, "x\n"), "n.py": ("import a\na.x\n", "import b\nb.x\n")},
        True,
    ),
    "module as asked": ("rename:a=b", {"p/a.py": ("x\n", None), "p/b.py": (None, "x\n")}, True),
    "module otherwise": ("rename:a=c", {"p/a.py": ("x\n", None), "p/b.py": (None, "x\n")}, False),
    "file of another depth": ("rename", {"a.py": ("x\n", None), "p/b.py": (None, "x\n")}, False),
    "new file": ("rename", {"a.py": (None, "x\n")}, False),
}


@pytest.mark.parametrize(("contract", "files", "is_kept"), FILES.values(), ids=FILES)
def test_files(contract: str, files: Mapping[str, tuple[str | None, str | None]], is_kept: bool) -> None:
    assert (breach_of(contract, files) is None) == is_kept


def test_renamed_file() -> None:
    contract = parse_contract(["rename"])
    moved = changed("x = 1\n", "x = 1\n", "p/b.py", "p/a.py")
    assert judge(contract, [moved]) is None
    assert judge(parse_contract(["rename:a=b"]), [moved]) is None
    assert judge(parse_contract(["rename:a=c"]), [moved]) is not None
    assert judge(contract, [changed("x\n", "x\n", "q/r/b.py", "p/a.py")]) is not None
    assert judge(contract, [moved, changed("import p.a\n", "import p.b\n", "c.py")]) is None


def test_with_docstrings() -> None:
    before, after = "def a(): return a\n", "def b():\n  'd'\n  return b\n"
    assert breach("rename,docstrings", before, after) is None
    assert breach("rename", before, after) is not None
    assert breach("rename,annotations", "def f(a): return a\n", "def f(b: int): return b\n") is None
    assert breach("rename,annotations", "def f(a): return a\n", "def f(b: int): return a\n") is not None
