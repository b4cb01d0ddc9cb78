"""`placeholders`: no comment that stands for code left out, such as `# rest of the code unchanged`, is added.

The tools refuse such text already; this proves it of the result, however it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..code.elision import placeholder
from ..gate import GuardResult
from .change import FileChange
from .faults import Fault, quoted, verdict
from .sides import line_changes


def judge(changes: Sequence[FileChange]) -> GuardResult:
    """Name the first added line that stands for code left out; one that only moved isn't added."""
    added, _ = line_changes(changes)
    faults = [
        Fault(line.path, line.number, f"{quoted(line.text)} stands for code that was left out")
        for line in added
        if placeholder(line.text, "")
    ]
    return verdict("placeholders", faults, f"{len(added)} added line(s), none stands for code left out")
