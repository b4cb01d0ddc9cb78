"""Methods that became functions of their module, as `move` allows.

The rule: the function has the method's name, parameters and body, but for the first parameter (`self`), which is gone
or stays first under any name, and for `@staticmethod` or `@classmethod`. Where it is gone, nothing in the body may
need it. Calls `self.f(…)`, `cls.f(…)` and `C.f(…)` of such methods, in the class and in these functions, become `f(…)`,
or `f(self, …)` where the parameter stays. A body that says `super` or a `__private` name can't leave its class, since
both mean something by the class that they stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .canonical import Token
from .chunk_keys import ChunkReader
from .chunks import Chunk
from .source import Item

_DECORATORS = (b"@staticmethod", b"@classmethod")
_OWN = (b"self", b"cls")


@dataclass(frozen=True, slots=True)
class Freed:
    """A method that became a function.

    Attributes:
        holder: the last name of its class.
        first: its first parameter; empty for a static method.
        instead: what that parameter is called now; empty where it is gone.
    """

    holder: bytes
    first: bytes
    instead: bytes

    @property
    def is_gone(self) -> bool:
        """Whether the function lacks the first parameter."""
        return bool(self.first) and not self.instead


class Methods:
    """Compares chunks, taking the methods for functions of which both sides are there.

    Attributes:
        pairs: each method that is gone, with the function that has its name.
    """

    def __init__(self, reader: ChunkReader, old: Sequence[Chunk], new: Sequence[Chunk]) -> None:
        self._reader = reader
        self.pairs: list[tuple[Chunk, Chunk]] = []
        self._freed: dict[bytes, Freed] = {}
        functions = {chunk.name: chunk for chunk in new if not chunk.holder and _is_function(chunk)}
        still_there = {chunk.name for chunk in new}
        for chunk in old:
            function = functions.get(chunk.name.rpartition(".")[2])
            if function is None or function.name.encode() in self._freed or chunk.name in still_there:
                continue
            if chunk.holder and _is_function(chunk):
                self.pairs.append((chunk, function))
                self._freed[function.name.encode()] = self._how(chunk, function)

    def _how(self, method: Chunk, function: Chunk) -> Freed:
        holder = method.holder.rpartition(".")[2].encode()
        then, now = self._parameters(method), self._parameters(function)
        is_static = any(method.source.raw(item) == b"@staticmethod" for item in method.items)
        if is_static or not then:
            return Freed(holder, b"", b"")
        return Freed(holder, then[0], now[0] if len(now) == len(then) else b"")

    def _parameters(self, chunk: Chunk) -> list[bytes]:
        return [token.text for token in self._reader.tokens(chunk.source, chunk.head) if token.role == "parameter"]

    def is_freed(self, method: Chunk, function: Chunk) -> bool:
        """Whether a function of `pairs` is what its method became."""
        freed = self._freed[function.name.encode()]
        items = [item for item in method.items if method.source.raw(item) not in _DECORATORS]
        lines = [self._rewritten(method, item) for item in items]
        if any(_is_bound_to_class(token) for line in lines for token in line):
            return False
        lines = [_without_first(line, freed.first) for line in lines] if freed.is_gone else lines
        if freed.is_gone and any(_is_bare(token, freed.first) for line in lines for token in line):
            return False
        return self._is_same([[_called(token, freed) for token in line] for line in lines], items, method, function)

    def _is_same(self, lines: Sequence[Sequence[Token]], items: Sequence[Item], old: Chunk, new: Chunk) -> bool:
        """Whether rewritten lines of an old chunk are those of a new one, comments included."""
        reader = self._reader
        then = tuple(reader.line(items[0], item, line, is_old=True) for item, line in zip(items, lines, strict=True))
        return then == reader.lines(new.source, new.items, is_old=False) and (
            reader.comments(old) == reader.comments(new)
        )

    def is_recalled(self, old: Chunk, new: Chunk) -> bool:
        """Whether two chunks are the same but for calls of the methods that became functions."""
        lines = [self._rewritten(old, item) for item in old.items]
        plain = [self._reader.tokens(old.source, item) for item in old.items]
        return list(map(len, lines)) != list(map(len, plain)) and self._is_same(lines, old.items, old, new)

    def _rewritten(self, chunk: Chunk, item: Item) -> list[Token]:
        """The tokens of an item, where calls of methods are calls of functions."""
        tokens = self._reader.tokens(chunk.source, item)
        found: list[Token] = []
        at = 0
        while at < len(tokens):
            freed = self._call(chunk, tokens, at)
            if freed is None:
                found.append(tokens[at])
                at += 1
                continue
            receiver, called = tokens[at + 2], tokens[at + 4]
            found += [tokens[at], Token(called.text, "name")]
            at += 6
            if freed.instead and receiver.text in _OWN:
                # `<argument_list` and the parenthesis come first.
                is_empty = tokens[at + 2].text == b")"
                found += [*tokens[at : at + 2], Token(receiver.text, "name"), *([] if is_empty else [Token(b",")])]
                at += 2
        return found

    def _call(self, chunk: Chunk, tokens: Sequence[Token], at: int) -> Freed | None:
        """How the method is freed whose call begins at a token: `<call <attribute self . f > <argument_list (`."""
        shape = [token.text for token in tokens[at : at + 7]]
        if len(shape) < 7 or shape[:2] != [b"<call", b"<attribute"] or shape[5:] != [b">", b"<argument_list"]:
            return None
        freed = self._freed.get(shape[4])
        if freed is None or tokens[at + 4].role != "attribute":
            return None
        is_inside = chunk.holder.rpartition(".")[2].encode() == freed.holder
        is_own = shape[2] == freed.holder or (shape[2] in _OWN and is_inside)
        return freed if is_own else None


def _is_function(chunk: Chunk) -> bool:
    return chunk.head.form == "function_definition"


def _without_first(tokens: list[Token], first: bytes) -> list[Token]:
    """The head of a function without its first parameter, where that is a bare name; other lines as they are."""
    for at, token in enumerate(tokens):
        if token.role == "parameter" and token.text == first and tokens[at - 2].text == b"<parameters":
            behind = at + 1 + (tokens[at + 1].text == b",")
            return [*tokens[:at], *tokens[behind:]]
    return tokens


def _is_bare(token: Token, name: bytes) -> bool:
    return token.role in ("name", "parameter") and token.text == name


def _called(token: Token, freed: Freed) -> Token:
    """The token with the first parameter as it is called now."""
    if freed.instead and _is_bare(token, freed.first):
        return Token(freed.instead, token.role, token.of, token.start)
    return token


def _is_bound_to_class(token: Token) -> bool:
    is_private = token.is_name and token.text.startswith(b"__") and not token.text.endswith(b"__")
    return is_private or (token.role == "name" and token.text in (b"super", b"__class__"))
