"""Reads back what `patch` wrote at a patch's head.

The patch may be a stranger's. Only the exact head counts: three lines, one after the other, once, above the first
file. No line of git's own can be mistaken for one of them: a line of content begins with a space, `+`, `-` or a
backslash, and git's binary alphabet has no colon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, pairwise

from ..errors import UserError
from ..trace import RUN_ID

_NAMES = (b"Run", b"Base", b"Tree")
_LINE = re.compile(rb"^Orefactor-(Run|Base|Tree):(.*)$", re.MULTILINE)
_FIRST_FILE = re.compile(rb"^diff --git ", re.MULTILINE)
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HINT = "take the patch as `git orefactor` wrote it, beginning with `Orefactor-Run:`"


@dataclass(frozen=True, slots=True)
class PatchHead:
    """What a patch says of itself.

    Attributes:
        base: the commit that it applies to, a full object id.
        tree: the tree that it gives there, a full object id.
    """

    run_id: str
    base: str
    tree: str


def read_head(patch: bytes) -> PatchHead:
    """Read the head of a patch.

    Raises:
        UserError: there is none, or another form of one, or several.
    """
    found = list(islice(_LINE.finditer(patch), len(_NAMES) + 1))
    if not found:
        raise UserError("the patch has no head that names its run, base and tree", hint=_HINT)
    first_file = _FIRST_FILE.search(patch)
    if first_file is None:
        raise UserError("the patch has a head, but changes no file", hint=_HINT)
    if len(found) > len(_NAMES) or found[-1].start() > first_file.start():
        raise UserError("the patch has several heads, or lines of one in other places", hint=_HINT)
    in_a_row = all(later.start() == line.end() + 1 for line, later in pairwise(found))
    run_id, base, tree = [line[2].decode("ascii", "replace").strip() for line in found] if len(found) == 3 else [""] * 3
    in_form = RUN_ID.fullmatch(run_id) and is_object_id(base) and is_object_id(tree)
    if not (in_form and in_a_row and tuple(line[1] for line in found) == _NAMES):
        raise UserError("the head of the patch is not in the form that it was written in", hint=_HINT)
    return PatchHead(run_id, base, tree)


def is_object_id(text: str) -> bool:
    """Whether a text is a full object id, of either of git's formats."""
    return _OBJECT.fullmatch(text) is not None
