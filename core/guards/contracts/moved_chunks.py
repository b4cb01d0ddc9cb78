"""Finds each chunk of one side on the other, by ever looser rules; what is left over was not moved."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from .chunk_keys import ChunkReader
from .chunks import Chunk, members
from .contract import Contract, Fault, became, quoted
from .methods import Methods

_KeyOf = Callable[[Chunk, bool], object]


def unmatched(
    reader: ChunkReader, contract: Contract, old: Sequence[Chunk], new: Sequence[Chunk]
) -> Iterator[tuple[str, Fault]]:
    """What stands on one side alone, with the path of its file."""
    match = _Match(reader, contract, list(old), list(new))
    match.run()
    yield from match.faults()


class _Match:
    """The chunks of both sides that have no partner yet."""

    def __init__(self, reader: ChunkReader, contract: Contract, old: list[Chunk], new: list[Chunk]) -> None:
        self._reader = reader
        self._contract = contract
        self._old, self._new = old, new
        self._freed: list[tuple[Chunk, Chunk]] = []

    def run(self) -> None:
        """Strike out all that has a partner."""
        self._strike()
        self._open_classes()
        methods = Methods(self._reader, self._old, self._new)
        self._freed = methods.pairs
        self._strike()
        left = {*self._old, *self._new}
        self._remove([pair for pair in methods.pairs if left.issuperset(pair) and methods.is_freed(*pair)])
        self._remove([pair for pair in self._namesakes() if methods.is_recalled(*pair)])
        self._old, self._new = ([chunk for chunk in side if not _is_filler(chunk)] for side in (self._old, self._new))

    def faults(self) -> Iterator[tuple[str, Fault]]:
        """Words for what is left."""
        left = {*self._old, *self._new}
        freed = [pair for pair in self._freed if left.issuperset(pair)]
        for method, function in freed:
            detail = f"{_shown(function)} says something else than the method `{method.name}` did"
            yield function.path, Fault(function.line, function.name, detail, method.line)
        self._remove(freed)
        pairs = self._namesakes()
        for old, new in pairs:
            yield new.path, self._changed(old, new)
        named = {chunk for pair in pairs for chunk in pair}
        for chunk in self._new:
            if chunk not in named:
                yield chunk.path, Fault(chunk.line, chunk.name or chunk.holder, f"{_shown(chunk)} was added")
        for chunk in self._old:
            if chunk not in named:
                detail = f"{_shown(chunk)} is gone and stands nowhere else"
                yield chunk.path, Fault(chunk.line, chunk.name or chunk.holder, detail, chunk.line)

    def _strike(self) -> None:
        if not self._contract.renames:
            self._strike_by(
                lambda chunk, _: (chunk.path, chunk.holder, chunk.head.kind, chunk.raw), may_be_laid_out=True
            )
            self._strike_by(lambda chunk, _: (chunk.home, chunk.head.kind, chunk.raw), may_be_laid_out=True)
        self._strike_by(lambda chunk, is_old: self._reader.key(chunk, is_old=is_old), may_be_laid_out=False)

    def _strike_by(self, key: _KeyOf, *, may_be_laid_out: bool) -> None:
        open_now: dict[object, list[Chunk]] = {}
        for chunk in reversed(self._new):
            open_now.setdefault(key(chunk, False), []).append(chunk)
        pairs: list[tuple[Chunk, Chunk]] = []
        is_alone = self._contract.kinds == ("move",)
        for chunk in self._old:
            partners = open_now.get(key(chunk, True))
            if partners and (may_be_laid_out or not is_alone or _is_elsewhere(chunk, partners[-1])):
                pairs.append((chunk, partners.pop()))
        self._remove(pairs)

    def _remove(self, pairs: Sequence[tuple[Chunk, Chunk]]) -> None:
        struck = {chunk for pair in pairs for chunk in pair}
        self._old, self._new = ([chunk for chunk in side if chunk not in struck] for side in (self._old, self._new))

    def _open_classes(self) -> None:
        """Put the members of classes that changed in place of the classes, also of those within them."""
        while pairs := [pair for pair in self._namesakes() if self._is_class(*pair)]:
            self._remove(pairs)
            for old, new in pairs:
                self._old += members(old)[1]
                self._new += members(new)[1]

    def _is_class(self, old: Chunk, new: Chunk) -> bool:
        """Whether two chunks are classes that differ in their members alone."""
        if not old.head.form == new.head.form == "class_definition":
            return False
        then, now = members(old)[0], members(new)[0]
        if any(item.is_broken for item in (*then, *now)):
            return False
        lines = self._reader.lines
        return lines(old.source, then, is_old=True) == lines(new.source, now, is_old=False)

    def _namesakes(self) -> list[tuple[Chunk, Chunk]]:
        """Chunks of one name in one class that both sides have left, in order; first those of one file."""
        found: list[tuple[Chunk, Chunk]] = []
        paired: set[Chunk] = set()
        for is_near in (True, False):
            open_now: dict[tuple[str, str, str], list[Chunk]] = {}
            for chunk in reversed(self._new):
                if chunk not in paired:
                    open_now.setdefault(_called(chunk, is_near), []).append(chunk)
            for chunk in self._old:
                if chunk not in paired and (partners := open_now.get(_called(chunk, is_near))):
                    found.append((chunk, partners.pop()))
                    paired.update(found[-1])
        return found

    def _changed(self, old: Chunk, new: Chunk) -> Fault:
        """The first line that differs in two chunks of one name."""
        then, now = (self._reader.lines(chunk.source, chunk.items, is_old=chunk is old) for chunk in (old, new))
        for a, b, lost, won in itertools.zip_longest(then, now, old.items, new.items):
            if a == b:
                continue
            item = won or new.items[-1]
            before, after = (chunk.source.raw(line) if line else b"" for chunk, line in ((old, lost), (new, won)))
            symbol = item.owner.name if item.owner else ""
            line_before = lost.line if lost else old.items[-1].line
            if before == after:
                where = "stands in another block" if a and b and a[0] != b[0] else "is read in another way"
                return Fault(item.line, symbol, f"{quoted(after)} {where}", line_before)
            detail = became(before, after)
            return Fault(item.line, symbol, detail, line_before)
        if self._reader.comments(old) != self._reader.comments(new):
            return Fault(new.line, new.name, f"the comments in {_shown(new)} changed", old.line)
        return Fault(new.line, new.name, f"the layout of {_shown(new)} changed", old.line)


def _called(chunk: Chunk, is_near: bool) -> tuple[str, str, str]:
    # What has no name stays in its file.
    return (chunk.path if is_near or not chunk.name else "", chunk.holder, chunk.name)


def _is_elsewhere(old: Chunk, new: Chunk) -> bool:
    return (old.path, old.holder) != (new.path, new.holder)


def _is_filler(chunk: Chunk) -> bool:
    return bool(chunk.holder) and chunk.head.kind == "filler"


def _shown(chunk: Chunk) -> str:
    return quoted(chunk.source.raw(chunk.head))
