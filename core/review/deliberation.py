"""The model's part of a review: asked with tools within the limits of a deliberation, or once without any."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import events
from ..asking import Asker, Asking
from ..book import RunBook, Surroundings
from ..calls import SessionTools
from ..errors import LimitReached, RunStopped, ToolsUnsupported
from ..limits import Ledger, Limits
from ..messages import Message
from ..prompts import told
from ..providers.choose import price_list
from ..request import Prepared
from ..review_settings import ReviewSettings
from ..session import Session
from ..settings import Settings
from ..tools.toolbox import Toolbox
from .answer import ReviewAnswer, Unreadable, read_answer, review_schema

LIMIT_NAMES: Mapping[str, str] = {
    "max_iterations": "max_rounds",
    "max_tokens": "max_cost_tokens",
    "tool_timeout": "per_tool_timeout_seconds",
}
"""The ledger's limits by the names that they have in a deliberation."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the model said.

    Attributes:
        answer: None where it gave none that can be read, or where a limit was reached.
        text: the answer as it was written.
        unreadable: why an answer can't be read.
        limit: the limit of the deliberation that was reached.
        stopped: what else ended it.
    """

    answer: ReviewAnswer | None = None
    text: str = ""
    unreadable: str = ""
    limit: str = ""
    stopped: RunStopped | None = None

    @property
    def undecided(self) -> str:
        """Why the model has decided nothing about the tools that it was offered; empty where it has."""
        return "" if self.stopped is None else self.stopped.message


def limits_of(settings: Settings, review: ReviewSettings) -> Limits:
    """What a review may use; without deliberation it is one call, within the general limits."""
    limits = settings.limits
    return Limits(
        review.max_rounds if review.enabled else 1,
        min(review.max_cost_tokens, limits.max_tokens) if review.enabled else limits.max_tokens,
        limits.max_seconds,
        limits.max_output_tokens,
        review.per_tool_timeout_seconds,
        limits.max_cost,
    )


def open_asker(
    prepared: Prepared, ledger: Ledger, book: RunBook, surroundings: Surroundings, *, has_tools: bool
) -> Asker | None:
    """Who is asked; None where tools are wanted and nobody can call any."""
    asking = Asking(
        prepared.choices,
        ledger,
        surroundings.clock,
        book.emit,
        book.redactor,
        price_list(prepared.settings),
        prepared.settings.tool_protocol,
        surroundings.cancelled,
        has_tools=has_tools,
    )
    try:
        return Asker(asking)
    except ToolsUnsupported:
        return None


class Deliberation:
    """One conversation on a change."""

    def __init__(
        self, asker: Asker, toolbox: Toolbox, ledger: Ledger, book: RunBook, surroundings: Surroundings
    ) -> None:
        """Take what it works with.

        Args:
            toolbox: the tools that are offered; none for a single call.
        """
        self._asker = asker
        self._toolbox = toolbox
        self._ledger = ledger
        self._book = book
        self._surroundings = surroundings

    def hear(self, messages: Sequence[Message]) -> Heard:
        """Ask until there is an answer, or something ends it."""
        session = self._session(messages)
        try:
            text = session.run()
            try:
                return Heard(read_answer(text), text)
            except Unreadable as error:
                return self._again(session, str(error))
        except LimitReached as error:
            return self._limited(error)
        except RunStopped as error:
            return Heard(stopped=error)

    def _again(self, session: Session, fault: str) -> Heard:
        """Once: an answer that can't be read is asked for again, where there is a round for it."""
        if not self._ledger.has_round:
            return Heard(unreadable=fault)
        session.say(told("review_form", fault=fault))
        text = session.run()
        try:
            return Heard(read_answer(text), text)
        except Unreadable as error:
            return Heard(unreadable=str(error))

    def _limited(self, error: LimitReached) -> Heard:
        if self._toolbox.tools:
            name = LIMIT_NAMES.get(error.limit, "")
            return Heard(limit=name) if name else Heard(stopped=error)
        if error.limit == "max_iterations":
            return Heard(unreadable="the reply was no answer, and there is but one")
        return Heard(stopped=error)

    def _session(self, messages: Sequence[Message]) -> Session:
        tools = SessionTools(
            self._toolbox,
            self._book.redactor,
            self._surroundings.clock,
            self._book.emit,
            self._surroundings.cancelled,
            keep_reasoning=self._book.reasoning.add,
            ends_on_timeout=True,
        )
        return Session(self._asker, messages, tools, self._ledger, review_schema(), must_call=False)


def results_digest(calls: Sequence[events.CallFinished]) -> str:
    """A digest, 64 hex digits, of what the executed calls gave, in order; empty where none was executed."""
    executed = [call.digest for call in calls if call.status == "executed"]
    return hashlib.sha256("\n".join(executed).encode()).hexdigest() if executed else ""
