"""Which guards may be told to let something pass."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

ALLOWABLE = ("placeholders", "secrets", "size", "syntax", "tests")
"""What a task may ask for, with `--allow`; the others keep what no task may want."""


def require_allowable(kinds: Sequence[str]) -> None:
    """Make sure that each kind may be allowed.

    Raises:
        ValueError: one may not; the text says which may.
    """
    for kind in kinds:
        if kind not in ALLOWABLE:
            near = difflib.get_close_matches(kind, ALLOWABLE, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(ALLOWABLE)}"
            raise ValueError(f"`{kind}` is nothing that can be allowed; {hint}")
