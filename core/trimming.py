"""What a change can do without: points out the hunks that nobody asked for, and drops what keeps all checks green.

How hunks are sorted and searched is in `minimal/`; here the worktree is made to hold each choice, and judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orefactor.sandbox.errors import Refused

from .events import ChangeMinimized, Listener, SpareHunksFound
from .guards.change import FileChange
from .judging import judge_worktree
from .minimal.hunks import Hunk, combine, split
from .minimal.minimize import Budget, minimize
from .minimal.spare import Intent, SpareHunk, named_in_edits, point_out, read_hunks, sort_out
from .minimal.trim import put
from .redact import printable
from .workshop import Workshop

_MOST_TOLD = 50
_MAX_TRIALS = 40
_SHARE = 0.5
"""Of the run's time that is left."""


class Trimmer:
    """The change of one worktree."""

    def __init__(self, workshop: Workshop, files: Sequence[FileChange]) -> None:
        self._workshop = workshop
        self._files = files
        edits = [edit for edits in workshop.toolbox.workspace.edits.values() for edit in edits]
        named = named_in_edits(text for edit in edits for text in (edit.old or "", edit.new))
        intent = Intent(workshop.prepared.request.task, named, workshop.prepared.paths)
        self._spare = self._spare_hunks(intent)

    def point_out(self, emit: Listener) -> None:
        """Tell the hunks that nobody asked for."""
        if self._spare:
            told = ((printable(s.path), s.line, printable(s.symbol or ""), s.why) for s in self._spare[:_MOST_TOLD])
            emit(SpareHunksFound(tuple(told)))

    def trim(self, emit: Listener) -> bool:
        """Drop hunks that nobody asked for and whose removal keeps guards, contract and checks green; whether any went.

        What the task names stays, and what that needs: most of what a task asks for could go without any check's
        noticing. The worktree holds what is left.
        """
        hunks = split(self._files)
        budget = Budget(_MAX_TRIALS, self._workshop.seconds_left() * _SHARE)
        found = minimize(hunks, [[spare.hunk for spare in self._spare]], self._passes, budget)
        put(self._workshop.root, self._files, combine(self._files, found.kept))
        dropped = tuple((printable(h.path), h.line) for h in hunks if h not in found.kept)
        emit(ChangeMinimized(dropped[:_MOST_TOLD], found.trials, found.is_minimal))
        return bool(dropped)

    def _spare_hunks(self, intent: Intent) -> tuple[SpareHunk, ...]:
        """None unless the task's own words set hunks apart; a contract that is kept asks for all that it allows."""
        if not self._workshop.prepared.contract.is_open:
            return ()
        read = read_hunks(self._files)
        by_task = sort_out(self._files, replace(intent, edited_symbols=()), read)
        return point_out(self._files, intent, read) if "named" in by_task.values() else ()

    def _passes(self, kept: tuple[Hunk, ...]) -> bool:
        try:
            put(self._workshop.root, self._files, combine(self._files, kept))
        except Refused:
            return False
        judged = judge_worktree(self._workshop, edits_known=False)
        return bool(judged.changes) and not judged.failures
