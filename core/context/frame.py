"""The request frame: what a request is about, before any model is asked, as a pure function of it and of known names.

What type of task it is comes from `task_types.py`, what its words name from `linking.py`. The contract itself is read
from the whole text, in `promise.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..code.words import fold
from .linking import LABELS, LinkedEntity, link
from .plain_words import PLAIN_WORDS, is_plain_word
from .task_types import SUBJECTS, TASK_TYPES, TaskName, TaskType, checked, classify, task_type

if TYPE_CHECKING:
    from ..index.symbol_index import SymbolIndex

__all__ = [
    "LABELS",
    "PLAIN_WORDS",
    "SUBJECTS",
    "TASK_TYPES",
    "LinkedEntity",
    "RequestFrame",
    "TaskName",
    "TaskType",
    "analyze_request",
    "fold",
    "is_plain_word",
    "task_type",
]


@dataclass(frozen=True, slots=True)
class RequestFrame:
    """What a request is about.

    Attributes:
        entities: the words that name something known, in the order of the text.
        budget: tokens that the context pack may have.
        requester: who asks, as given.
    """

    task_type: TaskName
    entities: tuple[LinkedEntity, ...] = ()
    budget: int = 0
    requester: str = "agent"


def analyze_request(
    text_or_payload: str | Mapping[str, Any],
    *,
    repo: SymbolIndex,
    task_type: TaskName | None = None,
    budget: int,
    requester: str,
) -> RequestFrame:
    """What a request is about: the same request and the same names give the same frame.

    Args:
        text_or_payload: a text, or a mapping with a `subject`, which is looked up in `SUBJECTS`, and a text under
            `text`, `target` or `description`, of which the first that isn't empty counts; all are optional.
        repo: the symbols of the tree that the request is about.
        task_type: decides in place of subject and text.
        budget: tokens that the context pack may have.
        requester: who asks; carried through unchanged.

    Raises:
        ValueError: `task_type` is none of `TASK_TYPES`.
    """
    subject, text = _taken_apart(text_or_payload)
    name = classify(subject, text) if task_type is None else checked(task_type)
    return RequestFrame(name, link(text, repo), budget, requester)


def _taken_apart(request: str | Mapping[str, Any]) -> tuple[str, str]:
    if isinstance(request, str):
        return "", request
    values = (str(request.get(key) or "") for key in ("text", "target", "description"))
    return str(request.get("subject") or ""), next((value for value in values if value.strip()), "")
