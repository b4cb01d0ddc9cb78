"""What `imports` allows: another order and fewer names, but none that means something else."""

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("pkg/a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


KEPT = {
    "order": ("import b\nimport a\n\nx\n", "import a\nimport b\n\n\nx\n"),
    "groups": ("import b, os\nx\n", "import os\n\nimport b\nx\n"),
    "names": ("from a import c, b as d\n", "from a import b as d\nfrom a import (\n    c,\n)\n"),
    "removed": ("import a  # noqa: F401\nimport b\nx\n", "import b\nx\n"),
    "added": ("x\n", "import a\nfrom b import c\nx\n"),
    "comment above": ("# c\nimport b\n# d\nimport a\nx\n", "# d\nimport a\n# c\nimport b\nx\n"),
    "comment inside": ("from a import (\n    b,  # c\n)\n", "from a import b\n"),
    "from below": ("import a\nx\nimport b\n", "import a\nimport b\n\nx\n"),
    "relative": ("from .b import c\nfrom . import d\n", "from pkg.b import c\nfrom pkg import d\n"),
    "package of a submodule": ("import a.b\n", "import a\nimport a.c\n"),
    "in a function": ("def f():\n  import b\n  import a\n  x\n", "def f():\n  import a\n  import b\n  x\n"),
    "unused in a function": ("def f():\n  import b, a\n  x\n", "def f():\n  import a\n  x\n"),
    "in a try": ("try:\n  import b, a\nexcept E: x\n", "try:\n  import a\n  import b\nexcept E: x\n"),
    "stars": ("from a import *\nimport c\nfrom b import *\n", "import c\nfrom a import *\nfrom b import *\n"),
    "two origins": ("import x\nfrom a import c\nfrom b import c\n", "from a import c\nfrom b import c\nimport x\n"),
    "one of two origins": (
        "try:\n  from a import b\nexcept E:\n  from c import b\nimport d\n",
        "try:\n  from a import b\nexcept E:\n  from c import b\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_kept(before: str, after: str) -> None:
    assert breach("imports", before, after) is None


BROKEN = {
    "code": ("import a\nx\n", "import a\ny\n", "`x` became `y`"),
    "origin": ("from a import b\n", "from c import b\n", "`from c import b` was changed: `b` comes from elsewhere"),
    "alias": ("import a as c\n", "import b as c\n", "`import b as c` was changed: `c` comes from elsewhere"),
    "relative": (
        "from .b import c\n",
        "from ..b import c\n",
        "`from ..b import c` was changed: `c` comes from elsewhere",
    ),
    "other package": (
        "from .b import c\n",
        "from q.b import c\n",
        "`from q.b import c` was changed: `c` comes from elsewhere",
    ),
    "hides": ("def f(): x\n", "from a import f\ndef f(): x\n", "`from a import f` was added: it hides another `f`"),
    "hides a variable": ("f = 1\n", "from a import f\nf = 1\n", "`from a import f` was added: it hides another `f`"),
    "built-in": ("x\n", "from a import open\nx\n", "`from a import open` was added: it hides another `open`"),
    "star order": (
        "from a import *\nfrom b import *\n",
        "from b import *\nfrom a import *\n",
        "`from b import *` was changed: imports of everything have to keep their order",
    ),
    "star gone": (
        "from a import *\nx\n",
        "x\n",
        "`from a import *` was removed: imports of everything have to keep their order",
    ),
    "future": (
        "from __future__ import annotations\nx\n",
        "x\n",
        "`from __future__ import annotations` was removed: it changes how Python reads the file",
    ),
    "order of one name": (
        "from a import c\nfrom b import c\n",
        "from b import c\nfrom a import c\n",
        "`from a import c` was changed: `c` comes from elsewhere",
    ),
    "to the top": (
        "def f():\n  import a\n  x\n",
        "import a\ndef f():\n  x\n",
        "`import a` was removed: it moved out of its function",
    ),
    "into a function": (
        "import a\ndef f():\n  x\n",
        "def f():\n  import a\n  x\n",
        "`import a` was added: imports here have to stay",
    ),
    "out of a try": (
        "try:\n  import a\n  b\nexcept E: x\n",
        "try:\n  b\nexcept E: x\n",
        "`import a` was removed: imports here have to stay",
    ),
    "comment": ("# a\nimport b\n", "import b\n", "the comment `# a` was removed"),
    "comment behind": ("import b  # a\n", "import b  # c\n", "the comment behind an import changed"),
    "above a docstring": ("'d'\nimport a\n", "import a\n'd'\n", "`'d'` is read in another way"),
    "names of the module": (
        "__all__ = []\nimport a\n",
        "__all__ = ['a']\nimport a\n",
        "`__all__ = []` became `__all__ = ['a']`",
    ),
    "broken": ("import a b\n", "import a c\n", "`import a b` became `import a c`"),
}


@pytest.mark.parametrize(("before", "after", "detail"), BROKEN.values(), ids=BROKEN)
def test_broken(before: str, after: str, detail: str) -> None:
    found = breach("imports", before, after)
    assert found is not None
    assert found.detail == detail


def test_suites_behind_a_difference() -> None:
    before = "x\ndef f():\n  import a\n  y\n"
    found = breach("imports", before, "z\n")
    assert found is not None
    assert found.detail == "`x` became `z`"
    found = breach("docstrings", "x\nclass A: pass\n", "z\n")
    assert found is not None
    assert found.detail == "`x` became `z`"


def test_comments_beside_imports() -> None:
    assert breach("imports,comments", "# a\nimport b  # c\n", "import b  # d\n") is None
    assert breach("imports,comments", "import b  # noqa\n", "import b\n") is not None
    assert breach("imports,formatting", "import b  #a\n", "import b  # a\n") is None
    assert breach("imports,annotations", "import b\nx\n", "import c\nif TYPE_CHECKING:\n  import b\n\nx\n") is None
