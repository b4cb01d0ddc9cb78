"""Opens the main job's session: who is asked, with which tools, and what the model is told first.

The session itself knows no task; here the run's facts become its messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import events
from .asking import Asker, Asking
from .book import RunBook, Surroundings
from .calls import SessionTools
from .context.beside import ContextBeside, ContextLater
from .errors import ToolsUnsupported
from .guards.contracts.contract import Contract
from .limits import Ledger
from .messages import ResponseSchema
from .prompts import opening
from .providers.choose import Choice, price_list
from .session import Session
from .tools import skill_section
from .tools.costs import cost_line
from .workshop import Workshop


def open_session(
    workshop: Workshop,
    ledger: Ledger,
    book: RunBook,
    surroundings: Surroundings,
    pending: ContextBeside | ContextLater | None = None,
) -> Session:
    """A session at its start; what is offered and shown first is told.

    Args:
        pending: the context on its way; None where none is wanted.

    Raises:
        ToolsUnsupported: no provider of the run can call tools.
    """
    prepared = workshop.prepared
    first = prepared.choices[0]
    try:
        asker = Asker(_asking(workshop, ledger, book, surroundings))
    except ToolsUnsupported:
        book.emit(events.ToolsOffered((), first.provider.name, first.model))
        raise
    context = _context(workshop, book, surroundings, pending)
    names = tuple(str(schema["function"]["name"]) for schema in workshop.toolbox.schemas)
    book.emit(events.ToolsOffered(names, first.provider.name, first.model))
    asker.announce()
    tools = SessionTools(
        workshop.toolbox,
        book.redactor,
        surroundings.clock,
        book.emit,
        surroundings.cancelled,
        workshop.bench.abort,
        book.reasoning.add,
    )
    task = book.redactor.text(prepared.request.task)
    messages = opening(
        task,
        prepared.paths,
        prepared.checks,
        _promise(prepared.contract),
        context,
        tools=names,
        costs=cost_line(workshop.toolbox.tools),
        system=prepared.request.system,
    )
    return Session(asker, messages, tools, ledger, _answer_form(prepared.choices))


def _context(
    workshop: Workshop, book: RunBook, surroundings: Surroundings, pending: ContextBeside | ContextLater | None
) -> str:
    """The text of the context pack, redacted; what it shows in full counts as read, its rules can be asked for."""
    if pending is None:
        return ""
    from .context.build import to_json

    built = pending.result(surroundings.cancelled)
    told: dict[str, Any] = book.redactor.value(to_json(built.context)) if built.context else {}
    frame = told.pop("frame", None)
    book.emit(events.ContextBuilt(frame, told or None, built.duration_ms, book.redactor.text(built.failure)))
    if built.context is None:
        return ""
    pack = built.context.pack
    if not getattr(workshop.prepared.choices[0].provider, "follows_script", False):
        for path in pack.full:
            workshop.toolbox.workspace.mark_seen(path)
    if pack.conventions:
        workshop.toolbox.offer(skill_section.TOOL)
    return str(told["text"])


def _asking(workshop: Workshop, ledger: Ledger, book: RunBook, surroundings: Surroundings) -> Asking:
    prepared = workshop.prepared
    return Asking(
        prepared.choices,
        ledger,
        surroundings.clock,
        book.emit,
        book.redactor,
        price_list(prepared.settings),
        prepared.settings.tool_protocol,
        surroundings.cancelled,
        pacing=surroundings.pacing,
    )


def _promise(contract: Contract) -> str:
    """What the model is told of the contract; the table of contracts is loaded only where one is promised."""
    if contract.is_open:
        return ""
    from .guards.contracts.table import explain

    return explain(contract)


def _answer_form(choices: Sequence[Choice]) -> ResponseSchema | None:
    """The form of the last reply, where one of the providers can be held to it."""
    if not any(getattr(choice.provider, "asks_for_form", False) for choice in choices):
        return None
    from .outputs.answer import answer_schema

    return answer_schema()
