"""The recipe `annotations`."""

from __future__ import annotations

import pytest

from orefactor.core.recipes.annotations import annotate
from orefactor.core.recipes.base import Options


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f():\n    pass\n", "def f() -> None:\n    pass\n"),
        ("def f():\n    return 1\n", "def f() -> int:\n    return 1\n"),
        (
            "class A:\n    def __init__(self):\n        x()\n",
            "class A:\n    def __init__(self) -> None:\n        x()\n",
        ),
        ("def f(a=True):\n    g(a)\n", "def f(a: bool = True) -> None:\n    g(a)\n"),
        ("def f(a = 'é', b=b''):\n    g(a)\n", "def f(a: str = 'é', b: bytes = b'') -> None:\n    g(a)\n"),
        ("def f(a='x'):\n    a == 'y'\n", "def f(a: str = 'x') -> None:\n    a == 'y'\n"),
        (
            "async def f(*, a=False):\n    await g(a)\n",
            "async def f(*, a: bool = False) -> None:\n    await g(a)\n",
        ),
    ],
)
def test_hints_that_follow_from_the_code(before: str, after: str) -> None:
    assert annotate(before, Options()) == after
    assert annotate(after, Options()) == after


@pytest.mark.parametrize(
    "body",
    [
        "if a is None: g()",
        "if a == None: g()",
        "a = g(a)",
        "a += g(a)",
        "a, b = g(a)",
        "g(a := 1)",
        "for a in g(): pass",
        "g([a for a in b])",
        "with g() as a: pass",
        "isinstance(a, int)",
        "if a > 1: g()",
        "global a",
    ],
)
def test_parameters_that_may_be_something_else(body: str) -> None:
    assert "(a='x')" in annotate(f"def f(a='x'):\n    {body}\n", Options())


@pytest.mark.parametrize(
    "signature",
    ["(a=1)", "(a=None)", "(a=f'{x}')", "(a='x' 'y')", "(a: str='x')", "(*a)", "(a, b=c)"],
)
def test_parameters_without_a_plain_default(signature: str) -> None:
    assert signature in annotate(f"def f{signature}:\n    pass\n", Options())


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n",
        "def f(a=True):\n    print 'x'\n",
        "def int(a=True):\n    pass\n",
        "class A:\n    str = 1\n    def f(a=True): pass\n",
        "from a import b as bool\ndef f(a=True): pass\n",
        "from a import float\ndef f(a=True): pass\n",
        "f = lambda a=True: a\n",
    ],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert annotate(text, Options()) == text


def test_a_type_comment_is_not_doubled() -> None:
    text = "def f(a=True):\n    # type: (bool) -> None\n    pass\n"
    assert "(a=True)" in annotate(text, Options())


@pytest.mark.parametrize(
    ("version", "hint", "line"),
    [("py39", "Optional[int]", "from typing import Optional\n"), ("py312", "int | None", "")],
)
def test_imports_are_those_of_the_target_version(version: str, hint: str, line: str) -> None:
    before = '"""Doc."""\n\nfrom __future__ import division\n\n\ndef f(x):\n    return 1 if x else None\n'
    after = annotate(before, Options(target_version=version))
    assert f"def f(x) -> {hint}:" in after
    assert line in after
    exec(compile(after, "module", "exec"), {})
