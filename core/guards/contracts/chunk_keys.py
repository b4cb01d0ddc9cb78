"""What a chunk says, as a value that is equal for equal chunks wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .canonical import Token, canonical
from .chunks import Chunk
from .comments import Comment, in_gap, inside
from .contract import Contract
from .literals import wording
from .source import Item, Source
from .token_rules import Types

Line = tuple[int, tuple[bytes, ...]]
"""How deep a logical line stands below the first one, and its tokens."""


class ChunkReader:
    """Reads chunks as a contract has them compared."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._types: Types = "dropped" if contract.allows("annotations") else "kept"
        self._names: Mapping[bytes, bytes] = {old.encode(): new.encode() for old, new in contract.renames.items()}

    def key(self, chunk: Chunk, *, is_old: bool) -> tuple[object, ...]:
        """What a chunk says, comments included; what has an effect by itself is bound to its file."""
        lines = self.lines(chunk.source, chunk.items, is_old=is_old)
        return (chunk.home, lines, self.comments(chunk))

    def lines(self, source: Source, items: Sequence[Item], *, is_old: bool) -> tuple[Line, ...]:
        """The logical lines, with old names as they are called after the change."""
        found: list[Line] = []
        for item in items:
            if self._contract.allows("docstrings") and item.kind in ("docstring", "filler"):
                continue
            found.append(self.line(items[0], item, self.tokens(source, item), is_old=is_old))
        return tuple(found)

    def line(self, first: Item, item: Item, tokens: Sequence[Token], *, is_old: bool) -> Line:
        """One logical line of a chunk that begins with another one, given its tokens."""
        depth = item.depth - first.depth
        texts = tuple(self._text(token, item, is_old=is_old) for token in tokens)
        return (depth, (b"<docstring", *texts) if item.kind == "docstring" else texts)

    def tokens(self, source: Source, item: Item) -> list[Token]:
        """The tokens of an item; one as it stands where the grammar can't read it."""
        return [Token(source.raw(item))] if item.is_broken else canonical(source, item, self._types)

    def _text(self, token: Token, item: Item, *, is_old: bool) -> bytes:
        """A token's text; a docstring's lines move with the definition's."""
        if token.role == "text" and item.kind == "docstring":
            return wording(token.text)
        return self._names.get(token.text, token.text) if is_old and token.is_name else token.text

    def comments(self, chunk: Chunk) -> tuple[bytes, ...]:
        """The comments within a chunk, in order."""
        found: list[Comment] = []
        for place, item in enumerate(chunk.items):
            if place:
                found += in_gap(chunk.source, chunk.items[place - 1].end, item.start)
            found += inside(chunk.source, item)
        return tuple(self.counting(found))

    def counting(self, comments: Sequence[Comment]) -> list[bytes]:
        """The texts of the comments that mustn't differ."""
        all_count = not self._contract.allows("comments")
        return [comment.spaced for comment in comments if all_count or comment.is_directive]
