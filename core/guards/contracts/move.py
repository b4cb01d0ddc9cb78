"""`move`: functions, classes and assignments stand elsewhere, and are otherwise equal.

Everything that is gone from one place stands in another of the same change, once, in another file or in another
part of the same one: nothing is copied, lost or rewritten. A method may move to another class or become a function
(see `methods.py`). What has an effect by itself (a call, an `if`) stays in its file, in its order. Imports and
`__all__` may change, and so may the docstring of a file that is new or gone, and the `pass` of an empty class.
Comments within what moves go along; others must stand somewhere after the change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .chunk_keys import ChunkReader
from .chunks import Chunk, chunks
from .comments import Comment, in_gap, inside
from .contract import Breach, Contract, Fault, quoted
from .moved_chunks import unmatched
from .source import Source


@dataclass(frozen=True, slots=True)
class MovedFile:
    """One Python file before and after; the side that doesn't exist is None."""

    path: str
    before: Source | None
    after: Source | None


def judge(files: Sequence[MovedFile], contract: Contract) -> Breach | None:
    """The first thing that was not moved but changed, added or removed.

    Args:
        files: the changed Python files in their order.
        contract: what else may differ.
    """
    reader = ChunkReader(contract)
    old = [chunk for file in files for chunk in _chunks(file, file.before)]
    new = [chunk for file in files for chunk in _chunks(file, file.after)]
    order = {file.path: place for place, file in enumerate(files)}
    for faults in (unmatched(reader, contract, old, new), _disordered(files), _lost_comments(files, reader)):
        if first := min(faults, key=lambda found: (order[found[0]], found[1].line), default=None):
            return first[1].breach(contract, first[0])
    return None


def _disordered(files: Sequence[MovedFile]) -> Iterator[tuple[str, Fault]]:
    """What has an effect by itself, or defines a name again, in another order than before."""
    for file in files:
        then, now = (_sequences(file.path, side) for side in (file.before, file.after))
        for name in then.keys() & now.keys():
            old, new = ([chunk.raw for chunk in side[name]] for side in (then, now))
            if old != new and sorted(old) == sorted(new):
                at = next(place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
                chunk = now[name][at]
                yield file.path, Fault(chunk.line, chunk.name, f"{quoted(chunk.raw)} stands in another order", 0)


def _sequences(path: str, side: Source | None) -> dict[str, list[Chunk]]:
    """The chunks whose order counts: those of one name, and all without one."""
    found: dict[str, list[Chunk]] = {}
    for chunk in chunks(path, side) if side else ():
        found.setdefault(chunk.name, []).append(chunk)
    return found


def _lost_comments(files: Sequence[MovedFile], reader: ChunkReader) -> Iterator[tuple[str, Fault]]:
    """Comments that stand on one side alone, wherever they stand there."""
    then = {file.path: list(_comments(file.before)) for file in files}
    now = {file.path: list(_comments(file.after)) for file in files}
    old, new = ({text for side in sides.values() for text in reader.counting(side)} for sides in (then, now))
    for side, known, what in ((now, old, "added"), (then, new, "removed")):
        for file in files:
            source = file.after if side is now else file.before
            for comment in side[file.path]:
                if source is not None and set(reader.counting([comment])) - known:
                    line = source.text.count(b"\n", 0, comment.start) + 1
                    yield file.path, Fault(line, "", f"the comment {quoted(comment.text)} was {what}")
                    break


def _comments(side: Source | None) -> Iterator[Comment]:
    """The comments of a file, without those at imports."""
    if side is None:
        return
    at, is_import = 0, False
    for item in side.items:
        yield from (each for each in in_gap(side, at, item.start) if not (is_import and each.is_trailing))
        at, is_import = item.end, item.kind == "import"
        if not is_import:
            yield from inside(side, item)
    yield from in_gap(side, at, len(side.text))


def _chunks(file: MovedFile, side: Source | None) -> Iterator[Chunk]:
    """The chunks that have to be found again."""
    for chunk in chunks(file.path, side) if side else ():
        is_free_docstring = chunk.head.kind == "docstring" and None in (file.before, file.after)
        if not is_free_docstring and not _is_export(chunk):
            yield chunk


def _is_export(chunk: Chunk) -> bool:
    """Whether it is an `__all__` of plain names."""
    if chunk.name != "__all__" or chunk.holder:
        return False
    value = chunk.head.nodes[0].children[0].children[-1]
    plain = ("string", ",", "[", "]", "(", ")", "comment")
    return value.type in ("list", "tuple") and all(child.type in plain for child in value.children)
