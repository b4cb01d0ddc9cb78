"""A changed file that could be parsed still can."""

from __future__ import annotations

import pytest
from file_changes import added, deleted, modified, renamed

from orefactor.core.guards import syntax
from orefactor.core.guards.change import FileChange


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(modified("x = 1\n", "x = 2\n"), id="parses"),
        pytest.param(added("x = 1\n"), id="new"),
        pytest.param(modified("x = (\n", "x = (\ny = 1\n"), id="broken-before"),
        pytest.param(modified("x = 1\n", "x = (\n", "x.txt"), id="not-python"),
        pytest.param(deleted("x = 1\n"), id="deleted"),
        pytest.param(modified("x = 1\n", "type X = int\n"), id="newer-python"),
        pytest.param(FileChange("x.py", None, "added", None, b"../(", "000000", "120000"), id="link"),
        pytest.param(renamed("x = (\n", "x = (\n", "a.py", "b.py"), id="only-renamed"),
    ],
)
def test_passes(change: FileChange) -> None:
    found = syntax.judge([change])
    assert (found.name, found.ok) == ("syntax", True)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        pytest.param(modified("x = 1\n", "x = 1\ny = (\n"), "`x.py:2`: can't be parsed: `'(' was never", id="broken"),
        pytest.param(added("def f(:\n"), "`x.py:1`: can't be parsed", id="new"),
        pytest.param(renamed("x = (\n", "y = (\n", "a.txt", "a.py"), "`a.py:1`", id="python-by-renaming"),
    ],
)
def test_fails(change: FileChange, detail: str) -> None:
    found = syntax.judge([modified("a", "b", "README"), change])
    assert not found.ok
    assert found.detail.startswith(detail)
