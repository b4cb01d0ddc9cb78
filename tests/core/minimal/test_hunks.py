"""Splitting a change into hunks and putting any choice of them together again."""

from __future__ import annotations

from typing import Any

import pytest
from file_changes import FILE, LINK, PROGRAM, SUBMODULE, added, deleted, modified
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.guards.change import FileChange
from orefactor.core.minimal.hunks import Hunk, combine, split

ABC = b"a\nb\nc\nd\ne\n"


@pytest.mark.parametrize(
    ("before", "after", "first", "last"),
    [
        pytest.param(ABC, b"A\nb\nc\nd\nE\n", b"A\nb\nc\nd\ne\n", b"a\nb\nc\nd\nE\n", id="two lines"),
        pytest.param(b"a\r\nb\r\nc\r\n", b"A\r\nb\r\nC\r\n", b"A\r\nb\r\nc\r\n", b"a\r\nb\r\nC\r\n", id="CRLF"),
        pytest.param(b"a\nb\r\nc", b"x\na\nb\r\nc\n", b"x\na\nb\r\nc", b"a\nb\r\nc\n", id="a newline at the end comes"),
        pytest.param(b"a\nb\nc\n", b"b\nc", b"b\nc\n", b"a\nb\nc", id="the newline at the end goes"),
        pytest.param(b"\xef\xbb\xbfa\nb\nc\n", b"a\nb\nC\n", b"a\nb\nc\n", b"\xef\xbb\xbfa\nb\nC\n", id="BOM goes"),
        pytest.param(b"\xe9\nb\n\xff", b"\xe8\nb\n\xfe", b"\xe8\nb\n\xff", b"\xe9\nb\n\xfe", id="no UTF-8"),
    ],
)
def test_each_of_two_hunks_alone(before: bytes, after: bytes, first: bytes, last: bytes) -> None:
    change = modified(before, after)
    one, other = split([change])
    assert [combined.after for combined in combine([change], [one])] == [first]
    assert [combined.after for combined in combine([change], [other])] == [last]
    assert combine([change], [other, one]) == (change,)
    assert combine([change], []) == ()


def test_lines_are_counted_as_people_see_them() -> None:
    hunks = split([modified(ABC, b"a\nnew\nb\nd\nE\n"), deleted(b"x\n", "gone.py")])
    assert [(hunk.path, hunk.line, len(hunk.old), len(hunk.new)) for hunk in hunks] == [
        ("x.py", 2, 0, 1),
        ("x.py", 3, 1, 0),
        ("x.py", 5, 1, 1),
        ("gone.py", 0, 0, 0),
    ]


WHOLE = [
    pytest.param(added(ABC), id="added"),
    pytest.param(added(b""), id="added and empty"),
    pytest.param(deleted(ABC), id="deleted"),
    pytest.param(modified(b"a\0\nb\n", b"b\0\nb\n"), id="binary"),
    pytest.param(modified(b"a\nb\n", b"b\0\nb\n"), id="becomes binary"),
    pytest.param(FileChange("b", "a", "renamed", ABC, b"a\n", FILE, FILE), id="renamed and changed"),
    pytest.param(FileChange("b", "a", "renamed", ABC, ABC, FILE, FILE), id="renamed"),
    pytest.param(FileChange("a", None, "modified", ABC, ABC, FILE, PROGRAM), id="mode"),
    pytest.param(FileChange("a", None, "modified", ABC, b"a\n", PROGRAM, FILE), id="mode and content"),
    pytest.param(FileChange("a", None, "type", ABC, b"x.py", FILE, LINK), id="becomes a link"),
    pytest.param(FileChange("a", None, "modified", b"y.py", b"x.py", LINK, LINK), id="another target"),
    pytest.param(FileChange("a", None, "modified", b"1" * 40, b"2" * 40, SUBMODULE, SUBMODULE), id="submodule"),
]


@pytest.mark.parametrize("change", WHOLE)
def test_what_goes_or_stays_as_a_whole(change: FileChange) -> None:
    hunks = split([change])
    assert hunks == (Hunk(change.path, range(0), range(0), is_whole=True),)
    assert combine([change], hunks) == (change,)
    assert combine([change], []) == ()


def test_what_changes_nothing_has_no_hunk() -> None:
    same = modified(ABC, ABC)
    nothing = FileChange("a", None, "modified", b"x", b"x", LINK, LINK)
    assert split([same, nothing]) == ()


TEXTS = st.lists(
    st.sampled_from([b"a", b"b", b"", b"\n", b"\r\n", b"\r", b"a\n", b"b\r\n", b"\xff\n"]), max_size=12
).map(b"".join)


@st.composite
def changes_and_choices(draw: st.DrawFn) -> Any:
    files = draw(st.lists(st.tuples(st.sampled_from(["modified", "added", "deleted"]), TEXTS, TEXTS), max_size=4))
    made: list[FileChange] = []
    for number, (kind, before, after) in enumerate(files):
        path = f"{number}.py"
        make = {
            "modified": modified(before, after, path),
            "added": added(after, path),
            "deleted": deleted(before, path),
        }
        made.append(make[kind])
    hunks = split(made)
    return made, hunks, [hunk for hunk in hunks if draw(st.booleans())]


@given(changes_and_choices())
def test_any_choice_applies(drawn: Any) -> None:
    changes, hunks, chosen = drawn
    assert combine(changes, hunks) == tuple(change for change in changes if change.before != change.after)
    assert combine(changes, ()) == ()
    for combined in combine(changes, chosen):
        (change,) = [change for change in changes if change.path == combined.path]
        mine = [hunk for hunk in chosen if hunk.path == change.path]
        assert (combined.path, combined.kind, combined.before) == (change.path, change.kind, change.before)
        # Nothing but the lines of the hunks that were left out is other than in the whole change.
        left_out = [hunk for hunk in hunks if hunk.path == change.path and hunk not in mine]
        if not mine[0].is_whole:
            assert len(combined.after or b"") - len(change.before or b"") == sum(_growth(change, hunk) for hunk in mine)
            assert len(combined.after or b"") - len(change.after or b"") == -sum(
                _growth(change, hunk) for hunk in left_out
            )


def _growth(change: FileChange, hunk: Hunk) -> int:
    old, new = (change.before or b"").splitlines(keepends=True), (change.after or b"").splitlines(keepends=True)
    return sum(map(len, new[hunk.new.start : hunk.new.stop])) - sum(map(len, old[hunk.old.start : hunk.old.stop]))
