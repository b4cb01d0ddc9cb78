"""Forms are equal where only formatting differs, and nowhere else."""

from __future__ import annotations

import pytest

from orefactor.core.code import trees
from orefactor.core.guards.promises.forms import Form, canonical_names, form


def formed(text: str) -> Form:
    return form(trees.parse(text.encode(), "x.py").root_node)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("f(a,b)", "f( a , b, )", id="white-space-and-trailing-comma"),
        pytest.param("(x)", "x", id="parentheses"),
        pytest.param("x = 1 # why", "x = 1", id="comment"),
        pytest.param("x = \\\n1", "x = 1", id="continued-line"),
        pytest.param("'a'", '"a"', id="quotes"),
        pytest.param("'''a'''", '"a"', id="triple-quotes"),
        pytest.param("'it\\'s'", '"it\'s"', id="escaped-quotes"),
        pytest.param("U'a'", "'a'", id="prefix-u"),
        pytest.param("F'{a}b'", 'f"{a}b"', id="prefix-f"),
        pytest.param("(1, 2,)", "(1, 2)", id="tuple"),
        pytest.param("f(# x\n)", "f()", id="only-a-comment"),
        pytest.param("(  # why\nx)", "x", id="comment-within-parentheses"),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert formed(one) == formed(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("(1,)", "(1)", id="tuple-of-one"),
        pytest.param("x[1,]", "x[1]", id="index"),
        pytest.param("(a + b) * c", "a + b * c", id="order"),
        pytest.param("'a b'", "'a  b'", id="white-space-in-a-string"),
        pytest.param("r'\\''", "'\\''", id="prefix-r"),
        pytest.param("b'a'", "'a'", id="prefix-b"),
        pytest.param("f'{a}'", "f'{b}'", id="interpolation"),
        pytest.param("'<call'", "'<', call", id="no-confusion-of-text-and-structure"),
        pytest.param("a\nb", "a, b", id="lines"),
    ],
)
def test_different(one: str, other: str) -> None:
    assert formed(one) != formed(other)


@pytest.mark.parametrize(
    ("renames", "name", "canonical"),
    [
        pytest.param({}, "a", "a", id="none"),
        pytest.param({"a": "b"}, "a", "b", id="old"),
        pytest.param({"a": "b"}, "b", "b", id="new"),
        pytest.param({"a": "b", "b": "c"}, "a", "c", id="two-steps"),
        pytest.param({"a": "b", "b": "a"}, "b", "a", id="circle"),
        pytest.param({"x": "b", "a": "b", "b": "a"}, "x", "a", id="into-a-circle"),
    ],
)
def test_canonical_names(renames: dict[str, str], name: str, canonical: str) -> None:
    assert canonical_names(renames)(name) == canonical
