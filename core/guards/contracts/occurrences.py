"""Each occurrence of the names that a renaming is about, before and after, with what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .canonical import Token
from .remainder import Remainder
from .renamed_imports import ImportPair
from .renamed_names import WORD
from .scopes import Scope, Scopes, visible_from
from .source import Item, Owner
from .token_rules import Role


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence of a name.

    Attributes:
        old: the name before.
        new: the name after; the same where it stays.
        scope: what the name belongs to.
        owner: the class or function that it is read in.
        is_defined: whether the scope itself defines the name.
        line: from 1, after the change.
        line_before: from 1.
        symbol: the dotted name of the class or function around it.
    """

    old: bytes
    new: bytes
    role: Role
    scope: Scope
    owner: Owner | None
    is_defined: bool
    line: int
    line_before: int
    symbol: str

    @property
    def is_renamed(self) -> bool:
        """Whether the name changes."""
        return self.old != self.new


TokenPairs = tuple[Sequence[Token], Sequence[Token]]


class OccurrenceReader:
    """Reads the occurrences of some names in two files that are the same but for names."""

    def __init__(self, before: Remainder, after: Remainder, names: frozenset[bytes]) -> None:
        self._before, self._after = before, after
        self._names = names
        self._scopes = Scopes(before.source)
        self._foreign: set[tuple[Scope, bytes]] = set()

    def of_imports(self, imports: Sequence[ImportPair]) -> Iterator[Occurrence]:
        """The names that imports bind; read first, since a name that comes from elsewhere isn't defined here."""
        for pair in imports:
            old, new = pair.old.bound.encode(), pair.new.bound.encode()
            if old in self._names:
                scope = self._scopes.resolve(old, pair.item.owner)
                is_defined = bool(pair.old.alias or pair.new.alias)
                if not is_defined:
                    self._foreign.add((scope, old))
                owner = pair.item.owner
                symbol = owner.name if owner else ""
                lines = pair.new_item.line, pair.item.line
                yield Occurrence(old, new, "name", scope, owner, is_defined, *lines, symbol)

    def of_line(self, old: Item, new: Item, tokens: TokenPairs) -> Iterator[Occurrence]:
        """The names in one logical line, given its tokens before and after."""
        for then, now in zip(*tokens, strict=True):
            if then.is_name and then.text in self._names:
                yield self._occurrence(old, new, then, now)

    def has_names(self, item: Item) -> bool:
        """Whether a line before the change may hold one of the names."""
        return not self._names.isdisjoint(WORD.findall(self._before.source.raw(item)))

    def _occurrence(self, old: Item, new: Item, then: Token, now: Token) -> Occurrence:
        scope = self._scopes.scope(then, old)
        owner = old.owner if then.role == "parameter" else visible_from(old)
        line, line_before = (
            item.line + side.source.text.count(b"\n", item.start, token.start)
            for side, item, token in ((self._after, new, now), (self._before, old, then))
        )
        symbol = new.owner.name if new.owner else ""
        is_defined = self._is_defined(scope, then, old)
        return Occurrence(then.text, now.text, then.role, scope, owner, is_defined, line, line_before, symbol)

    def _is_defined(self, scope: Scope, token: Token, item: Item) -> bool:
        if (scope, token.text) in self._foreign:
            return False
        match scope.kind:
            case "module":
                return self._scopes.is_bound_at_top(token.text)
            case "class":
                owner = item.owner
                while owner is not None and owner.start != scope.place:
                    owner = owner.parent
                return owner is not None and token.text in self._scopes.bound(owner)
            case "function":
                return True
            case _:
                return False
