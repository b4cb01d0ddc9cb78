"""What a mistake is made from: the right reply, and what is known at the time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from orefactor.sandbox.errors import Refused

from ..code.text import decode, shown
from ..messages import ProviderRequest, ProviderResponse, ToolCall
from .oracle import Oracle

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Moment:
    """The right reply to a request.

    Attributes:
        draw: gives a number from 0 to 1.
    """

    reply: ProviderResponse
    request: ProviderRequest
    oracle: Oracle
    draw: Callable[[], float]

    def pick(self, choices: Sequence[T]) -> T:
        """One of them by lot."""
        return choices[min(int(self.draw() * len(choices)), len(choices) - 1)]

    def edits(self) -> Iterator[PlannedEdit]:
        """The edits of the reply."""
        for place, call in enumerate(self.reply.tool_calls):
            if call.name == "edit_file":
                arguments = json.loads(call.arguments)
                yield PlannedEdit(place, arguments["path"], arguments["old_string"], arguments["new_string"])

    def text(self, path: str) -> str:
        """The file as tools show it, with what was changed so far; empty where it isn't there or is no text."""
        try:
            return shown(decode(self.oracle.mirror.files[path] or b"", path).text)
        except Refused:
            return ""

    def with_call(self, place: int, name: str, arguments: Mapping[str, Any] | str) -> ProviderResponse:
        """The reply with another call at this place.

        Args:
            arguments: an object, or what is sent in its place.
        """
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        calls = list(self.reply.tool_calls)
        calls[place] = ToolCall(calls[place].id, name, text)
        return replace(self.reply, message=replace(self.reply.message, tool_calls=tuple(calls)))

    def with_edit(self, edit: PlannedEdit, *, old: str | None = None, new: str | None = None) -> ProviderResponse:
        """The reply with another edit in the place of one of its own."""
        arguments = {
            "path": edit.path,
            "old_string": edit.old if old is None else old,
            "new_string": edit.new if new is None else new,
        }
        return self.with_call(edit.place, "edit_file", arguments)


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """An edit that the oracle is about to make, and its place among the calls of the reply."""

    place: int
    path: str
    old: str
    new: str


Spoil = Callable[[Moment], "ProviderResponse | None"]
"""Makes one kind of mistake; None where the reply has no place for it."""
