"""Repeats a recorded run offline: the same tree, or the first difference.

It is the run itself, with the same tools, checks and verification, in a throwaway worktree on the recorded base; only
the replies come from the record. Nothing is delivered and nothing kept: the books are kept in a folder that goes.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.patch import list_changes
from orefactor.sandbox.repository import Repository

from .book import RunBook, Surroundings
from .comparison import Comparison, Difference, Diverged
from .context.beside import context_beside
from .conversation import open_session
from .errors import Cancelled, ProviderFailed, RunStopped
from .limits import Ledger
from .providers.repeated import ENDED, RepeatedProvider
from .recording import Recording, kept_tree, recorded_base, recorded_options
from .redact import printable
from .request import Prepared, RunRequest, prepare
from .review.result_review import recorded_reviewer
from .trace import PATCH, REJECTED, RunFolder
from .trace_model import Trace
from .verify import Verifier
from .workshop import open_workshop

if TYPE_CHECKING:
    from .judging import Judgement


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of it.

    Attributes:
        base: the base's tree.
        recorded_tree: the tree that the trace names; None where the recorded run came to none.
        tree: the one of this time; None where it ended before.
        rounds: replies that were played.
        calls: calls that gave the same answers.
        difference: the first one; None where there is none.
        ended: how the recorded run ended where it came to no tree: its reason, such as `limit:max_tokens`.
        unknown_checks: required checks of the project's own, which were not run.
    """

    run_id: str
    base: str
    recorded_tree: str | None
    tree: str | None
    rounds: int
    calls: int
    difference: Difference | None
    ended: str
    unknown_checks: tuple[str, ...]


def replay(
    repository: Repository, recording: Recording, options: Mapping[str, Any], surroundings: Surroundings | None = None
) -> Replayed:
    """Repeat a run with its own replies and settings.

    Args:
        options: settings of the isolation and the interpreter, by the names of `Settings`; they are never the trace's.

    Raises:
        UserError: the base isn't here (exit 7), a check can't run or no isolation for it (6), or the trace's settings
            are no settings (2).
        Cancelled: the caller asked to stop.
    """
    surroundings = surroundings or Surroundings()
    taken, unknown = recorded_options(recording.trace, repository, is_offline=True)
    provider = RepeatedProvider(recording.trace, is_free=False)
    request = RunRequest(
        recording.trace.task,
        repository.place,
        recording.trace.paths,
        # Whatever else the user has set for runs that ask somebody doesn't matter here.
        {**taken, "fallback": (), "max_cost": None, "model": _model(recording), **options},
        provider=provider,
        user_settings=True,
        base=recorded_base(repository, recording),
    )
    comparison = Comparison(recording.trace)
    surroundings = replace(surroundings, listeners=(*surroundings.listeners, comparison.listen))
    judged, difference = _repeat(prepare(request), recording, provider, surroundings)
    if judged is not None and difference is None:
        difference = _compare_end(repository, recording, provider, judged)
    base = recording.trace.base
    return Replayed(
        recording.run_id,
        base.tree if base else "",
        recording.trace.tree,
        judged.tree if judged else None,
        recording.replies - provider.left,
        comparison.calls,
        difference,
        "" if recording.trace.tree else printable(recording.trace.reason),
        tuple(unknown),
    )


def _model(recording: Recording) -> str:
    told = recording.trace.settings.get("model")
    return told if isinstance(told, str) and told else "replay"


def _repeat(
    prepared: Prepared, recording: Recording, provider: RepeatedProvider, surroundings: Surroundings
) -> tuple[Judgement | None, Difference | None]:
    """Do the work again; what it came to, or the first difference. Neither, where it ended as the record does."""
    try:
        return _work(prepared, recording.trace, provider, surroundings), None
    except Diverged as error:
        return None, error.difference
    except Cancelled:
        raise
    except RunStopped as error:
        return None, _compare_stop(recording, provider, error)


def _work(prepared: Prepared, trace: Trace, provider: RepeatedProvider, surroundings: Surroundings) -> Judgement:
    ledger = Ledger(prepared.settings.limits, surroundings.clock)
    with private_folder("replay-") as place, context_beside(prepared) as pending:
        # Two folders above it, which forgetting it takes along.
        folder = RunFolder(place / "orefactor" / "runs" / f"replay-{secrets.token_hex(6)}")
        folder.path.mkdir(parents=True)
        book = RunBook(prepared, folder, surroundings, "")
        try:
            with open_workshop(prepared, folder.run_id, ledger, book.redactor, surroundings.cancelled) as workshop:
                workshop.require_ready()
                workshop.baseline.start(prepared.checks)
                session = open_session(workshop, ledger, book, surroundings, pending)
                reviewer = recorded_reviewer(trace, book.emit, ledger, lambda: provider.left)
                return Verifier(workshop, session, book.redactor, book.emit, reviewer).run()
        finally:
            book.discard()


def _compare_stop(recording: Recording, provider: RepeatedProvider, error: RunStopped) -> Difference | None:
    """Whether it stopped where the recorded run did; a request that failed there is no reply that could be given."""
    trace = recording.trace
    if provider.left == 0 and trace.tree is None:
        asked_on = isinstance(error, ProviderFailed) and error.kind == ENDED
        if asked_on or error.reason == trace.reason:
            return None
    round_ = recording.replies + 1 - provider.left
    message = f"the run stops in round {round_}, where the recorded one did not: {error.message}"
    if isinstance(error, ProviderFailed) and error.kind == ENDED:
        message = f"the run asks for round {round_}, and the recorded one had {recording.replies}"
    was = f"{printable(trace.status)} ({printable(trace.reason)})"
    return Difference("end", message, was, f"{error.status} ({error.reason})", round_)


def _compare_end(
    repository: Repository, recording: Recording, provider: RepeatedProvider, judged: Judgement
) -> Difference | None:
    trace = recording.trace
    if provider.left:
        number = recording.replies + 1 - provider.left
        message = f"the run is done before round {number}, and the recorded one had {recording.replies}"
        passed = "nothing left to repair" if not judged.failures else printable("; ".join(judged.failures))[:300]
        return Difference("end", message, "another reply was asked for", passed, number)
    if trace.tree is None:
        message = "the run comes to its end, and the recorded one did not"
        return Difference("end", message, printable(trace.reason), f"the tree {judged.tree}")
    if trace.tree == judged.tree:
        return None
    return _tree_difference(repository, recording, judged.tree)


def _tree_difference(repository: Repository, recording: Recording, tree: str) -> Difference:
    git, base = repository.git, recording.trace.base
    was = printable(recording.trace.tree or "")[:64]
    recorded = kept_tree(git, recording, base.tree if base else "", (PATCH, REJECTED))
    changes = list_changes(git, recorded, tree) if recorded else ()
    if not changes:
        message = f"the run gives another tree than {was}, which is not in this repository"
        return Difference("tree", message, was, tree)
    first = min(changes, key=lambda change: change.path)
    path = printable(first.path)
    message = f"the run gives another tree; the first differing file is `{path}`"
    return Difference("tree", message, f"{was} ({first.old_id[:12]})", f"{tree} ({first.new_id[:12]})", path=path)
