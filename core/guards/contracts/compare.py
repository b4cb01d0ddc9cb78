"""Compares what remains of two files, one logical line with the other, and words the first difference.

A line that no kind of contract touches has to be the same to the byte. One that a kind touches is compared by its
tokens, since a longer line may have to be broken; but a change of layout alone passes only where `formatting` does.
"""

from __future__ import annotations

from dataclasses import dataclass

from .annotations import TypeComparison
from .canonical import Token, canonical, texts, unread
from .comments import Comment, inside
from .contract import Contract, Fault, became, quoted
from .formatting import is_same_docstring
from .remainder import Remainder
from .renamed_names import Renamed
from .source import Item

_NEAR = 200
"""Items that are looked through for the place where two files are in step again."""


TokenPair = tuple[list[Token], list[Token]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two files with what may differ taken out, and what is known about the rest.

    Attributes:
        types: compares without annotations; None where they count.
        renamed: collects names that differ; None where none may.
    """

    before: Remainder
    after: Remainder
    contract: Contract
    types: TypeComparison | None = None
    renamed: Renamed | None = None

    def same_items(self) -> int:
        """How many items at the start are alike, whatever stands between them."""
        pairs = zip(self.before.items, self.after.items, strict=False)
        shorter = min(len(self.before.items), len(self.after.items))
        return next((at for at, pair in enumerate(pairs) if not self._is_alike(*pair)), shorter)

    def fault(self, same: int) -> Fault | None:
        """The first difference, given how many items at the start are alike."""
        is_whole = same == len(self.before.items) == len(self.after.items)
        gaps = (self._gap(place) for place in range(same + is_whole))
        return next(filter(None, gaps), None) or (None if is_whole else self._differing(same))

    def tokens(self, old: Item, new: Item) -> TokenPair:
        """The tokens of two lines that are the same but for names."""
        untyped = None if old.is_broken or new.is_broken or self.types is None else self.types.tokens(old, new)
        return untyped or self._plain_tokens(old, new)

    def _plain_tokens(self, old: Item, new: Item) -> TokenPair:
        read = unread if old.is_broken or new.is_broken else canonical
        return read(self.before.source, old), read(self.after.source, new)

    def _is_alike(self, old: Item, new: Item) -> bool:
        before, after = self.before.source, self.after.source
        if (old.depth, old.form, old.kind == "docstring") != (new.depth, new.form, new.kind == "docstring"):
            return False
        if before.raw(old) == after.raw(new):
            return True
        then, now = self._plain_tokens(old, new)
        if not (old.is_broken or new.is_broken):
            if texts(then) == texts(now):
                return self._may_be_laid_out(old, new)
            if self.contract.allows("formatting") and is_same_docstring(before, old, after, new):
                return True
            if self.types is not None:
                then, now = self.tokens(old, new)
                if texts(then) == texts(now):
                    return True
        return self.renamed is not None and self.renamed.matches(then, now)

    def _may_be_laid_out(self, old: Item, new: Item) -> bool:
        if self.contract.allows("formatting"):
            return True
        then, now = (inside(side.source, item) for side, item in ((self.before, old), (self.after, new)))
        # Comments that differ are judged with the gap behind the item.
        return [comment.text for comment in then] != [comment.text for comment in now]

    def _gap(self, place: int) -> Fault | None:
        """The first difference between two remaining items, and within the first of them."""
        then, now = self.before.gaps[place], self.after.gaps[place]
        is_same = self.before.raw_gap(place) == self.after.raw_gap(place)
        if is_same and not then.taken and not now.taken and (not place or self._is_same_raw(place - 1)):
            return None
        old, new = self.before.comments(place), self.after.comments(place)
        if fault := self._comments(place, self._counting(old), self._counting(new)):
            return fault
        if is_same or self._may_space(place, [comment.text for comment in old] != [comment.text for comment in new]):
            return None
        return self._spacing(place)

    def _is_same_raw(self, place: int) -> bool:
        old, new = self.before.items[place], self.after.items[place]
        return self.before.source.raw(old) == self.after.source.raw(new)

    def _may_space(self, place: int, comments_differ: bool) -> bool:
        """Whether the white space of a gap may differ; in a broken file only its lines, not how deep they stand."""
        is_touched = bool(self.before.gaps[place].taken or self.after.gaps[place].taken) or comments_differ
        if not (self.before.source.is_broken or self.after.source.is_broken):
            return is_touched or self.contract.allows("formatting")
        return is_touched and self._indentation(self.before, place) == self._indentation(self.after, place)

    def _indentation(self, side: Remainder, place: int) -> bytes:
        return side.raw_gap(place).rpartition(b"\n")[2]

    def _counting(self, comments: list[Comment]) -> list[Comment]:
        """The comments that mustn't differ."""
        if self.contract.allows("annotations"):
            comments = [comment for comment in comments if not comment.is_type]
        if self.contract.allows("comments"):
            comments = [comment for comment in comments if comment.is_directive]
        return comments

    def _comments(self, place: int, old: list[Comment], new: list[Comment]) -> Fault | None:
        then, now = ([self._key(comment) for comment in side] for side in (old, new))
        if self.contract.allows("imports") and (self.before.gaps[place].taken or self.after.gaps[place].taken):
            # Sorting imports carries the comments above them along.
            old, new = sorted(old, key=self._key), sorted(new, key=self._key)
            then, now = sorted(then), sorted(now)
        if then == now or (self.renamed and self.renamed.matches_texts([k[0] for k in then], [k[0] for k in now])):
            return None
        at = next((at for at, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
        lost, won = (side[at] if at < len(side) else None for side in (old, new))
        if lost and won and len(then) != len(now):
            lost, won = (None, won) if len(now) > len(then) else (lost, None)
        line = self.after.line(won.start) if won else self._line(place)
        detail = became(lost.text if lost else b"", won.text if won else b"", "the comment ")
        if lost and won and lost.text == won.text:
            detail = f"the comment {quoted(won.text)} moved to another line"
        return Fault(line, self._symbol(place), detail, self.before.line(lost.start) if lost else 0)

    def _key(self, comment: Comment) -> tuple[bytes, bool]:
        text = comment.spaced if self.contract.allows("formatting") else comment.text
        return text, comment.is_directive and comment.is_trailing

    def _spacing(self, place: int) -> Fault:
        item = self.after.items[place] if place < len(self.after.items) else None
        where = f"before {quoted(self.after.source.raw(item))}" if item else "at the end of the file"
        old_line = self.before.items[place].line if place < len(self.before.items) else 0
        return Fault(self._line(place), self._symbol(place), f"the white space {where} changed", old_line)

    def _differing(self, place: int) -> Fault:
        """Words for two items that differ, or for one that stands alone."""
        old = self.before.items[place] if place < len(self.before.items) else None
        new = self.after.items[place] if place < len(self.after.items) else None
        lost, won = (side.source.raw(item) if item else b"" for side, item in ((self.before, old), (self.after, new)))
        if lost and won:
            added, removed = self._steps(self.after, place, lost), self._steps(self.before, place, won)
            if added < removed:
                old, lost = None, b""
            elif removed < added:
                new, won = None, b""
        if lost == won:
            is_moved = old is not None and new is not None and old.depth != new.depth
            detail = f"{quoted(won)} {'stands in another block' if is_moved else 'is read in another way'}"
        elif old and new and self._is_layout(old, new):
            detail = f"the layout of {quoted(won, lost)} changed"
        else:
            detail = became(lost, won)
        owner = (new or old or self.after.items[-1]).owner
        line = new.line + _equal_lines(lost, won) if new else self._line(place)
        return Fault(line, owner.name if owner else "", detail, old.line if old else 0)

    def _is_layout(self, old: Item, new: Item) -> bool:
        if old.is_broken or new.is_broken or old.form != new.form:
            return False
        return texts(canonical(self.before.source, old)) == texts(canonical(self.after.source, new))

    def _steps(self, side: Remainder, place: int, raw: bytes) -> int:
        """How far behind a place an item stands; far away where it doesn't."""
        near = side.items[place + 1 : place + 1 + _NEAR]
        return next((step for step, item in enumerate(near) if side.source.raw(item) == raw), _NEAR)

    def _line(self, place: int) -> int:
        """The line of what stands at a place after the change, or the last line."""
        if place < len(self.after.items):
            return self.after.items[place].line
        return self.after.line(len(self.after.source.text.rstrip()))

    def _symbol(self, place: int) -> str:
        items = self.after.items
        owner = items[min(place, len(items) - 1)].owner if items else None
        return owner.name if owner and place < len(items) else ""


def _equal_lines(old: bytes, new: bytes) -> int:
    """How many lines at the start of two pieces of source are the same, if there are others behind them."""
    then, now = old.split(b"\n"), new.split(b"\n")
    return next((at for at, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), 0)
