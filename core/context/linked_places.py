"""Which of several candidates a text means where it says where the thing lies, as in `src/pkg/shapes.py`.

That is no guess: a word between slashes is one part of a path, and the other parts say which. Where nothing lies there,
they say nothing.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence

from ..code.words import Place, fold

Candidate = tuple[str, str]
"""A label and a node id."""


def narrowed(found: Collection[Candidate], places: Collection[Place], paths: Sequence[str]) -> Collection[Candidate]:
    """The candidates that lie where a text says, or all of them where it doesn't or none does.

    Args:
        found: what has the name.
        places: everywhere that the text says.
        paths: of the tree, sorted.
    """
    kept = {each for place in places for each in _lying(found, place, paths)} if len(found) > 1 else ()
    return kept or found


def _lying(found: Collection[Candidate], place: Place, paths: Sequence[str]) -> Collection[Candidate]:
    """Those that fit a place, by as much of it as any fits; none where nothing does."""
    above = f"/{fold(place.above)}"
    fits: tuple[Callable[[str], bool], ...] = (
        lambda node: _holds(node, place.below, paths),
        lambda node: above != "/" and _above(node).endswith(above),
        # A text may also begin anywhere above the tree.
        lambda node: _above(node) != "/" and above.endswith(_above(node)),
    )
    left, is_any = found, False
    for fit in fits:
        if fitting := [each for each in left if fit(each[1])]:
            left, is_any = fitting, True
    return left if is_any else ()


def _holds(node: str, below: str, paths: Sequence[str]) -> bool:
    """Whether a node is a package in which these parts of a path lie."""
    folder, base = posixpath.split(node)
    if not below or not base.startswith("__init__."):
        return False
    path = posixpath.join(folder, below)
    first = bisect_left(paths, path)
    found = paths[first : first + 1]
    return bool(found) and f"{found[0]}/".startswith(f"{path}/")


def _above(node: str) -> str:
    """The folded folder that holds a node, from the top; of a package the one that holds its folder."""
    folder, base = posixpath.split(re.split("::|#", node, maxsplit=1)[0])
    return f"/{fold(posixpath.dirname(folder) if base.startswith('__init__.') else folder)}"
