"""Says why a path can't be used, and what to use in its place.

The reader is a model that can only try again, so every text ends in a next step. Nothing is decided here: the
operation has failed already, and a second look at the path finds the words for it.
"""

from __future__ import annotations

import difflib
import os
import posixpath
from collections.abc import Sequence

from . import folders, names
from .errors import Refused

_MAX_COMPARED = 5000
_NEAR = 0.6
"""`difflib`'s own measure of a close match."""


def explain(root: int, parts: Sequence[str], error: OSError) -> Refused:
    """Finds the first part of a path that stands in the way.

    Args:
        root: descriptor of the root.
        parts: of the path that failed.
        error: what the system said; its words are used when the path looks sound.
    """
    reason = str(error.strerror)
    try:
        for depth in range(len(parts)):
            if (found := _at(root, parts, depth)) is not None:
                return found
    except OSError as second:
        reason = str(second.strerror)
    return Refused(f"'{'/'.join(parts) or '.'}' can't be used: {reason.lower()}; use another path")


def is_a_directory(path: str) -> Refused:
    """For a path that should have been a file."""
    return Refused(f"'{path}' is a directory; use list_dir to see its files, and name one of them")


def _at(root: int, parts: Sequence[str], depth: int) -> Refused | None:
    name, path, here = parts[depth], "/".join(parts), "/".join(parts[: depth + 1])
    with folders.opened(root, parts[:depth]) as folder:
        kind = folders.kind_in(folder, name)
        if kind == "missing":
            return _missing(folder, parts, depth)
        if kind == "link":
            return _link(parts, depth, os.readlink(name, dir_fd=folder))
    if kind == "other":
        return Refused(f"'{here}' is no regular file but a FIFO, a socket or a device; use another path")
    is_last = depth == len(parts) - 1
    if kind == "file" and not is_last:
        return Refused(f"'{here}' is a file, so '{path}' can't lie in it; use list_dir to see what is there")
    return is_a_directory(path) if kind == "directory" and is_last else None


def _missing(folder: int, parts: Sequence[str], depth: int) -> Refused:
    """A typing error in one name is the usual cause, so the names nearest to it are said."""
    by_key = {name.casefold(): name for name in os.listdir(folder)[:_MAX_COMPARED] if names.is_plain(name)}
    near = difflib.get_close_matches(parts[depth].casefold(), by_key, n=3, cutoff=_NEAR)
    paths = ", ".join(f"'{'/'.join([*parts[:depth], by_key[key]])}'" for key in near)
    place = "/".join(parts[:depth]) or "."
    advice = f"did you mean {paths}?" if paths else f"use list_dir on '{place}' to see what is there"
    gone = "" if depth == len(parts) - 1 else f": there is no '{parts[depth]}' in '{place}'"
    return Refused(f"'{'/'.join(parts)}' doesn't exist{gone}; {advice}")


def _link(parts: Sequence[str], depth: int, target: str) -> Refused:
    here = "/".join(parts[: depth + 1])
    said = f"'{here}' is a symbolic link to '{names.shown(target)}'"
    resolved = posixpath.normpath(posixpath.join(*parts[:depth], target, *parts[depth + 1 :]))
    try:
        inside = "/".join(names.split(resolved)) or "."
    except Refused:
        return Refused(f"{said}, which leads out of bounds; use a path that isn't a link")
    if inside == "/".join(parts):
        return Refused(f"{said}, which is itself; use a path that isn't a link")
    return Refused(f"{said}; use the target's own path, '{inside}'")
