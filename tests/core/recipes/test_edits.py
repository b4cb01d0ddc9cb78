"""Exact edits from a difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.recipes.edits import Edit, count_hunks, edits_between


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in edits:
        assert edit.old
        assert text.find(edit.old) == text.rfind(edit.old) >= 0
        text = text.replace(edit.old, edit.new)
    return text


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", [("b\n", "B\n")]),
        ("a\nb\n", "a\nx\nb\n", [("a\n", "a\nx\n")]),
        ("a\nb\n", "x\na\nb\n", [("a\n", "x\na\n")]),
        ("a\n\nb\n\nb\n", "a\n\nb\n\nB\n", [("b\n\nb\n", "b\n\nB\n")]),
        ("a\nb", "a\nb\n", [("b", "b\n")]),
        ("a\nb\n", "", [("a\nb\n", "")]),
        ("a\x0cb\u2028c\nd\n", "a\x0cb\u2028c\nD\n", [("d\n", "D\n")]),
        ("a\n", "a\n", []),
        ("a\n\n\nb\n", "a\n\n\n\nb\n", [("a\n\n\nb\n", "a\n\n\n\nb\n")]),
    ],
)
def test_smallest_unique_edits(before: str, after: str, edits: list[tuple[str, str]]) -> None:
    found = edits_between(before, after, "notes.txt")
    assert [(edit.old, edit.new) for edit in found.edits] == edits
    assert (found.result, found.dropped) == (after, 0)


@pytest.mark.parametrize(
    ("before", "after", "result", "dropped"),
    [
        ("k = '[REDACTED:jwt]'\n", 'k = "[REDACTED:jwt]"\n', "k = '[REDACTED:jwt]'\n", 1),
        ("a\n'[REDACTED:x]'\nb\n", "A\n'[REDACTED:x]'\nB\n", "A\n'[REDACTED:x]'\nB\n", 0),
        ("b\n'[REDACTED:x]'\nb\n", "B\n'[REDACTED:x]'\nb\n", "b\n'[REDACTED:x]'\nb\n", 1),
    ],
)
def test_redacted_lines_are_never_quoted(before: str, after: str, result: str, dropped: int) -> None:
    found = edits_between(before, after, "notes.txt")
    assert (found.result, found.dropped) == (result, dropped)
    assert all("[REDACTED:" not in edit.old + edit.new for edit in found.edits)


@pytest.mark.parametrize(
    ("before", "after", "count", "dropped"),
    [
        ("x = 1\ny = 1\nz = 1\n", "x = 2\ny = 1\nz = 2\n", 2, 0),
        ("x = 1\ny = 1\nz = 1\n", "x = (\ny == 1\n)\n", 1, 0),
        ("x = 1\ny\nz = 1\n", "x = (\ny\n)\n", 1, 0),
        ("x = 1\ny\nz = 1\n", "x = 2\ny\nz = (\n", 1, 1),
        ("x = (\ny\nz = 1\n", "x = (\ny\nz = 2\n", 1, 0),
    ],
)
def test_every_edit_leaves_python_that_can_be_parsed(before: str, after: str, count: int, dropped: int) -> None:
    found = edits_between(before, after, "x.py")
    assert (len(found.edits), found.dropped) == (count, dropped)


def test_places_are_counted() -> None:
    assert count_hunks("a\nb\nc\n", "A\nb\nC\n") == 2


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "    return\n", "aa\n"]), max_size=12)


@given(LINES, LINES, st.sampled_from(["", "a"]), st.sampled_from(["", "a"]))
def test_edits_make_the_new_text(before: list[str], after: list[str], end: str, new_end: str) -> None:
    old, new = "".join(before) + "x" + end, "".join(after) + new_end
    found = edits_between(old, new, "notes.txt")
    assert found.dropped == 0
    assert applied(old, found.edits) == found.result == new
