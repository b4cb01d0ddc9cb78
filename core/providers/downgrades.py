"""What a request can do without, where the server names it.

One thing is left out once, for as long as the provider lives; a server that names another one then has refused. What
is left out is a change of the row, so that all later requests are spelled the same.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..messages import ProviderRequest
from .quirk_row import Quirks
from .refusals import Refusal

# "Unsupported parameter", "Extra inputs are not permitted", "Unrecognized request argument", and many more.
_REFUSED = re.compile(
    r"unsupported|not (?:\w+ )?(?:supported|permitted|allowed|recognized|implemented|accepted|valid)|unknown"
    r"|unrecogni[sz]ed|unexpected|extra[ _]|forbidden|invalid|(?:not|n't) support|cannot|can't"
)
_REASONING = re.compile(r"\breasoning(?:_content|_details)?\b|extra_content")
# "'messages.3.name'", "messages[3].name", "('body', 'messages', 3, 'tool', 'name')"
_NAME = re.compile(r"messages\W{1,4}\d+(?:\W{1,4}tool)?\W{1,4}name\b|property '?name'? is unsupported")
_OTHER = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


def without_refused(row: Quirks, refusal: Refusal, request: ProviderRequest, *, strict: bool) -> Quirks | None:
    """The row without what the server refuses; None where it names nothing that was sent or that can be left out.

    Args:
        row: as it was when the request was sent.
        refusal: what the server said.
        request: what was asked.
        strict: whether its tools were strict.
    """
    said = f"{refusal.said} {refusal.parameter} {refusal.code}".lower()
    if refusal.status not in (400, 422) or not _REFUSED.search(said):
        return None
    if row.stream_usage and ("stream_options" in said or "include_usage" in said):
        return replace(row, stream_usage=False)
    if _OTHER[row.max_tokens_field] in said or _names(said, row.max_tokens_field):
        return _with_other_ceiling(row, said, request)
    if "tool_choice" in said and request.tools and (row.tool_choice == "auto" or request.tool_choice):
        return replace(row, tool_choice="never")
    if strict and request.tools and ("strict" in said or "invalid schema for function" in said):
        return replace(row, strict_schemas="never")
    if row.named_results and _NAME.search(said) and any(message.name for message in request.messages):
        return replace(row, named_results=False)
    if row.reasoning_back and _REASONING.search(said) and any(message.reasoning for message in request.messages):
        return replace(row, reasoning_back=())
    return None


def _names(said: str, field: str) -> bool:
    return re.search(rf"\b{field}\b", said) is not None


def _with_other_ceiling(row: Quirks, said: str, request: ProviderRequest) -> Quirks | None:
    """The row with the other name of the ceiling, unless only its value was too high."""
    if request.max_tokens is None or re.search(r"too (?:large|high|big)|at most|less than|exceed|range", said):
        return None
    return replace(
        row, max_tokens_field="max_completion_tokens" if row.max_tokens_field == "max_tokens" else "max_tokens"
    )
