"""`syntax`: every changed Python file that could be parsed before, or is new, still can be.

The tools refuse such edits already; this proves it of the result. It doesn't depend on the running interpreter's
version (`core/code/syntax.py` says how); the check `py_compile` asks the project's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..code.syntax import breaks
from ..gate import GuardResult
from .change import FileChange
from .faults import Fault, quoted, verdict
from .sides import Side, after, before


def judge(changes: Sequence[FileChange]) -> GuardResult:
    """Name the first place that can't be parsed any more."""
    faults: list[Fault] = []
    looked_at = 0
    for change in changes:
        now = after(change)
        if now is None or not now.is_python or change.before == change.after:
            continue
        looked_at += 1
        # A file that wasn't Python before counts as new.
        problem = breaks(_python(before(change)), now.data, now.path)
        if problem is not None:
            faults.append(Fault(now.path, problem.line, f"can't be parsed: {quoted(problem.message)}"))
    return verdict("syntax", faults, f"{looked_at} changed Python file(s), none broken")


def _python(side: Side | None) -> bytes | None:
    return side.data if side and side.is_python else None
