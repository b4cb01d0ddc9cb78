"""What `move` takes for a move: the same code elsewhere, nothing copied, lost or rewritten."""

from collections.abc import Mapping

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge
from orefactor.sandbox.patch import ChangeKind

Files = Mapping[str, tuple[str | None, str | None]]


def breach_of(contract: str, files: Files) -> Breach | None:
    changes: list[FileChange] = []
    for path, sides in files.items():
        kind: ChangeKind = "added" if sides[0] is None else "deleted" if sides[1] is None else "modified"
        old_mode, new_mode = ("000000" if side is None else "100644" for side in sides)
        before, after = (None if side is None else side.encode() for side in sides)
        changes.append(FileChange(path, None, kind, before, after, old_mode, new_mode))
    return judge(parse_contract([contract]), changes)


F = "def f(a):\n    # c\n    return a\n"
KEPT: dict[str, Files] = {
    "to a new file": {
        "a.py": (f"import os\n\n{F}\n\nx()\n", "from b import f\n\n\nx()\n"),
        "b.py": (None, f'"""Doc."""\n\nimport os\n\n\n{F}'),
    },
    "to another file": {"a.py": (f"{F}y()\n", "y()\n"), "b.py": ("x()\n", f"x()\n\n\n{F}")},
    "file goes": {"a.py": (f'"""Doc."""\n{F}', None), "b.py": ("x()\n", f"x()\n{F}")},
    "class and assignment": {
        "a.py": ("@d\nclass A:\n  x = 1\nB = 2\n", "\n"),
        "b.py": (None, "B = 2\n\n\n@d\nclass A:\n  x = 1\n"),
    },
    "within a file": {"a.py": (f"{F}\nclass A: x\n", f"class A: x\n\n\n{F}")},
    "method to function": {
        "a.py": (
            "class A:\n  def f(self, a):\n    return a\n  def g(self):\n    return self.f(1)\n",
            "def f(a):\n  return a\nclass A:\n  def g(self):\n    return f(1)\n",
        ),
    },
    "only parameter": {
        "a.py": ("class A:\n  def f(self): x\n  def g(self): y\n", "class A:\n  def g(self): y\ndef f(): x\n")
    },
    "method with self": {
        "a.py": (
            "class A:\n  def f(self, a): return self.x\n  def g(self):\n    return self.f(1), self.f(), A.f(self)\n",
            "def f(this, a): return this.x\nclass A:\n  def g(self):\n    return f(self, 1), f(self), f(self)\n",
        ),
    },
    "methods that call each other": {
        "a.py": (
            "class A:\n  def f(self): self.g(1)\n  def g(self, a): x\n  def h(self): y\n",
            "class A:\n  def h(self): y\ndef f(): g(1)\ndef g(a): x\n",
        ),
    },
    "method that calls one that stays": {
        "a.py": (
            "class A:\n  def f(self): self.g(1)\n  def g(self, a): x\n",
            "class A:\n  def g(self, a): x\ndef f(this): this.g(1)\n",
        ),
    },
    "static method": {
        "a.py": (
            "class A:\n  @staticmethod\n  def f(a): x\n  def g(self): self.f(1); A.f(2)\n",
            "class A:\n  def g(self): f(1); f(2)\n\ndef f(a): x\n",
        ),
    },
    "class method": {
        "a.py": (
            "class A:\n  @classmethod\n  def f(cls, a): cls.x\n  y = 1\n",
            "def f(cls, a): cls.x\nclass A:\n  y = 1\n",
        ),
    },
    "call outside": {
        "a.py": (
            "class A:\n  @staticmethod\n  def f(a): x\n  y\ndef h(): A.f(1)\n",
            "class A:\n  y\ndef f(a): x\ndef h(): f(1)\n",
        ),
    },
    "docstring moves along": {
        "a.py": (
            'class A:\n    def f(self):\n        """A.\n\n        b\n        """\n    y = 1\n',
            'def f():\n    """A.\n\n    b\n    """\nclass A:\n    y = 1\n',
        ),
    },
    "last member": {"a.py": ("class A:\n  def f(self): x\n", "class A:\n  pass\ndef f(): x\n")},
    "to another class": {
        "a.py": (
            "class A:\n  def f(self): x\n  y = 1\nclass B:\n  z = 1\n",
            "class A:\n  y = 1\nclass B:\n  z = 1\n  def f(self): x\n",
        )
    },
    "nested class": {
        "a.py": (
            "class A:\n  class B:\n    def f(self): x\n    y = 1\n",
            "class A:\n  class B:\n    y = 1\n  def f(self): x\n",
        )
    },
    "export": {
        "a.py": (f"__all__ = ['f']\n{F}", "from b import f\n__all__ = []\n"),
        "b.py": (None, f"__all__ = ('f',)\n{F}"),
    },
    "type checking block": {"a.py": (f"{F}", None), "b.py": (None, f"if TYPE_CHECKING:\n    import x\n{F}")},
    "broken in the moved": {
        "a.py": ("def f():\n  x = (1 +)\ny()\n", "y()\n"),
        "b.py": (None, "def f():\n  x = (1 +)\n"),
    },
    "data elsewhere stays": {"a.py": (F, None), "b.py": (None, F), "d.txt": ("x", "x")},
    "clauses": {"a.py": ("try: a\nexcept E: b\nelse: c\nx = 1\n", "x = 1\ntry: a\nexcept E: b\nelse: c\n")},
}


