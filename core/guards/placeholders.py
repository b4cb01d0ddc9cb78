"""`placeholders`: no comment that stands for code left out, such as `# rest of the code unchanged`, is added.

The tools refuse such text already; this proves it of the result, however it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..code.elision import placeholder
from ..code.idle_ellipses import idle_ellipses
from ..gate import GuardResult
from .change import FileChange
from .faults import Fault, quoted, verdict
from .sides import after, before, line_changes


def judge(changes: Sequence[FileChange]) -> GuardResult:
    """Name the first added line that stands for code left out; one that only moved isn't added."""
    added, _ = line_changes(changes)
    faults = [
        Fault(line.path, line.number, f"{quoted(line.text)} stands for code that was left out")
        for line in added
        if placeholder(line.text, "")
    ]
    faults += [fault for change in changes for fault in _idle(change)]
    return verdict("placeholders", faults, f"{len(added)} added line(s), none stands for code left out")


def _idle(change: FileChange) -> list[Fault]:
    """A `...` among other statements that wasn't there."""
    was, now = before(change), after(change)
    if now is None or change.before == change.after:
        return []
    found = idle_ellipses(now.text, now.path)
    if len(found) <= (len(idle_ellipses(was.text, was.path)) if was else 0):
        return []
    return [Fault(now.path, found[0], "`...` among other statements stands for code that was left out")]
