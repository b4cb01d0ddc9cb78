"""Assertions of a test before and after: which changes keep what it promises, and which don't."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from file_changes import modified
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.guards import tests_kept
from orefactor.core.guards.change import FileChange

T = "tests/test_x.py"


def in_test(before: str, after: str) -> FileChange:
    """Two bodies of the same test."""
    was, now = ("def test_a():\n    " + body.replace("\n", "\n    ") + "\n" for body in (before, after))
    return modified(was, now, T)


def judged(*changes: FileChange, renames: Mapping[str, str] | None = None) -> str:
    """The detail of a refusal; empty for a change that passes."""
    found = tests_kept.judge(changes, renames or {})
    return "" if found.ok else found.detail


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("assert x == 1", "assert x==1", id="white-space"),
        pytest.param("assert x == f(1, 2)", "assert (\n    x == f(\n        1,\n        2,\n    )\n)", id="formatted"),
        pytest.param("assert x == 'a'", 'assert x == "a"', id="quotes"),
        pytest.param("assert x == 1", "assert x == 1, 'why'", id="message"),
        pytest.param("assert x == 1", "assert x == 1  # why", id="comment"),
        pytest.param("assert x == 1", "y = 2\nassert x == 1\nassert y", id="added"),
        pytest.param("assert x\nassert y", "assert y\nassert x", id="order"),
        pytest.param("x = f()\nassert x", "x = g()\nassert x", id="what-is-done"),
        pytest.param("if x:\n    return\nassert x", "if x:\n    return\nassert x  # y", id="return-was-there"),
        pytest.param("try:\n    assert x\nfinally:\n    y", "assert x", id="finally-hides-nothing"),
        pytest.param("with a:\n    assert x", "assert x", id="plain-with-hides-nothing"),
        pytest.param("assert x", "def g():\n    return 1\nassert x", id="return-of-another-function"),
        pytest.param("print 'a'", "print('a')", id="old-python"),
        pytest.param("m.fail()", "pass", id="fail-of-something-else"),
        pytest.param("f(assert_)()\nassert_(x)", "g(assert_)()\nassert_(x)", id="odd-calls"),
    ],
)
def test_assertions_that_stay(before: str, after: str) -> None:
    assert judged(in_test(before, after)) == ""


@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        pytest.param("assert x == 1", "pass", f"`{T}:1`: the assertion `assert x == 1` in `test_a` is removed",
                     id="removed"),
        pytest.param("assert x == 1", "assert True", "is weakened to `assert True`", id="true"),
        pytest.param("assert x == 1", "assert (x == 1, 'why')", "is changed to", id="tuple"),
        pytest.param("assert x == 1", "assert x", "is weakened to `assert x`", id="truth"),
        pytest.param("assert x == 1", "assert x is not None", "is changed to", id="not-none"),
        pytest.param("assert x == 1", "assert x == 1 or y", "is weakened to", id="or"),
        pytest.param("assert x == 1", "assert x == 2", f"`{T}:2`: the assertion `assert x == 1` in `test_a` is changed",
                     id="other"),
        pytest.param("assert x == 1", "assert x == approx(1)", "is weakened", id="approx"),
        pytest.param("assert x", "assert (y)", "is changed to `assert (y)`", id="neither"),
        pytest.param("assert x == 'a b'", "assert x == 'a  b'", "is changed", id="white-space-in-a-string"),
        pytest.param("assert (a + b) * c", "assert a + b * c", "is changed", id="parentheses-that-count"),
        pytest.param("assert f((1,))", "assert f((1))", "is changed", id="comma-that-counts"),
        pytest.param("self.assertEqual(x, 1)", "self.assertTrue(x)", "is weakened to `self.assertTrue(x)`",
                     id="true-call"),
        pytest.param("m.assert_called_once_with(1)", "m.assert_called()", "is weakened", id="mock"),
        pytest.param("np.testing.assert_equal(x, y)", "np.testing.assert_allclose(x, y)", "is weakened", id="numpy"),
        pytest.param("with pytest.raises(ValueError):\n    f()", "with pytest.raises(Exception):\n    f()",
                     "is weakened to `pytest.raises(Exception)`", id="raises-broader"),
        pytest.param("with raises(E, match='a'):\n    f()", "with raises(E):\n    f()", "is weakened",
                     id="match-dropped"),
        pytest.param("with self.assertRaises(E):\n    f()", "f()", "is removed", id="raises-removed"),
        pytest.param("pytest.fail('x')", "pass", "is removed", id="fail"),
        pytest.param("with pytest.warns(W):\n    f()", "f()", "is removed", id="warns"),
        pytest.param("assert x", "try:\n    assert x\nexcept AssertionError:\n    pass",
                     "the assertion `assert x` in `test_a` stands under `try … except AssertionError` now", id="try"),
        pytest.param("assert x", "try:\n    assert x\nexcept* E:\n    pass", "stands under `try", id="try-group"),
        pytest.param("assert x", "with suppress(E):\n    assert x", "stands under `with suppress(E)` now",
                     id="suppress"),
        pytest.param("assert x", "with pytest.raises(E):\n    assert x", "stands under `with pytest.raises(E)`",
                     id="expected-to-fail"),
        pytest.param("assert x", "if False:\n    assert x", "stands under `if False` now", id="if"),
        pytest.param("assert x", "if y:\n    pass\nelse:\n    assert x", "stands under `not y` now", id="else"),
        pytest.param("assert x", "if y:\n    pass\nelif z:\n    assert x", "stands under `elif z` now", id="elif"),
        pytest.param("assert x", "for i in []:\n    assert x", "stands under `for i []` now", id="for"),
        pytest.param("assert x", "while y:\n    assert x", "stands under `while y` now", id="while"),
        pytest.param("assert x", "match y:\n    case 1:\n        assert x", "stands under `case 1` now", id="case"),
        pytest.param("if y:\n    assert x", "assert x", "no longer stands where it stood", id="out-of-a-condition"),
        pytest.param("assert x", "return\nassert x", f"`{T}:3`: `assert x` in `test_a` may no longer be reached",
                     id="return"),
        pytest.param("assert x", "yield\nassert x", "may no longer be reached", id="yield"),
        pytest.param("for i in y:\n    assert x", "for i in y:\n    continue\n    assert x", "may no longer be",
                     id="continue"),
        pytest.param("assert x\nassert x", "assert x", "is removed", id="one-of-two"),
        pytest.param("assert x\nassert y", "pass", "(and 1 more)", id="several"),
        pytest.param("def g():\n    assert x\ng()", "def g():\n    pass\ng()", "is removed", id="nested-function"),
    ],
)  # fmt: skip
def test_assertions_that_go(before: str, after: str, detail: str) -> None:
    assert detail in judged(in_test(before, after))


@pytest.mark.parametrize(
    ("before", "after", "renames", "ok"),
    [
        pytest.param("assert old(1) == 1", "assert new(1) == 1", {"old": "new"}, True, id="name"),
        pytest.param("assert x.old == 1", "assert x.new == 1", {"old": "new"}, True, id="attribute"),
        pytest.param("assert f('m.old')", "assert f('m.new')", {"old": "new"}, True, id="in-a-string"),
        pytest.param("assert f('m.old')", "assert f('m.old')  # x", {"old": "new"}, True, id="string-kept"),
        pytest.param("assert old(1) == 1", "assert new(1) == 1", {}, False, id="no-rename-asked-for"),
        pytest.param("assert old(1) == 1", "assert new(2) == 1", {"old": "new"}, False, id="more-than-the-name"),
        pytest.param("assert a(b) == 1", "assert b(a) == 1", {"a": "b", "b": "a"}, True, id="swapped"),
        pytest.param("assert a == 1", "assert c == 1", {"a": "b", "b": "c"}, True, id="two-steps"),
        pytest.param("assert older == 1", "assert newer == 1", {"old": "new"}, False, id="part-of-a-name"),
    ],
)
def test_renames(before: str, after: str, renames: Mapping[str, str], ok: bool) -> None:
    assert (judged(in_test(before, after), renames=renames) == "") is ok


@given(st.integers(0, 4), st.sampled_from(["", "pass", "assert True", "assert 7", "if x:\n        assert 1"]))
def test_no_assertion_may_go(at: int, replacement: str) -> None:
    lines = [f"    assert f({n}) == {n}" for n in range(5)]
    after = [*lines[:at], *([f"    {replacement}"] if replacement else []), *lines[at + 1 :]]
    head = "def test_a():\n"
    assert f"assert f({at}) == {at}" in judged(
        modified(head + "\n".join(lines) + "\n", head + "\n".join(after) + "\n", T)
    )