@pytest.mark.parametrize("files", KEPT.values(), ids=KEPT)
def test_kept(files: Files) -> None:
    assert breach_of("move", files) is None


BROKEN: dict[str, tuple[Files, tuple[str, int, str, str]]] = {
    "body": (
        {"a.py": (F, None), "b.py": (None, F.replace("return a", "return b"))},
        ("b.py", 3, "f", "`return a` became `return b`"),
    ),
    "line lost": (
        {"a.py": ("def f():\n  x\n  y\n", None), "b.py": (None, "def f():\n  x\n")},
        ("b.py", 2, "f", "`y` was removed"),
    ),
    "line in another block": (
        {"a.py": ("def f():\n  if x: a\n  y\n", None), "b.py": (None, "def f():\n  if x:\n    a\n    y\n")},
        ("b.py", 4, "f", "`y` stands in another block"),
    ),
    "comment in it": (
        {"a.py": (F, None), "b.py": (None, F.replace("# c", "# d"))},
        ("b.py", 1, "f", "the comments in `def f(a):` changed"),
    ),
    "copied": ({"b.py": (None, F), "a.py": (f"x = 1\n{F}", f"{F}x = 1\n")}, ("b.py", 1, "f", "`def f(a):` was added")),
    "lost": ({"a.py": (f"{F}x\n", "x\n")}, ("a.py", 1, "f", "`def f(a):` is gone and stands nowhere else")),
    "call moves": (
        {"a.py": ("x()\n", None), "b.py": (None, "x()\n")},
        ("a.py", 1, "", "`x()` is gone and stands nowhere else"),
    ),
    "order of calls": ({"a.py": ("x()\ny()\n", "y()\nx()\n")}, ("a.py", 1, "", "`y()` stands in another order")),
    "order of one name": (
        {"a.py": ("a = 1\nb = 1\na = 2\n", "a = 2\nb = 1\na = 1\n")},
        ("a.py", 1, "a", "`a = 2` stands in another order"),
    ),
    "layout of what stays": (
        {"a.py": (f"x = [1,\n2]\n{F}", "x = [1, 2]\n"), "b.py": (None, F)},
        ("a.py", 1, "x", "the layout of `x = [1, 2]` changed"),
    ),
    "comment lost": (
        {"a.py": (f"# d\n{F}", None), "b.py": (None, F)},
        ("a.py", 1, "", "the comment `# d` was removed"),
    ),
    "comment added": ({"a.py": (F, None), "b.py": (None, f"{F}# d\n")}, ("b.py", 4, "", "the comment `# d` was added")),
    "self left": (
        {"a.py": ("class A:\n  def f(self, a): return self.x\n  y\n", "class A:\n  y\ndef f(a): return self.x\n")},
        ("a.py", 3, "f", "`def f(a):` says something else than the method `A.f` did"),
    ),
    "call left": (
        {
            "a.py": (
                "class A:\n  def f(self): x\n  def g(self): self.f()\n",
                "class A:\n  def g(self): self.g()\ndef f(): x\n",
            )
        },
        ("a.py", 2, "A.g", "`self.f()` became `self.g()`"),
    ),
    "super": (
        {"a.py": ("class A:\n  def f(self): super().f()\n  y\n", "class A:\n  y\ndef f(): super().f()\n")},
        ("a.py", 3, "f", "`def f():` says something else than the method `A.f` did"),
    ),
    "private": (
        {"a.py": ("class A:\n  def f(self): x.__y\n  y\n", "class A:\n  y\ndef f(): x.__y\n")},
        ("a.py", 3, "f", "`def f():` says something else than the method `A.f` did"),
    ),
    "typed self": (
        {"a.py": ("class A:\n  def f(self: A, a): x\n  y\n", "class A:\n  y\ndef f(a): x\n")},
        ("a.py", 3, "f", "`def f(a):` says something else than the method `A.f` did"),
    ),
    "more lines in the function": (
        {"a.py": ("class A:\n  def f(self): x\n  y\n", "class A:\n  y\ndef f(): x; z\n")},
        ("a.py", 3, "f", "`def f():` says something else than the method `A.f` did"),
    ),
    "class head": (
        {"a.py": ("class A(B):\n  def f(self): x\n", "class A(C):\n  pass\ndef f(): x\n")},
        ("a.py", 1, "A", "`class A(B):` became `class A(C):`"),
    ),
    "broken class head": (
        {"a.py": ("class A(B C):\n  def f(self): x\n", "class A(B C):\n  def f(self): y\n")},
        ("a.py", 2, "A.f", "`x` became `y`"),
    ),
    "docstring below": (
        {"a.py": (f"'d'\n{F}", f"{F}'d'\n")},
        ("a.py", 4, "", "`'d'` is read in another way"),
    ),
    "two methods to one function": (
        {
            "a.py": (
                "class A:\n  def f(self): x\n  y\nclass B:\n  def f(self): x\n  y\n",
                "class A:\n  y\nclass B:\n  y\ndef f(): x\n",
            )
        },
        ("a.py", 5, "B.f", "`def f(self):` is gone and stands nowhere else"),
    ),
    "comment alone": (
        {"a.py": (f"x()\n{F}", f"{F}x()  # d\n")},
        ("a.py", 4, "", "the comment `# d` was added"),
    ),
    "data": ({"d.txt": ("a\nb", "a\nc")}, ("d.txt", 2, "", "a file that isn't Python changed: `b` became `c`")),
    "data grows": ({"d.txt": ("a", "a\nc")}, ("d.txt", 2, "", "a file that isn't Python changed")),
    "encoding": ({"a.py": ("x\n", "\ufeffx\n")}, ("a.py", 0, "", "the file's byte order mark changed")),
    "new data": ({"d.txt": (None, "a")}, ("d.txt", 0, "", "the file was added")),
    "made-up export": (
        {"a.py": (F, None), "b.py": (None, f"__all__ = [f()]\n{F}")},
        ("b.py", 1, "__all__", "`__all__ = [f()]` was added"),
    ),
}


