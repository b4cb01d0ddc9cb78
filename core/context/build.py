"""Builds the context of a task: the frame, what is chosen from the tree for it, and that as text; no model is asked.

A worker process builds it for a run and hands it over as JSON, so it is read strictly: whatever was read from a
repository may have taken that process over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..index.symbol_index import SymbolIndex
from ..redact import printable
from .conventions import sections_of
from .frame import RequestFrame, TaskName, analyze_request
from .pack import ContextPack, pack
from .select import select


@dataclass(frozen=True, slots=True)
class Context:
    """What a task is about, and what the model is shown of it."""

    frame: RequestFrame
    pack: ContextPack


def build_context(
    text_or_payload: str | Mapping[str, Any],
    *,
    targets: Sequence[str],
    index: SymbolIndex,
    budget: int,
    requester: str = "agent",
    task_type: TaskName | None = None,
) -> Context:
    """The context of a task: the same input gives the same bytes in any process and on any machine.

    Args:
        text_or_payload: the task, as `analyze_request` takes it.
        targets: paths of files and folders that it is about; none, or the top, for the whole tree.
        index: of the tree.
        budget: tokens that the text may have by `count_tokens`.
        requester: who asks; carried through.
        task_type: decides in place of the text.

    Raises:
        ValueError: no such type of task.
    """
    frame = analyze_request(text_or_payload, repo=index, task_type=task_type, budget=budget, requester=requester)
    if budget <= 0:
        return Context(frame, ContextPack("", budget, 0, (), 0, (), "", (), ()))
    chosen = select(frame, targets, index)
    return Context(frame, pack(chosen, index, budget, sections_of(index, targets)))


def to_json(context: Context) -> dict[str, Any]:
    """The context as JSON has it, items with the highest score first."""
    return {"frame": asdict(context.frame), **asdict(context.pack)}


def context_from_json(data: str | bytes) -> Context:
    """Read what `to_json` gave; parts of names that are no UTF-8 come back spelled out.

    Raises:
        ValueError: it is anything else.
    """
    from pydantic import TypeAdapter

    try:
        told = _plain(json.loads(data))
        frame = TypeAdapter(RequestFrame).validate_json(json.dumps(told.get("frame")), strict=True)
        rest = json.dumps({name: value for name, value in told.items() if name != "frame"})
        context = Context(frame, TypeAdapter(ContextPack).validate_json(rest, strict=True))
    except (AttributeError, RecursionError) as error:
        raise ValueError("no context") from error
    if json.dumps(to_json(context), sort_keys=True) != json.dumps(told, sort_keys=True):
        raise ValueError("a context with unknown fields")
    return context


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON in, JSON out
    match value:
        case str():
            return printable(value)
        case list():
            return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        case dict():
            return {printable(str(key)): _plain(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
        case _:
            return value
