"""The story of one review: take the change, run what must run, let the model look, judge, close the trace."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace

from orefactor.sandbox.patch import list_changes
from orefactor.sandbox.shield import Stopped

from .. import events
from ..asking import Asker
from ..bench import Bench, Compared, open_bench
from ..book import RunBook, Surroundings
from ..checks.result import ChangedFiles, CheckResult
from ..checks.targets import changed_files
from ..context.conventions import Section, sections_of
from ..endings import broken, cancelled
from ..errors import Cancelled, RunStopped, ToolError, UserError
from ..patch_hunks import read_patch
from ..redact import printable
from ..telling import tell
from ..tools.base import AnyTool, Need, Scope, Workspace
from ..tools.toolbox import Toolbox
from ..verify import finished, located, probed
from ..worktree_index import worktree_index
from .check_tools import CheckTools
from .closing import close_review
from .deliberation import Deliberation, Heard, limits_of, open_asker, results_digest
from .prompt import opening
from .request import PreparedReview, ReviewRequest, prepare_review
from .result import Reviewed, ReviewResult
from .reuse import VerdictReuse
from .tools import observing

_ALWAYS_OFFERED = ("ruff",)
"""It serves any project, as we bring our own."""


def review(request: ReviewRequest, surroundings: Surroundings | None = None) -> ReviewResult:
    """Review a change.

    Returns:
        The result; limits, provider failures and cancellation are results too.

    Raises:
        UserError: bad input, said before anything was made.
    """
    surroundings = surroundings or Surroundings()
    ready = prepare_review(request)
    now = surroundings.clock.now()
    common_dir = ready.prepared.repository.common_dir
    began = request.part_of.partition("-")[0] or f"{now:%Y%m%dT%H%M%S}"
    folder = surroundings.new_folder(common_dir, f"{began}-{secrets.token_hex(3)}")
    shown = {"review": asdict(ready.prepared.settings.review)}
    book = RunBook(ready.prepared, folder, surroundings, now.isoformat(), shown)
    return _Review(ready, book, surroundings).tell(is_part=bool(request.part_of))


class _Review:
    """One review, from the first event to the last."""

    def __init__(self, ready: PreparedReview, book: RunBook, surroundings: Surroundings) -> None:
        self._ready = ready
        self._prepared = ready.prepared
        self._change = ready.change
        self._book = book
        self._surroundings = surroundings
        settings = ready.prepared.settings
        self._ledger = surroundings.new_ledger(limits_of(settings, settings.review))
        self._reuse = VerdictReuse(ready.prepared)

    def tell(self, *, is_part: bool) -> ReviewResult:
        """Work, judge, and close the trace, whatever happens; `is_part`: of a run, which a signal ends as well."""
        return tell(self._book, self._work, self._finish, is_part=is_part)

    def _work(self) -> tuple[Reviewed | None, RunStopped | None]:
        self._tell_change()
        if not self._change.paths:
            return Reviewed(Heard()), None
        try:
            return self._look(), None
        except RunStopped as error:
            return None, error
        except (Stopped, KeyboardInterrupt) as error:
            return None, cancelled(error)
        except (UserError, OSError) as error:
            if not self._book.record.rounds:
                raise
            return None, broken(error)

    def _tell_change(self) -> None:
        change = self._change
        self._book.emit(
            events.ChangeTaken(
                self._book.redactor.text(printable(change.source)),
                change.before,
                change.before_tree,
                change.after.commit,
                change.after.tree,
                tuple(map(printable, change.paths)),
                change.changed_lines,
                change.digest,
            )
        )

    def _look(self) -> Reviewed:
        prepared, change = self._prepared, self._change
        compared = Compared(change.before, change.before_tree)
        run_id, cancelled = self._book.folder.run_id, self._surroundings.cancelled
        with open_bench(prepared, run_id, self._ledger, cancelled, compared, _ALWAYS_OFFERED) as bench:
            try:
                if prepared.settings.python is not None:
                    _ = bench.host.environment
                for name in prepared.checks:
                    bench.host.require(name)
                bench.baseline.start(prepared.checks)
                return self._discuss(bench)
            finally:
                for said in (probed(bench.host), located(bench.host)):
                    if said is not None:
                        self._book.emit(said)

    def _discuss(self, bench: Bench) -> Reviewed:
        """Run the required checks, then let the model look; with tools only where it can call them."""
        prepared, change = self._prepared, self._change
        changes = list_changes(bench.worktree.git, change.before, change.after.commit)
        wanted = set(change.paths)
        changed = changed_files(bench.root, [each for each in changes if each.path in wanted])
        asker = None
        if prepared.settings.review.enabled:
            asker = open_asker(prepared, self._ledger, self._book, self._surroundings, has_tools=True)
        first = prepared.checks if asker else (*prepared.checks, *bench.on_demand)
        checks = self._run_first(bench, first, changed)
        tools = CheckTools(bench, changed, self._tell_check)
        heard = self._ask(asker, bench, tools, checks)
        checks += tools.results
        if asker is not None:
            self._end_deliberation(heard)
            checks += self._run_undecided(bench, heard, changed)
        contents = {path: bench.root.read(path).data for path in changed.paths}
        return Reviewed(heard, tuple(checks), contents)

    def _run_first(self, bench: Bench, names: Sequence[str], changed: ChangedFiles) -> list[CheckResult]:
        self._book.emit(events.ChecksStarted(tuple(names)))
        try:
            ran = bench.run_required(names, changed, self._tell_ended)
        except ToolError as error:
            hint = "see `git orefactor doctor`"
            raise broken(UserError(f"the tree before the change could not be checked: {error}", hint=hint)) from error
        required = set(self._prepared.checks)
        results = [replace(result, required=result.name in required) for result in ran]
        for result in results:
            self._tell_check(result)
        return results

    def _tell_ended(self, check: CheckResult) -> None:
        self._book.emit(events.CheckEnded(check.name, check.outcome))

    def _tell_check(self, check: CheckResult) -> None:
        self._book.emit(finished(check, self._book.redactor))

    def _ask(self, asker: Asker | None, bench: Bench, tools: CheckTools, checks: Sequence[CheckResult]) -> Heard:
        book, prepared = self._book, self._prepared
        workspace = Workspace(bench.root, Scope(self._change.paths), cancelled=bench.is_stopping)
        workspace.index = worktree_index(prepared, workspace)
        rules: tuple[Section, ...] = ()
        offered: dict[str, AnyTool] = {}
        if asker is not None:
            rules = sections_of(workspace.index(), self._change.paths)
            there: tuple[Need, ...] = ("index", "sections") if rules else ("index",)
            offered = {**observing(there, self._change.paths), **tools.tools}
        toolbox = Toolbox(offered, workspace, book.redactor)
        told = opening(self._change.source, read_patch(self._change.patch), checks, toolbox.tools, rules)
        messages = [replace(each, content=book.redactor.text(each.content or "")) for each in told]
        first = prepared.choices[0]
        book.emit(events.ToolsOffered(tuple(offered), first.provider.name, first.model))
        if asker is None:
            kept = self._reuse.get(messages)
            if kept is not None:
                book.emit(events.VerdictReused(kept.run_id))
                return kept.heard
            asker = open_asker(prepared, self._ledger, book, self._surroundings, has_tools=False)
            assert asker is not None
        asker.announce()
        return Deliberation(asker, toolbox, self._ledger, book, self._surroundings).hear(messages)

    def _end_deliberation(self, heard: Heard) -> None:
        record = self._book.record
        called, offered = {call.name for call in record.calls}, record.offered.names if record.offered else ()
        self._book.emit(
            events.DeliberationEnded(
                self._book.redactor.text(heard.undecided),
                heard.limit,
                tuple(name for name in offered if name in called),
                () if heard.undecided else tuple(name for name in offered if name not in called),
                len(record.rounds),
                record.usage.total,
                results_digest(record.calls),
            )
        )

    def _run_undecided(self, bench: Bench, heard: Heard, changed: ChangedFiles) -> list[CheckResult]:
        """Nobody has decided which checks are worth their cost, so all of them run."""
        if not heard.undecided or isinstance(heard.stopped, Cancelled):
            return []
        requested = {call.name for call in self._book.record.calls if call.status != "refused"}
        ran: list[CheckResult] = []
        with suppress(ToolError, UserError):  # what stopped the review is what has to be said
            ran = bench.run_undecided(requested, changed)
        for result in ran:
            self._tell_check(result)
        return ran

    def _finish(self, came: Reviewed | None, stopped: RunStopped | None) -> ReviewResult:
        result = close_review(self._ready, self._book, came, stopped)
        self._reuse.keep(self._book.folder, result.trace)
        return result
