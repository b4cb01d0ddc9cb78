"""Which names of a file are one name: what has to be renamed together.

A name that a function binds is that function's, one that a class binds belongs to the class, as `self.name` in its
methods does, and every other is the module's. What an attribute of something else is can't be known without types:
`a.name` and `b.name` are two names here, though `a.name` is always the same one. Keyword arguments belong to
what is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .bindings import bound_names, outer_names, own_attributes, parameters
from .canonical import Token
from .source import Item, Owner, Source

ScopeKind = Literal["module", "class", "function", "attribute", "keyword"]
_OWN = (b"self", b"cls")
_DEFINITIONS = ("function_definition", "class_definition")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a name belongs to.

    Attributes:
        place: the first byte of a class or function; 0 otherwise.
        of: for attributes and keywords, as in `Token`.
    """

    kind: ScopeKind
    place: int = 0
    of: bytes = b""


MODULE_SCOPE = Scope("module")


class Scopes:
    """Resolves the names of one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._items: dict[int, list[Item]] = {}
        self._methods: dict[int, list[Item]] = {}
        for item in source.items:
            self._items.setdefault(_place(item.owner), []).append(item)
            if _is_definition(item) and item.owner is not None:
                self._items.setdefault(_place(item.owner.parent), []).append(item)
            if (holder := _class_around(item.owner)) is not None:
                self._methods.setdefault(holder.start, []).append(item)
        self._bound: dict[int, frozenset[bytes]] = {}

    def scope(self, token: Token, item: Item) -> Scope:
        """What a name in an item belongs to."""
        if token.role == "keyword":
            return Scope("keyword", of=token.of)
        if token.role == "attribute":
            return self._of_attribute(token, item)
        if token.role == "parameter" and item.owner is not None:
            return Scope("function", item.owner.start)
        return self.resolve(token.text, visible_from(item))

    def resolve(self, name: bytes, owner: Owner | None) -> Scope:
        """What a bare name means within an owner."""
        here = owner
        while here is not None:
            # The body of a class is seen from itself alone, not from its methods.
            if (here.kind == "function" or here == owner) and name in self.bound(here):
                return Scope(here.kind, here.start)
            here = here.parent
        return MODULE_SCOPE

    def is_bound_at_top(self, name: bytes) -> bool:
        """Whether the module itself defines or imports a name."""
        return name in self.bound(None)

    def bound(self, owner: Owner | None) -> frozenset[bytes]:
        """The names that a module, class or function binds; a class also binds what its methods give to `self`."""
        place = _place(owner)
        if place not in self._bound:
            names: set[bytes] = set()
            outer: set[bytes] = set()
            for item in self._items.get(place, []):
                names.update(self._of_item(item, place))
                outer.update(outer_names(self._source, item))
            if owner is not None and owner.kind == "class":
                for item in self._methods.get(place, []):
                    names.update(own_attributes(self._source, item))
            self._bound[place] = frozenset(names - outer)
        return self._bound[place]

    def _of_item(self, item: Item, place: int) -> Iterator[bytes]:
        if not _is_definition(item) or item.owner is None:
            yield from bound_names(self._source, item)
        elif _place(item.owner) != place:
            yield item.owner.name.rpartition(".")[2].encode()
        elif item.owner.kind == "function":
            yield from parameters(self._source, item)

    def _of_attribute(self, token: Token, item: Item) -> Scope:
        holder = _class_around(item.owner)
        if holder is not None and token.of in (*_OWN, holder.name.rpartition(".")[2].encode()):
            return Scope("class", holder.start)
        return Scope("attribute", of=token.of)


def visible_from(item: Item) -> Owner | None:
    """The owner in whose names an item is read; the head of a definition is read outside it."""
    return item.owner.parent if _is_definition(item) and item.owner is not None else item.owner


def _is_definition(item: Item) -> bool:
    return item.kind == "head" and item.form in _DEFINITIONS


def _place(owner: Owner | None) -> int:
    return -1 if owner is None else owner.start


def _class_around(owner: Owner | None) -> Owner | None:
    while owner is not None and owner.kind != "class":
        owner = owner.parent
    return owner
