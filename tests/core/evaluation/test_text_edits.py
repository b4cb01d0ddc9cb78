"""Any two texts: the edits between them are exact, unique, and carried out by the tool's own function."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_scenes import AFTER, BEFORE

from orefactor.core.code.edits import Edit, replace_once
from orefactor.core.evaluation.text_edits import NoEdits, changed_lines, edits_between

LINES = st.lists(st.sampled_from(["a", "b", "c", "a b", "", "  a", "# x"]), max_size=12)


def carried_out(before: bytes, edits: tuple[Edit, ...], path: str) -> bytes:
    for edit in edits:
        before = replace_once(before, path, edit.old or "", edit.new)
    return before


@given(LINES, LINES, st.booleans(), st.integers(0, 3))
def test_they_lead_from_any_text_to_any_other(old: list[str], new: list[str], ends: bool, context: int) -> None:
    before, after = ("\n".join(lines).encode() + (b"\n" if ends else b"") for lines in (old, new))
    try:
        edits = edits_between(before, after, "x.txt", context=context)
    except NoEdits:
        # Nothing to hold on to, or nothing but repeated lines: such an edit can't be told from one applied already.
        assert not before.strip() or set(new) <= set(old)
        return
    assert carried_out(before, edits, "x.txt") == after
    assert (before == after) == (edits == ())


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        pytest.param("x = 1\ny = 2\n", "x = 1\ny = 3\n", [("y = 2", "y = 3")], id="a-line"),
        pytest.param("x = 1\n", "x = 1\ny = 2\n", [("x = 1", "x = 1\ny = 2")], id="an-insertion-shows-its-neighbour"),
        pytest.param("a = 1\nb = 1\nc = 1\n", "a = 1\nc = 1\n", [("b = 1\n", "")], id="a-removal"),
        pytest.param("f(1)\na\nb\nc\nf(1)\n", "f(1)\na\nb\nc\nf(2)\n", [("c\nf(1)", "c\nf(2)")], id="unique"),
        pytest.param("a = (\n    1,\n    2,\n    3,\n    4,\n)\n", "a = [\n    1,\n    2,\n    3,\n    4,\n]\n",
                     [("a = (\n    1,\n    2,\n    3,\n    4,\n)", "a = [\n    1,\n    2,\n    3,\n    4,\n]")],
                     id="joined-where-it-could-not-be-parsed-between"),
        pytest.param("a\r\nb\r\n", "a\r\nc\r\n", [("b", "c")], id="line-ends"),
    ],
)  # fmt: skip
def test_they_are_few_and_short(before: str, after: str, edits: list[tuple[str, str]]) -> None:
    found = edits_between(before.encode(), after.encode(), "x.py")
    assert [(edit.old, edit.new) for edit in found] == edits
    assert carried_out(before.encode(), found, "x.py") == after.encode()


def test_many_differences_become_a_bounded_number() -> None:
    before = "".join(f"a{n} = 1\n" + "x\n" * 5 for n in range(600)).encode()
    edits = edits_between(before, before.replace(b" = 1", b" = 2"), "x.txt")
    assert 1 <= len(edits) <= 200
    assert carried_out(before, edits, "x.txt") == before.replace(b" = 1", b" = 2")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"a\r\n", b"a\n", id="line-ends-alone"),
        pytest.param(b"a\0", b"b", id="binary"),
        pytest.param(b"", b"a\n", id="nothing-to-replace"),
        pytest.param(b"x = 1\n", b"x = (\n", id="can't-be-parsed"),
    ],
)
def test_where_there_are_none_it_says_so(before: bytes, after: bytes) -> None:
    with pytest.raises(NoEdits):
        edits_between(before, after, "x.py")


def test_the_lines_that_will_be_touched() -> None:
    assert changed_lines(BEFORE.encode(), AFTER.encode(), "x.py")[0] == range(7, 8)
    with pytest.raises(NoEdits):
        changed_lines(b"a\0", b"b", "x.py")
