"""Gives the verdict of an earlier review again where nobody was offered a tool, so that the request says everything.

A reply is never taken from what is kept where tools were offered: what the model would ask for can't be known. Without
tools the request holds the whole change and the results of all checks, so the same request, model and settings mean the
same verdict. What blocks is judged anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from orefactor import __version__

from ..messages import Message
from ..providers.quirks import OFFLINE
from ..redact import printable
from ..request import Prepared
from ..reuse_store import ReuseStore
from ..trace import RunFolder
from ..trace_model import Trace
from .answer import Unreadable, read_answer
from .deliberation import Heard


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """What an earlier review heard, and its run's id."""

    run_id: str
    heard: Heard


class VerdictReuse:
    """The reuse of verdicts in one review."""

    def __init__(self, prepared: Prepared) -> None:
        """Look at nothing yet."""
        self._prepared = prepared
        self._store = ReuseStore(prepared.repository.common_dir)
        first = prepared.choices[0].provider.name if prepared.choices else ""
        is_asked = bool(first) and first not in OFFLINE and prepared.request.provider is None
        self._is_wanted = prepared.settings.reuse and is_asked
        self._key = ""

    def get(self, messages: Sequence[Message]) -> KeptVerdict | None:
        """The verdict on the very same request; None where there is none. The request is remembered for `keep`."""
        if not self._is_wanted:
            return None
        self._key = self._key_of(messages)
        kept = self._store.get(self._key)
        if kept is None or not kept.rounds:
            return None
        text = kept.rounds[-1].text
        try:
            return KeptVerdict(kept.run_id, Heard(read_answer(text), text))
        except Unreadable:
            return None

    def keep(self, folder: RunFolder, trace: Trace) -> None:
        """Remember a review whose model has answered."""
        review = trace.review
        if self._key and review is not None and review.outcome == "reviewed" and trace.rounds:
            self._store.put(self._key, folder)

    def _key_of(self, messages: Sequence[Message]) -> str:
        settings = self._prepared.settings
        facts = (
            "review",
            __version__,
            [(message.role, message.content) for message in messages],
            [(choice.provider.name, choice.model) for choice in self._prepared.choices],
            settings.base_url,
            settings.servers,
            settings.max_output_tokens,
        )
        return hashlib.sha256(printable(json.dumps(facts, sort_keys=True)).encode()).hexdigest()
