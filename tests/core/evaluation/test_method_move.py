"""The right change of "make this method a function", computed from the syntax tree."""

from __future__ import annotations

import pytest
from oracle_scenes import AFTER, BEFORE, FILE, TASK

from orefactor.core.evaluation.method_move import Move, moved_to_top, read_move

MOVE = Move("C", "m")


def test_the_task_is_read_whatever_its_line_ends() -> None:
    assert read_move(TASK) == Move("Square", "scaled")
    assert read_move(" ".join(TASK.split())) == Move("Square", "scaled")
    assert read_move("Add docstrings") is None


def test_the_method_goes_and_its_callers_follow() -> None:
    assert moved_to_top(BEFORE.encode(), FILE, Move("Square", "scaled")).decode() == AFTER


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("class C:\n    def m(self):\n        pass\n",
                     "class C:\n    pass\n\n\ndef m():\n    pass\n", id="only-method"),
        pytest.param("class C:\n    x = 1\n\n    def m(self): return 1\n\n\ny = 2",
                     "class C:\n    x = 1\n\n\ndef m(): return 1\n\n\ny = 2", id="last-method"),
        pytest.param("class C:\n    @wraps(1)\n    @staticmethod\n    def m(a):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\n@wraps(1)\ndef m(a):\n    pass\n", id="static"),
        pytest.param("class C:\n    @classmethod\n    async def m(cls, *, a=(1, 2)):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\nasync def m(*, a=(1, 2)):\n    pass\n", id="class-method"),
        pytest.param("class C:\n    def m(self, /, a):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m(a):\n    pass\n", id="positional-only"),
        pytest.param("class C:\n    def m(self: 'C[int, str]', b=f(1, 2)):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m(b=f(1, 2)):\n    pass\n", id="annotated"),
        pytest.param("class C:\n    def m(\n        self,\n        a,\n    ):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m(\n    a,\n):\n    pass\n", id="several-lines"),
        pytest.param("class C:\n    def m(self):\n        return f'''a\n        {b}'''\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m():\n    return f'''a\n        {b}'''\n", id="f-string"),
        pytest.param("class C:\n    def m(*a):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m(*a):\n    pass\n", id="no-self"),
        pytest.param("class C:\n    def m():\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m():\n    pass\n", id="no-parameters"),
        pytest.param("class C:\n    def m(self):\n        x = '''a\n        b'''\n  # far left\n        return x\n"
                     "    y = 1\n",
                     "class C:\n    y = 1\n\n\ndef m():\n    x = '''a\n        b'''\n# far left\n    return x\n",
                     id="string-of-several-lines"),
        pytest.param("if a:\n    class C:\n        def m(self):\n            pass\n        x = 1\n        # below\n"
                     "else:\n    b\n",
                     "if a:\n    class C:\n        x = 1\n        # below\nelse:\n    b\n\n\ndef m():\n    pass\n",
                     id="below-a-condition"),
        pytest.param("class C:\n    x = 1\n    def m(self):\n        pass\n    # below\n\n\ny = 1\n",
                     "class C:\n    x = 1\n    # below\n\n\ndef m():\n    pass\n\n\ny = 1\n", id="comment-below"),
        pytest.param("class C:\n    def m(self):\n        pass\n    def n(self):\n"
                     "        é = self.m(self.m, (self\n            .m))\n",
                     "class C:\n    def n(self):\n        é = m(m, (m))\n\n\n\ndef m():\n    pass\n",
                     id="uses-on-a-line"),
        pytest.param("def m():\n    return C().m()\n\n\nclass C:\n    def m(self):\n        pass\n    x = 1\n",
                     "class C:\n    x = 1\n\n\ndef m():\n    pass\n", id="namesake"),
        pytest.param("class C:\r\n    def m(self):\r\n        pass\r\n    x = 1\r\n",
                     "class C:\r\n    x = 1\r\n\r\n\r\ndef m():\r\n    pass\r\n", id="line-ends"),
    ],
)  # fmt: skip
def test_moves(before: str, after: str) -> None:
    assert moved_to_top(before.encode(), "x.py", MOVE).decode() == after


@pytest.mark.parametrize(
    "source", ["class C:\n    x = 1\n", "class D:\n    def m(self): 1\n", "def m(self): 1\n", "x ("]
)
def test_without_such_a_method_there_is_no_move(source: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        moved_to_top(source.encode(), "x.py", MOVE)