@pytest.mark.parametrize(("files", "expected"), BROKEN.values(), ids=BROKEN)
def test_broken(files: Files, expected: tuple[str, int, str, str]) -> None:
    found = breach_of("move", files)
    assert found is not None
    assert (found.path, found.line, found.symbol, found.detail) == expected


TOGETHER: dict[str, tuple[str, Files, bool]] = {
    "docstring": (
        "move,docstrings",
        {"a.py": (F, None), "b.py": (None, F.replace("    # c", "    'd'\n    # c"))},
        True,
    ),
    "comment": ("move,comments", {"a.py": (F, None), "b.py": (None, F.replace("# c", "# d"))}, True),
    "directive": ("move,comments", {"a.py": (F, None), "b.py": (None, F.replace("# c", "# noqa"))}, False),
    "annotation": ("move,annotations", {"a.py": (F, None), "b.py": (None, F.replace("(a)", "(a: int)"))}, True),
    "layout": ("move,formatting", {"a.py": (f"x = [1,\n2]\n{F}", "x = [1, 2]\n"), "b.py": (None, F)}, True),
    "name": ("move,rename:f=g", {"a.py": (f"{F}f(1)\n", "g(1)\n"), "b.py": (None, F.replace("f(a)", "g(a)"))}, True),
    "name left": (
        "move,rename:f=g",
        {"a.py": (f"{F}f(1)\n", "f(1)\n"), "b.py": (None, F.replace("f(a)", "g(a)"))},
        False,
    ),
    "other name": ("move,rename:f=g", {"a.py": (F, None), "b.py": (None, F.replace("f(a)", "h(a)"))}, False),
}


@pytest.mark.parametrize(("contract", "files", "is_kept"), TOGETHER.values(), ids=TOGETHER)
def test_together(contract: str, files: Files, is_kept: bool) -> None:
    assert (breach_of(contract, files) is None) == is_kept


def test_moved_file() -> None:
    change = FileChange("b/a.py", "a.py", "renamed", b"import x\n", b"import y\n", "100644", "100644")
    assert judge(parse_contract(["move"]), [change]) is None
