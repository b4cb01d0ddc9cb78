"""`scope`: every changed path is one that may change. The tools refuse others already; this proves it of the result."""

from __future__ import annotations

from collections.abc import Sequence

from ..gate import GuardResult
from ..tools.base import Scope
from .change import FileChange


def judge(changes: Sequence[FileChange], scope: Scope) -> GuardResult:
    """Name the first path outside the scope."""
    for change in changes:
        for path in (change.path, change.old_path):
            if path is not None and not scope.allows(path):
                return GuardResult("scope", False, f"`{path}` is outside the scope")
    return GuardResult("scope", True, f"{len(changes)} changed path(s), all in the scope")
