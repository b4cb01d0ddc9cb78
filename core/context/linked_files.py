"""Which files of a tree words name: by a file's name, and modules by theirs, with as many packages as are written.

All paths are folded at once and looked at in one pass: a tree may hold a hundred thousand of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..code.documents import is_document
from ..code.languages import row_of
from ..code.words import fold

_PACKAGE_STEM = "__init__"


def files_named(names: Collection[str], paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The files that go by folded names, in the order of the paths.

    Args:
        names: folded; a module's with dots between its parts.
        paths: of the tree's files.

    Returns:
        For each name that any file has the paths; where none has, the documents that are known by it (`README`).
    """
    by_last: dict[str, list[str]] = {}
    for name in names:
        by_last.setdefault(name.rpartition(".")[2], []).append(name)
    whole = frozenset(names)
    found: dict[str, list[str]] = {}
    documents: dict[str, list[str]] = {}
    for path, folded in zip(paths, _folded(paths), strict=True):
        base = folded[folded.rfind("/") + 1 :]
        stem = base[: base.rfind(".")] if "." in base[1:] else ""
        if base in whole:
            found.setdefault(base, []).append(path)
        # A package's own file folds to a name like any other, and is the module of its folder.
        if stem == "init" and posixpath.basename(path).startswith(f"{_PACKAGE_STEM}."):
            stem = posixpath.basename(posixpath.dirname(folded))
        if stem not in by_last:
            continue
        if is_module(path):
            for name in _ending(dotted(path), by_last[stem]):
                found.setdefault(name, []).append(path)
        elif stem in whole and is_document(path) and posixpath.splitext(posixpath.basename(path))[0].isupper():
            documents.setdefault(stem, []).append(path)
    return {**documents, **found}


def is_module(path: str) -> bool:
    """Whether a file is one of code that can be imported or included, as far as its suffix tells."""
    return row_of(path) is not None


def dotted(path: str) -> str:
    """The folded name of a module from the tree's top; a package's own file is its folder."""
    folder, base = posixpath.split(path)
    stem = posixpath.splitext(base)[0]
    parts = [*filter(None, folder.split("/")), *([] if stem == _PACKAGE_STEM else [stem])]
    return fold(".".join(parts))


def _ending(name: str, wanted: Sequence[str]) -> Iterator[str]:
    return (each for each in wanted if f".{name}".endswith(f".{each}"))


def _folded(paths: Sequence[str]) -> Sequence[str]:
    # No path holds a NUL, and folding one long text is several times faster than folding many short ones.
    return fold("\0".join(paths)).split("\0") if paths else ()
