"""What `annotations` allows, and what looks like an annotation and does more."""

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("pkg/a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


KEPT = {
    "parameters": ("def f(a, *b, c=1, **d): x\n", "def f(a: int, *b: str, c: int = 1, **d: float) -> None: x\n"),
    "wrapped": ("def f(a, b): x\n", "def f(\n    a: int,\n    b: int,\n) -> None: x\n"),
    "changed": ("def f(a: int): x\n", "def f(a: 'list[int]') -> a.b: x\n"),
    "async method": ("class A(b):\n  async def f(self): x\n", "class A(b):\n  async def f(self) -> None: x\n"),
    "variable": ("x = 1\n", "x: int = 1\n"),
    "local": ("def f():\n  x = 1\n", "def f():\n  x: int = 1\n"),
    "attribute": ("def f(a):\n  a.b = 1\n", "def f(a):\n  a.b: int = 1\n"),
    "bare in module": ("x\n", "y: int\nx\n"),
    "bare attribute": ("def f(self):\n  x\n", "def f(self):\n  self.a: int\n  x\n"),
    "bare of a local": ("def f():\n  if a:\n    x = 1\n", "def f():\n  x: int\n  if a:\n    x = 1\n"),
    "class variable": ("class A:\n  x = 1\n", "class A:\n  x: int = 1\n  y: str\n"),
    "known bases": (
        "class A(ABC, Generic[T], dict, metaclass=ABCMeta):\n  x = 1\n",
        "class A(ABC, Generic[T], dict, metaclass=ABCMeta):\n  x: int = 1\n",
    ),
    "own base": ("class B: a\nclass A(B):\n  x = 1\n", "class B: a\nclass A(B):\n  x: int = 1\n"),
    "quiet decorator": ("@final\nclass A:\n  x = 1\n", "@final\nclass A:\n  x: int = 1\n"),
    "class variable of a model": ("class A(Model):\n  x = 1\n", "class A(Model):\n  x: ClassVar[int] = 1\n"),
    "field type": ("@dataclass\nclass A:\n  x: list = 1\n", "@dataclass\nclass A:\n  x: list[int] = 1\n"),
    "tuple type": ("class A(NamedTuple):\n  x: list\n", "class A(NamedTuple):\n  x: list[int]\n"),
    "typing": ("x\n", "from typing import Any\nfrom collections.abc import Mapping\nimport types\nx\n"),
    "future": ("'d'\nx\n", "'d'\nfrom __future__ import annotations\n\nx\n"),
    "block": (
        "import os\nx\n",
        "import os\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import b\n\nx\n",
    ),
    "in the block": (
        "import typing\nif typing.TYPE_CHECKING:\n    import a\nx\n",
        "import typing\nif typing.TYPE_CHECKING:\n    import a\n    import b\nx\n",
    ),
    "typing goes": ("from typing import List\ndef f(a: List): x\n", "def f(a: list): x\n"),
    "type comment": ("x = []  # type: list[int]\n", "x: list[int] = []\n"),
    "known call": ("def f(a: b(1)): x\n", "def f(a: b(1), ) -> None: x\n"),
    "text": ("x = 1\n", "x: 'f(1)' = 1\n"),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_kept(before: str, after: str) -> None:
    assert breach("annotations", before, after) is None


BROKEN = {
    "default": ("def f(a=1): x\n", "def f(a: int = 2): x\n"),
    "new default": ("def f(a): x\n", "def f(a: int = None): x\n"),
    "name": ("def f(a): x\n", "def f(b: int): x\n"),
    "order": ("def f(a, b): x\n", "def f(b: int, a: int): x\n"),
    "separator": ("def f(a, b): x\n", "def f(a: int, *, b: int): x\n"),
    "body": ("def f(a): x\n", "def f(a: int): y\n"),
    "decorator": ("def f(a): x\n", "@b\ndef f(a: int): x\n"),
    "layout": ("def f(a, b): x\n", "def f(a,\n b): x\n"),
    "parentheses": ("x = 1\n", "(x): int = 1\n"),
    "value": ("x = 1\n", "x: int = 2\n"),
    "bare for a use": ("x\n", "x: int\n"),
    "bare makes local": ("def f():\n  return x\n", "def f():\n  x: int\n  return x\n"),
    "bare subscript": ("x\n", "a[0]: int\nx\n"),
    "field": ("@dataclass\nclass A:\n  x = 1\n", "@dataclass\nclass A:\n  x: int = 1\n"),
    "field of a factory": (
        "@dataclasses.dataclass(frozen=True)\nclass A:\n  x = 1\n",
        "@dataclasses.dataclass(frozen=True)\nclass A:\n  x: int = 1\n",
    ),
    "new field": ("@dataclass\nclass A:\n  x: int\n", "@dataclass\nclass A:\n  x: int\n  y: int\n"),
    "field to class variable": (
        "@dataclass\nclass A:\n  x: int = 1\n",
        "@dataclass\nclass A:\n  x: ClassVar[int] = 1\n",
    ),
    "field to parameter": ("@dataclass\nclass A:\n  x: int = 1\n", "@dataclass\nclass A:\n  x: InitVar[int] = 1\n"),
    "below a dataclass": (
        "@dataclass\nclass B: a\nclass A(B):\n  x = 1\n",
        "@dataclass\nclass B: a\nclass A(B):\n  x: int = 1\n",
    ),
    "checked field": (
        "import pydantic\n@dataclass\nclass A:\n  x: int\n",
        "import pydantic\n@dataclass\nclass A:\n  x: str\n",
    ),
    "model": ("class A(Model):\n  x = 1\n", "class A(Model):\n  x: int = 1\n"),
    "model type": ("class A(Model):\n  x: int = 1\n", "class A(Model):\n  x: str = 1\n"),
    "metaclass": ("class A(metaclass=M):\n  x = 1\n", "class A(metaclass=M):\n  x: int = 1\n"),
    "keyword": ("class A(table=True):\n  x = 1\n", "class A(table=True):\n  x: int = 1\n"),
    "unknown decorator": ("@a.b\nclass A:\n  x = 1\n", "@a.b\nclass A:\n  x: int = 1\n"),
    "cycle of bases": ("class A(B): a\nclass B(A, C):\n  x = 1\n", "class A(B): a\nclass B(A, C):\n  x: int = 1\n"),
    "runs": ("def f(a): x\n", "def f(a: g(1)): x\n"),
    "binds": ("x = 1\n", "x: (y := int) = 1\n"),
    "runs bare": ("x\n", "y: g(1)\nx\n"),
    "import": ("x\n", "import os\nx\n"),
    "other future": ("x\n", "from __future__ import division\nx\n"),
    "future goes": ("from __future__ import annotations\nx\n", "x\n"),
    "hides": ("def cast(): a\n", "from typing import cast\ndef cast(): a\n"),
    "hides a built-in": ("x\n", "from types import open\nx\n"),
    "rebinds": ("from a import Any\n", "from a import Any\nfrom typing import Any\n"),
    "star": ("x\n", "from typing import *\nx\n"),
    "block with code": ("x\n", "if TYPE_CHECKING:\n  import a\n  y\nx\n"),
    "block with else": ("x\n", "if TYPE_CHECKING:\n  import a\nelse:\n  a = 1\nx\n"),
    "block in a function": ("def f():\n  x\n", "def f():\n  if TYPE_CHECKING:\n    import a\n  x\n"),
    "import in a function": ("def f():\n  x\n", "def f():\n  from typing import Any\n  x\n"),
    "existing import moves": ("import a\nx\n", "if TYPE_CHECKING:\n  import a\nx\n"),
    "type parameter": ("def f(a): x\n", "def f[T](a: T): x\n"),
    "comment": ("def f(a): x\n", "def f(a: int): x  # b\n"),
    "ignored": ("x = 1\n", "x: int = 1  # type: ignore\n"),
    "docstring": ("def f(a):\n  x\n", "def f(a: int):\n  'd'\n  x\n"),
    "broken": ("def f(a:\n  x\n", "def f(a: int:\n  x\n"),
}


@pytest.mark.parametrize(("before", "after"), BROKEN.values(), ids=BROKEN)
def test_broken(before: str, after: str) -> None:
    assert breach("annotations", before, after) is not None


def test_words() -> None:
    found = breach("annotations", "x\n", "class A:\n  y: g(1)\nx\n")
    assert found is not None
    found = breach("annotations", "class A:\n  x\n", "class A:\n  y: g(1)\n  x\n")
    assert found is not None
    assert (found.line, found.symbol, found.detail) == (2, "A", "the annotation in `y: g(1)` runs code")
    found = breach("annotations", "def f(a=1): x\n", "def f(a: int = 2): x\n")
    assert found is not None
    assert found.detail == "`def f(a=1):` became `def f(a: int = 2):`"


def test_with_docstrings() -> None:
    before, after = "def f(a):\n  return a\n", "def f(a: int) -> int:\n  'd'\n  return a\n"
    assert breach("annotations,docstrings", before, after) is None
    assert breach("annotations", before, after) is not None
    assert breach("docstrings", before, after) is not None
