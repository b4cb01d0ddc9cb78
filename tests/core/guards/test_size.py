"""The limit of a change, in lines and bytes."""

from __future__ import annotations

import pytest
from file_changes import added, deleted, modified, renamed

from orefactor.core.guards import size
from orefactor.core.guards.change import FileChange
from orefactor.core.guards.size import Size

LIMIT = Size(max_lines=4, max_bytes=100)


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        pytest.param(modified("a\nb\nc\n", "a\nB\nc\n"), "2 line(s) and 4 byte(s)", id="one-line-replaced"),
        pytest.param(added("a\nb\n"), "2 line(s) and 4 byte(s)", id="added"),
        pytest.param(deleted("a\r\nb"), "2 line(s) and 4 byte(s)", id="deleted"),
        pytest.param(modified(b"\0a", b"\0bc"), "0 line(s) and 5 byte(s)", id="binary"),
        pytest.param(renamed("a\n" * 99, "a\n" * 99, "a", "b"), "0 line(s) and 0 byte(s)", id="only-renamed"),
        pytest.param(modified("a\nb\nc\n", "c\nb\na\n"), "4 line(s) and 8 byte(s)", id="moved"),
    ],
)
def test_counts(change: FileChange, counts: str) -> None:
    found = size.judge([change], LIMIT)
    assert (found.name, found.ok, found.detail) == ("size", True, f"{counts} changed")


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([added("a\n"), added("a\n" * 4, "y.py")],
                     "`y.py`: 5 lines change, 4 of them here; the limit is 4", id="lines"),
        pytest.param([added("a" * 101)], "`x.py`: 101 bytes change, 101 of them here; the limit is 100",
                     id="long-line"),
        pytest.param([modified(b"\0" * 60, b"\0" * 61)], "`x.py`: 121 bytes change", id="binary"),
    ],
)  # fmt: skip
def test_over_the_limit(changes: list[FileChange], detail: str) -> None:
    found = size.judge(changes, LIMIT)
    assert (found.ok, found.detail[: len(detail)]) == (False, detail)


def test_the_default_is_generous() -> None:
    assert size.judge([added("x = 1\n" * 20_000)]).ok
    assert not size.judge([added("x = 1\n" * 20_001)]).ok
    assert not size.judge([added("x" * 10_000_001)]).ok
