"""The story of a run whose task is split: run the shards, merge what passed, and judge the merged change as one.

The whole is a run of its own with the usual books, and so is each shard, whose folder lies in the whole's. A shard that
fails is left out and named. Where the merged change doesn't pass although each part did, nothing is delivered: which
part is to blame nobody can say, and each is kept.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import replace

from orefactor.sandbox.worktree import remove_worktree

from ..book import RunBook, Surroundings
from ..context.beside import context_servers
from ..context.served import ContextServers
from ..errors import Cancelled, ExitCode, RunStopped, UserError
from ..gate import LeftOut
from ..judging import Judgement
from ..keys import whole_environment
from ..limits import Ledger
from ..messages import RunFacts, Usage
from ..providers.choose import Choice, choose_providers
from ..providers.quirks import OFFLINE
from ..redact import printable
from ..request import Prepared, count_lines
from ..result import RefactorResult
from ..shard_events import ShardEnded, ShardsPlanned
from ..verify import judge_and_tell
from ..workshop import Workshop
from .merging import merge
from .pacing import Pacing
from .plan import Plan, Shard
from .pool import Pool
from .share import Share

RunPart = Callable[[Prepared, Surroundings, str], RefactorResult]
"""Does one shard: what is prepared for it, its surroundings, its run's id."""


class Whole:
    """One run whose task is split."""

    def __init__(
        self, prepared: Prepared, plan: Plan, book: RunBook, surroundings: Surroundings, ledger: Ledger
    ) -> None:
        self._prepared = prepared
        self._plan = plan
        self._book = book
        self._surroundings = surroundings
        self._ledger = ledger
        self._first = secrets.randbelow(1 << 24)
        self._alive: set[str] = set()

    def run(self, workshop: Workshop, run_part: RunPart) -> Judgement:
        """Do all shards, and judge what came of them as one change.

        Raises:
            RunStopped: cancelled, or no shard passed: what the weightiest failure was.
        """
        self._book.emit(ShardsPlanned(len(self._plan.shards), self._plan.jobs, self._plan.others))
        ended = self._run_shards(workshop, run_part)
        passed = [(shard.path, end.tree) for shard, end in ended if end.status == "completed" and end.tree]
        failed = [end for _, end in ended if end.status != "completed"]
        if failed and len(failed) == len(ended):
            raise _all_failed(failed)
        tree = merge(workshop.worktree.git, self._prepared.base.commit, passed)
        workshop.adopt(tree)
        judged = judge_and_tell(workshop, self._book.redactor, self._book.emit, edits_known=False)
        return replace(judged, left_out=_left_out(failed))

    def _run_shards(self, workshop: Workshop, run_part: RunPart) -> list[tuple[Shard, ShardEnded]]:
        """All shards with how they ended, in order."""
        ended: list[tuple[Shard, ShardEnded]] = []
        contexts = context_servers(os.cpu_count() or 1)
        share = self._new_share(workshop, contexts)

        def work(shard: Shard) -> ShardEnded:
            return self._run_shard(shard, run_part, Surroundings((), pool.stopping.is_set, share.pacing.clock, share))

        def wake() -> None:
            workshop.bench.abort()
            self._break_off()

        pool = Pool(self._plan.by_size, self._plan.jobs, work, wake)
        try:
            with pool.results(self._surroundings.cancelled) as results:
                for shard, end in results:
                    self._book.emit(end)
                    ended.append((shard, end))
        finally:
            contexts.close()
            self._remove_left()
        if len(ended) < len(self._plan.shards):
            raise Cancelled
        return sorted(ended, key=lambda pair: pair[0].number)

    def _new_share(self, workshop: Workshop, contexts: ContextServers) -> Share:
        bench = workshop.bench
        pacing = Pacing(self._surroundings.clock)
        return Share(self._book.folder, self._ledger, pacing, bench.host, bench.base_host, contexts)

    def _run_shard(self, shard: Shard, run_part: RunPart, surroundings: Surroundings) -> ShardEnded:
        now = self._surroundings.clock.now()
        run_id = f"{now:%Y%m%dT%H%M%S}-{(self._first + shard.number) & 0xFFFFFF:06x}"
        self._alive.add(run_id)
        try:
            return _ended(shard, run_part(self._part(shard), surroundings, run_id))
        except (UserError, OSError) as error:
            return _unbegun(shard, error)
        finally:
            self._alive.discard(run_id)

    def _part(self, shard: Shard) -> Prepared:
        """What is prepared for the whole, for one file; providers that follow a script begin anew for each."""
        prepared = self._prepared
        request = replace(
            prepared.request,
            paths=(shard.path,),
            branch=None,
            apply=False,
            output=None,
            exit_code_for_changes=False,
            part_of=self._book.folder.run_id,
        )
        settings = prepared.settings.model_copy(update={"jobs": 1})
        part = replace(prepared, request=request, paths=(shard.path,), settings=settings, identities=None)
        choices = _choices(part)
        return replace(part, choices=choices, reviewer=choices[0].provider if prepared.reviewer else None)

    def _break_off(self) -> None:
        """Break off the requests that sessions wait for."""
        for choice in self._prepared.choices:
            abort: Callable[[], None] | None = getattr(choice.provider, "abort", None)
            if abort is not None:
                abort()

    def _remove_left(self) -> None:
        """Take away what belongs to shards that could not be woken."""
        for run_id in list(self._alive):
            remove_worktree(self._prepared.repository, run_id)


def _choices(part: Prepared) -> tuple[Choice, ...]:
    if part.request.provider is not None or not any(choice.provider.name in OFFLINE for choice in part.choices):
        return part.choices
    lines = lambda: count_lines(part.repository.git, part.base.commit, part.paths)  # noqa: E731 - asked when needed
    facts = RunFacts(" ".join(part.request.task.split()), part.paths, lines)
    return choose_providers(part.settings, facts, whole_environment())


def _ended(shard: Shard, result: RefactorResult) -> ShardEnded:
    trace = result.trace
    return ShardEnded(
        shard.number,
        (printable(shard.path),),
        trace.run_id,
        result.status,
        result.reason,
        int(result.exit_code),
        result.message,
        trace.files_changed,
        trace.tree,
        trace.iterations,
        Usage(**trace.usage.model_dump()),
        trace.cost_usd,
        trace.duration_ms,
    )


def _unbegun(shard: Shard, error: UserError | OSError) -> ShardEnded:
    code = error.exit_code if isinstance(error, UserError) else ExitCode.ENVIRONMENT
    said = error.message if isinstance(error, UserError) else str(error)
    paths = (printable(shard.path),)
    return ShardEnded(shard.number, paths, "", "error", "environment", int(code), said, (), None, 0, Usage(), 0.0, 0)


def _worst(failed: list[ShardEnded]) -> ShardEnded:
    """The one whose exit code is the highest; of several, the first."""
    return max(failed, key=lambda end: (end.exit_code, -end.number))


def _all_failed(failed: list[ShardEnded]) -> RunStopped:
    worst = _worst(failed)
    hint = f"see one of them: `git orefactor show {worst.run_id}`" if worst.run_id else "see `git orefactor doctor`"
    message = f"none of the {len(failed)} shards passed; {', '.join(worst.paths)}: {worst.message}"
    return RunStopped(worst.status, worst.reason, message, hint=hint, exit_code=ExitCode(worst.exit_code))


def _left_out(failed: list[ShardEnded]) -> LeftOut | None:
    if not failed:
        return None
    worst = _worst(failed)
    return LeftOut(tuple(path for end in failed for path in end.paths), worst.reason, ExitCode(worst.exit_code))
