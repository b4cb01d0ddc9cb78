"""Puts the calls of one reply together from their pieces, whatever the server's habits.

An empty value never overwrites; id, name and index may be missing, repeated or the same for two calls. `replies`
feeds it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..messages import ToolCall
from .values import Json, arguments_text, as_object, as_text, can_be_sent

_CHECKS = 20
"""How often a call is read as JSON while it still comes in; else a hostile stream would cost its length squared."""


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    extra_content: Any = None
    checks: int = 0

    def add(self, piece: Json) -> None:
        function = as_object(piece.get("function"))
        self.id = self.id or as_text(piece.get("id"))
        self.name = self.name or as_text(function.get("name"))
        if arguments := arguments_text(function.get("arguments")):
            self.arguments.append(arguments)
        self.extra_content = piece.get("extra_content") or self.extra_content

    def is_whole(self) -> bool:
        """Whether the arguments are an object already."""
        if self.checks >= _CHECKS or not (self.arguments and self.arguments[-1].rstrip().endswith("}")):
            return False
        self.checks += 1
        try:
            return isinstance(json.loads("".join(self.arguments)), dict)
        except (ValueError, RecursionError):
            return False


class CallPieces:
    """Collects the pieces of a reply's calls."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._indexes: dict[int, _Call] = {}

    def add(self, piece: Json) -> None:
        """Take one piece of a streamed call."""
        function = as_object(piece.get("function"))
        name, call_id = as_text(function.get("name")), as_text(piece.get("id"))
        index = piece.get("index")
        call = self._indexes.get(index) if isinstance(index, int) else self._last(call_id, name)
        if call is None or _starts_another(call, call_id, name, arguments_text(function.get("arguments"))):
            call = self._new()
            if isinstance(index, int):
                self._indexes[index] = call
        call.add(piece)

    def add_whole(self, piece: Json) -> None:
        """Take a call that is no piece of another one."""
        self._new().add(piece)

    def _new(self) -> _Call:
        self._calls.append(_Call())
        return self._calls[-1]

    def _last(self, call_id: str, name: str) -> _Call | None:
        """The call that a piece without index goes on with: the last one, unless it names another."""
        last = self._calls[-1] if self._calls else None
        return last if last is not None and (not name or (call_id and call_id == last.id)) else None

    def finish(self, taken: frozenset[str]) -> tuple[tuple[ToolCall, ...], list[Json]]:
        """The calls with an id each, and the signatures of those that have one.

        A missing or repeated id is made anew, of nine letters and digits, which every server takes.

        Args:
            taken: ids that the conversation holds already.
        """
        seen = set(taken)
        fresh = (made for made in (f"call{number:05d}" for number in itertools.count()) if made not in seen)
        calls: list[ToolCall] = []
        signed: list[Json] = []
        for call in self._named():
            call_id = call.id if call.id and call.id not in seen else next(fresh)
            seen.add(call_id)
            calls.append(ToolCall(call_id, call.name, "".join(call.arguments)))
            if extra := can_be_sent(call.extra_content):
                signed.append({"id": call_id, "extra_content": extra})
        return tuple(calls), signed

    def _named(self) -> Iterable[_Call]:
        # A call without a name and arguments is an empty place that some servers leave.
        return (call for call in self._calls if call.name or call.arguments)


def _starts_another(call: _Call, call_id: str, name: str, arguments: str) -> bool:
    """Some servers give two calls the same index: another id, or a name after arguments that are whole."""
    if call_id and call.id and call_id != call.id:
        return bool(name)
    return bool(name and arguments) and call.is_whole()
