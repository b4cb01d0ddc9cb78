"""Gives the result of an earlier run again, without a model, where everything that the model saw is as it was.

Found by task, scope with its content, settings that matter and versions; then the run is repeated on the present tree
with the recorded replies, and each answer and the context pack must be what they were. So a file outside of the scope
counts just where a call has looked at it. Guards, contract and checks judge as in any run: a reused result is as proven
as a fresh one. At the first difference the run starts anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from orefactor import __version__

from .comparison import Comparison
from .errors import Cancelled, RunStopped
from .events import Event, Listener, ReuseBegun, ReuseTried
from .prompts import digest as prompts_digest
from .providers.choose import Choice
from .providers.quirks import OFFLINE
from .providers.repeated import RepeatedProvider
from .redact import printable
from .request import Prepared
from .reuse_store import ReuseStore
from .tools import TOOL_SCHEMAS
from .trace import RunFolder
from .trace_model import Trace

if TYPE_CHECKING:
    from .judging import Judgement

_NO_TIME = "limit:max_seconds"


class Reuse:
    """The reuse of results in one run."""

    def __init__(self, prepared: Prepared, *, is_split: bool = False) -> None:
        """Begin; `is_split`: each shard has a reuse of its own, and the whole has none."""
        self._prepared = prepared
        self._key = reuse_key(prepared) if not is_split and is_wanted(prepared) else ""
        self._store = ReuseStore(prepared.repository.common_dir)
        self._comparison: Comparison | None = None

    @property
    def is_trying(self) -> bool:
        """Whether recorded replies are played now."""
        return self._comparison is not None

    def listen(self, event: Event) -> None:
        """Compare one event of a repeated run.

        Raises:
            Diverged: the kept result doesn't hold here.
        """
        if self._comparison is not None:
            self._comparison.listen(event)

    def attempt(self, work: Callable[[Prepared], Judgement], emit: Listener) -> Judgement | None:
        """Repeat the kept run, if there is one; None where there is none, or its result doesn't hold here.

        Args:
            work: does the work of the run with the providers that it is given.

        Raises:
            RunStopped: cancelled, or no time is left.
        """
        kept = self._store.get(self._key) if self._key else None
        if kept is None:
            return None
        provider = RepeatedProvider(kept)
        choice = Choice(provider, self._prepared.choices[0].model)
        asked = kept.reused or kept.run_id
        emit(ReuseBegun(asked))
        judged: Judgement | None = None
        self._comparison = Comparison(kept)
        try:
            judged = work(replace(self._prepared, choices=(choice,)))
            difference = result_difference(kept, judged, provider.left, self._prepared.base.tree)
        except RunStopped as error:
            if isinstance(error, Cancelled) or error.reason == _NO_TIME:
                raise
            difference = error.message
        finally:
            self._comparison = None
        emit(ReuseTried(asked, difference))
        return None if difference else judged

    def keep(self, folder: RunFolder, trace: Trace) -> None:
        """Remember a run that ended well, for the next one that asks the same."""
        proven = trace.verified or not (trace.files_changed and self._prepared.checks)
        if self._key and trace.status == "completed" and proven:
            self._store.put(self._key, folder)


def result_difference(kept: Trace, judged: Judgement, left: int, base: str) -> str:
    """Why the result of a repeated run is not the kept one, in words; empty where it is.

    Args:
        left: replies that it had no use for.
        base: the tree that it started from.
    """
    if judged.failures:
        return "its result does not pass any more"
    if left:
        return "the run is done sooner than it was"
    changed = {path for change in judged.changes for path in (change.path, change.old_path) if path}
    if len(changed) != len(kept.files_changed):
        return "the run changes other files than it did"
    same_base = kept.base is not None and kept.base.tree == base
    return "the run gives another tree than it gave" if same_base and kept.tree != judged.tree else ""


def is_wanted(prepared: Prepared) -> bool:
    """Whether a run may be answered by an earlier one: somebody would be asked, and the user wants it so.

    A result that is reviewed is not: who wants a second opinion gets it of the result that comes now.
    """
    request, settings, first = prepared.request, prepared.settings, prepared.choices[0].provider.name
    is_own = request.provider is None and request.continues is None
    return settings.reuse and not settings.review_result and is_own and first not in OFFLINE


def reuse_key(prepared: Prepared) -> str:
    """A digest, 64 hex digits, of everything that decides what is asked and what may come of it.

    What a run may cost or take is no part of it, and neither is where checks run: they run again.
    """
    settings = prepared.settings
    facts = (
        __version__,
        prompts_digest(),
        TOOL_SCHEMAS,
        " ".join(prepared.request.task.split()),
        prepared.paths,
        _scope(prepared),
        [(choice.provider.name, choice.model) for choice in prepared.choices],
        settings.base_url,
        settings.servers,
        settings.tool_protocol,
        settings.context_tokens,
        prepared.contract.label,
        prepared.checks,
        [(own.name, own.argv) for own in prepared.own_checks],
        settings.allow,
        settings.minimize,
    )
    return hashlib.sha256(printable(json.dumps(facts, sort_keys=True)).encode()).hexdigest()


def _scope(prepared: Prepared) -> str:
    """The content of the paths that may change: modes and ids."""
    base = prepared.base
    if not prepared.paths or "." in prepared.paths:
        return base.tree
    listed = prepared.repository.git.run("ls-tree", "-z", "--full-tree", base.commit, "--", *prepared.paths)
    return hashlib.sha256(listed).hexdigest()
