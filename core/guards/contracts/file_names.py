"""What one file of a change shows of a renaming: `rename.py` judges it for all files together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import renamed_imports
from .compare import Comparison
from .contract import Fault
from .occurrences import Occurrence, OccurrenceReader
from .renamed_imports import ImportPair
from .renamed_names import Pair, Renamed


@dataclass(frozen=True, slots=True)
class FileNames:
    """What one file shows of a renaming.

    Attributes:
        path: the file, after the change.
        occurrences: of the names that change, and of those that they change into.
        words: pairs of words that differ in texts and comments.
        imported: pairs of names that differ in what is imported.
        modules: pairs of module names, where the file itself was renamed.
    """

    path: str
    occurrences: tuple[Occurrence, ...] = ()
    words: frozenset[Pair] = frozenset()
    imported: frozenset[Pair] = frozenset()
    modules: frozenset[Pair] = frozenset()


def names_in(path: str, modules: frozenset[Pair], comparison: Comparison, renamed: Renamed) -> FileNames | Fault:
    """Read a Python file that was found to be the same but for names.

    Args:
        path: the file, after the change.
        modules: how its own module was renamed.
        comparison: of the file, which has been made.
        renamed: the names that it found.

    Returns:
        The names; or the first import that has no counterpart.
    """
    asked = {(old.encode(), new.encode()) for old, new in comparison.contract.renames.items()}
    known = {old.decode("utf-8", "replace"): new.decode("utf-8", "replace") for old, new in asked or renamed.names}
    pairs = renamed_imports.pairs(comparison.before, comparison.after, known)
    if isinstance(pairs, Fault):
        return pairs
    bound = {(pair.old.bound.encode(), pair.new.bound.encode()) for pair in pairs}
    changed = renamed.names | {(old, new) for old, new in bound if old != new}
    occurrences = tuple(_occurrences(comparison, pairs, frozenset(name for pair in changed for name in pair)))
    imported = frozenset(words for pair in pairs for words in pair.words)
    return FileNames(path, occurrences, frozenset(renamed.words), imported, modules)


def _occurrences(comparison: Comparison, pairs: list[ImportPair], names: frozenset[bytes]) -> Iterator[Occurrence]:
    if not names:
        return
    reader = OccurrenceReader(comparison.before, comparison.after, names)
    yield from reader.of_imports(pairs)
    for old, new in zip(comparison.before.items, comparison.after.items, strict=True):
        if reader.has_names(old):
            yield from reader.of_line(old, new, comparison.tokens(old, new))
