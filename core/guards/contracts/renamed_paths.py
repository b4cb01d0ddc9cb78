"""How files follow a renaming: `a.py` becomes `b.py` where the module `a` becomes `b`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...code.text import PYTHON_SUFFIXES
from ..change import FileChange
from .renamed_names import Pair


def as_renamed(changes: Sequence[FileChange], renames: Mapping[str, str]) -> list[FileChange]:
    """The changes, where a file that is gone and a new one that has its place and another name are one.

    Git takes them for two where too many of their lines differ.

    Args:
        changes: in their order.
        renames: the names that may change; empty where any may.
    """
    gone = [change for change in changes if change.kind == "deleted"]
    came = [change for change in changes if change.kind == "added"]
    found: dict[str, FileChange] = {}
    for old in gone:
        partners = [new for new in came if new.path not in found and _is_partner(old.path, new.path, renames)]
        if len(partners) == 1:
            found[partners[0].path] = old
    taken = {old.path for old in found.values()}
    return [
        _joined(found[change.path], change) if change.kind == "added" and change.path in found else change
        for change in changes
        if change.kind != "deleted" or change.path not in taken
    ]


def _joined(old: FileChange, new: FileChange) -> FileChange:
    return FileChange(new.path, old.path, "renamed", old.before, new.after, old.old_mode, new.new_mode)


def _is_partner(old: str, new: str, renames: Mapping[str, str]) -> bool:
    pairs = module_words(old, new)
    if not pairs:
        return False
    return len(pairs) == 1 if not renames else all(renames.get(a.decode()) == b.decode() for a, b in pairs)


def module_words(old: str, new: str) -> frozenset[Pair] | None:
    """The modules and packages whose names differ in two paths; None where the paths have another shape."""
    then, now = (_modules(path) for path in (old, new))
    if len(then) != len(now):
        return None
    return frozenset((a, b) for a, b in zip(then, now, strict=True) if a != b)


def _modules(path: str) -> list[bytes]:
    suffix = next((suffix for suffix in PYTHON_SUFFIXES if path.endswith(suffix)), "")
    # Names in other encodings hold halves of surrogate pairs.
    return [part.encode("utf-8", "surrogateescape") for part in [*path.removesuffix(suffix).split("/"), suffix]]
