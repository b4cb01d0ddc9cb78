"""The guard that proves of the result what the tools refuse beforehand."""

from __future__ import annotations

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.table import GUARDS, Inspection
from orefactor.core.tools.base import Scope
from orefactor.sandbox.patch import ChangeKind


def changed(kind: ChangeKind, path: str, old_path: str | None = None) -> FileChange:
    return FileChange(path, old_path, kind, b"", b"x", "100644", "100644")


@pytest.mark.traces("US-002")
@pytest.mark.parametrize(
    ("changes", "scope", "ok", "detail"),
    [
        pytest.param([], (), True, "0 changed path(s), all in the scope", id="nothing"),
        pytest.param([changed("modified", "a/x.py")], (), True, "1 changed", id="everything-may-change"),
        pytest.param([changed("modified", "a/x.py")], ("a",), True, "1 changed", id="inside"),
        pytest.param([changed("added", "ab/x.py")], ("a",), False, "`ab/x.py` is outside", id="outside"),
        pytest.param([changed("renamed", "a/x.py", "b/x.py")], ("a",), False, "`b/x.py` is outside", id="moved-in"),
    ],
)
def test_scope(changes: list[FileChange], scope: tuple[str, ...], ok: bool, detail: str) -> None:
    found = GUARDS["scope"](Inspection(changes, Scope(scope)))
    assert (found.name, found.ok) == ("scope", ok)
    assert detail in found.detail
