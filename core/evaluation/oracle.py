"""A provider that knows the right change and plays the calls that make it.

So the harness is measured without a model: what it can't land with the right calls, no model can. It has the face of a
model and no other way to the files. It reads before it edits, hears what the tools answer (an edit that is refused is
sent again with more lines around it), checks, and ends with the answer that the prompt asks for. `faults.py` makes it
err.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orefactor.sandbox.errors import Refused

from ..code.edits import Edit
from ..errors import ProviderFailed
from ..messages import (
    Message,
    OnDelta,
    ProviderRequest,
    ProviderResponse,
    RunFacts,
    ToolCall,
    Usage,
    ignore_delta,
)
from .method_move import moved_to_top, read_move
from .mirror import Answered, Mirror
from .text_edits import NoEdits, changed_lines, edits_between

_MARGIN = 3
"""Lines above and below a place that are read with it."""
_PATIENCE = 5
"""Right calls in a row that may be refused."""
_FURTHER = re.compile(r"\[orefactor: .*go on with start_line=(\d+)\]\s*\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a file holds and is to hold; None for one that isn't there."""

    before: bytes | None
    after: bytes | None


class Oracle:
    """Plays the calls of one change.

    Attributes:
        name: that the trace shows.
        wanted: what it wants, by path.
        notices: whether it sees by itself that an accepted call did something else than it meant. A model doesn't:
            it takes what was accepted for what it wanted, and goes on.
    """

    name = "oracle"
    reads_context = False

    def __init__(self, wanted: Mapping[str, Wanted], *, edits_per_reply: int = 1, notices: bool = True) -> None:
        """Know the change.

        Args:
            wanted: by path, relative to the repository's top.
            edits_per_reply: calls that change something in one reply at most.
        """
        self.mirror = Mirror({path: each.before for path, each in wanted.items()})
        self.notices = notices
        self.wanted = dict(wanted)
        self._per_reply = edits_per_reply
        self._looked = False
        self._unread: list[tuple[str, int, int]] = []
        self._planned: dict[str, list[Edit]] = {}
        self._sent: set[str] = set()
        self._edits: dict[str, Edit] = {}
        self._refused = 0
        self._strayed = False
        self._checked = False
        self._made = 0

    def supports_function_calling(self) -> bool:
        """Calling tools is all that it can."""
        return True

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The next calls, or the answer where nothing is left to do.

        Raises:
            ProviderFailed: right calls are refused again and again, or the change can't be made with calls.
        """
        offered = {str(tool["function"]["name"]) for tool in request.tools}
        try:
            for answered in self.mirror.listen(request.messages):
                self._hear(answered)
            calls = self._reads() or self._changes() or self._checks(offered)
        except (NoEdits, Refused) as error:
            raise _stuck(str(error)) from error
        if calls:
            self._sent.update(call.id for call in calls)
            return ProviderResponse(Message("assistant", None, calls), "tool_calls", Usage(requests=1), self.name)
        on_delta(ANSWER)
        return ProviderResponse(Message("assistant", ANSWER), "stop", Usage(requests=1), self.name)

    def disown(self, reply: ProviderResponse) -> None:
        """Something else was sent in place of this reply, so that a refusal says nothing of its calls."""
        self._sent.difference_update(call.id for call in reply.tool_calls)

    @property
    def digest(self) -> str:
        """A digest of the change, 64 hex digits."""
        wanted = [(path, repr(each.before), repr(each.after)) for path, each in sorted(self.wanted.items())]
        return hashlib.sha256(repr(wanted).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def has_changed(self) -> bool:
        """Whether anything is other than it was."""
        return any(self.mirror.files[path] != each.before for path, each in self.wanted.items())

    def _hear(self, answered: Answered) -> None:
        call, path = answered.call, answered.path
        self._checked = self._checked or call.name == "run_check"
        if not answered.is_done:
            if call.id in self._sent:
                self._refuse(path, answered.answer)
            return
        self._refused = 0
        if call.name == "read_file":
            self._read(answered)
        if call.name == "edit_file" and self._planned.get(path):
            self._take(path, call.id)

    def _read(self, answered: Answered) -> None:
        """Lines were read, or the first of them; the answer says where to go on."""
        first, last = answered.arguments.get("start_line"), answered.arguments.get("end_line")
        found = _FURTHER.search(answered.answer)
        for place in [place for place in self._unread if place == (answered.path, first, last)]:
            self._unread.remove(place)
            if found and int(found[1]) <= place[2]:
                self._unread.append((answered.path, int(found[1]), place[2]))

    def _take(self, path: str, call_id: str) -> None:
        """An edit was carried out: the planned one, or something else in its place."""
        planned, done = self._planned[path], self.mirror.edits[path][-1]
        if done in planned:
            planned.remove(done)
            return
        self._strayed = True
        if self.notices:
            del self._planned[path]
            return
        meant = self._edits.get(call_id, planned[0])
        planned.remove(meant if meant in planned else planned[0])

    def _refuse(self, path: str, answer: str) -> None:
        """A right call was refused: it is made anew, with more around it."""
        self._refused += 1
        if self._refused >= _PATIENCE:
            raise _stuck(f"right calls are refused: {answer[:500]}")
        if self.notices or not self._strayed:
            self._planned.pop(path, None)

    def _reads(self) -> tuple[ToolCall, ...]:
        if not self._looked:
            self._looked = True
            self._unread = [place for path, each in self.wanted.items() for place in _places(path, each)]
        return tuple(
            self._call("read_file", path=path, start_line=first, end_line=last) for path, first, last in self._unread
        )

    def _changes(self) -> tuple[ToolCall, ...]:
        calls = [call for path in self.wanted for call in self._changes_of(path)]
        return tuple(calls[: self._per_reply])

    def _changes_of(self, path: str) -> Sequence[ToolCall]:
        now, after = self.mirror.files[path], self.wanted[path].after
        if path not in self._planned or (self.notices and not self._planned[path]):
            if now == after:
                return ()
            if after is None:
                return (self._call("delete_file", path=path),)
            if now is None:
                return (self._call("write_file", path=path, content=after.decode()),)
            self._planned[path] = list(edits_between(now, after, path, context=self._refused))
        edits = self._planned[path][: self._per_reply]
        calls = [self._call("edit_file", path=path, old_string=each.old, new_string=each.new) for each in edits]
        self._edits |= {call.id: edit for call, edit in zip(calls, edits, strict=True)}
        return calls

    def _checks(self, offered: set[str]) -> tuple[ToolCall, ...]:
        sources = [path for path, each in self.wanted.items() if path.endswith(".py") and each.after is not None]
        if self._checked or "run_check" not in offered or not sources:
            return ()
        return (self._call("run_check", command=f"py_compile {sources[0]}"),)

    def _call(self, tool: str, **arguments: Any) -> ToolCall:  # noqa: ANN401 - JSON
        self._made += 1
        return ToolCall(f"oracle{self._made:05d}", tool, json.dumps(arguments, ensure_ascii=False))


ANSWER = json.dumps({"title": "Make the change that was asked for", "summary": "As the task says.", "follow_ups": []})
"""Its last words, and those of one that claims to be done."""


def move_oracle(facts: RunFacts, tree: Path) -> Oracle:
    """An oracle for a task of aider's refactor benchmark.

    Args:
        facts: of the run: the task's text, and the one file that may change.
        tree: the folder that holds the file.

    Raises:
        ValueError: it is no such task, or the file has no such method.
        OSError: the file can't be read.
    """
    move = read_move(facts.task)
    if move is None or len(facts.paths) != 1:
        raise ValueError("the oracle knows only tasks that make a method of one file a function")
    path = facts.paths[0]
    before = (tree / path).read_bytes()
    return Oracle({path: Wanted(before, moved_to_top(before, path, move))})


def _stuck(why: str) -> ProviderFailed:
    return ProviderFailed("oracle_stuck", f"the oracle can't go on: {why}", hint="report it: the right calls must land")


def _places(path: str, wanted: Wanted) -> list[tuple[str, int, int]]:
    """The lines of a file that have to be looked at, with some around them; places close together are one."""
    if wanted.before is None or wanted.before == wanted.after:
        return []
    if wanted.after is None:
        return [(path, 1, 1)]
    count = max(1, wanted.before.count(b"\n"))
    found: list[tuple[str, int, int]] = []
    for lines in changed_lines(wanted.before, wanted.after, path):
        first, last = max(1, lines.start + 1 - _MARGIN), min(count, lines.stop + _MARGIN)
        if found and first <= found[-1][2] + 1:
            first = found.pop()[1]
        found.append((path, min(first, count), max(last, min(first, count))))
    return found
