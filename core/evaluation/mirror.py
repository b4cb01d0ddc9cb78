"""What the files of a run hold by now, told from nothing but its messages.

Each call that a tool says it has carried out is carried out on a copy. So a provider that knows what it wants sees what
is left to do, whoever made the calls.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orefactor.sandbox.errors import Refused

from ..code.edits import Edit, replace_once, whole_file
from ..errors import ToolError
from ..messages import Message, ToolCall
from ..tools.validation import load_object

FAILED = "ERROR: "
"""How the answer of a call begins that was not carried out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A call and what the tool said of it."""

    call: ToolCall
    answer: str

    @property
    def is_done(self) -> bool:
        """Whether it was carried out."""
        return not self.answer.startswith(FAILED)

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The call's arguments; empty where they can't be read."""
        try:
            return load_object(self.call.arguments)
        except ToolError:
            return {}

    @property
    def path(self) -> str:
        """The path that it names, in its plain form; empty where it names none."""
        path = self.arguments.get("path")
        return posixpath.normpath(path) if isinstance(path, str) else ""


class Mirror:
    """A copy of some files that follows a conversation."""

    def __init__(self, files: Mapping[str, bytes | None]) -> None:
        """Begin with the files as the run finds them; None for one that isn't there."""
        self.files = dict(files)
        self.edits: dict[str, list[Edit]] = {}
        """What was edited so far, by path, in order."""
        self._heard = 0
        self._calls: dict[str, ToolCall] = {}

    def listen(self, messages: Sequence[Message]) -> list[Answered]:
        """Follow the messages that have come since the last time.

        Args:
            messages: the whole conversation, which only grows.

        Returns:
            The calls that were answered in them, in order.

        Raises:
            Refused: a tool says that it did what can't be done here.
        """
        answered: list[Answered] = []
        for message in messages[self._heard :]:
            self._calls |= {call.id: call for call in message.tool_calls}
            call = self._calls.get(message.tool_call_id or "")
            if message.role == "tool" and call is not None:
                answered.append(Answered(call, message.content or ""))
        self._heard = len(messages)
        for each in answered:
            if each.is_done:
                self._follow(each)
        return answered

    def _follow(self, done: Answered) -> None:
        path, arguments = done.path, done.arguments
        before = self.files.get(path)
        match done.call.name:
            case "edit_file" if path in self.files:
                edit = Edit(str(arguments["old_string"]), str(arguments["new_string"]))
                if before is None:
                    raise Refused(f"'{path}' isn't there, and yet an edit of it was carried out")
                self.files[path] = replace_once(before, path, edit.old or "", edit.new)
                self.edits.setdefault(path, []).append(edit)
            case "write_file" if path in self.files:
                self.files[path] = whole_file(before, path, str(arguments["content"]))
            case "delete_file" if path in self.files:
                self.files[path] = None
            case "move_file" if path in self.files:
                self.files[posixpath.normpath(str(arguments["new_path"]))] = before
                self.files[path] = None
            case _:
                pass
