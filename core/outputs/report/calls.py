"""Calls in a few words, and where the page tells of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...hunk_origins import arguments_of
from ...trace_model import CallPart, RoundPart, Trace
from .text import block, line

_NAMED = ("path", "new_path", "pattern", "symbol", "target", "rule_id", "command", "start_line", "end_line")
"""Arguments that tell what a call is about, in this order; the others are texts."""

MOST_ROUNDS = 300
"""Rounds that the page tells of."""
_MOST_ARGUMENTS = 20


def call_markup(call: CallPart) -> str:
    """The call on one line, such as `edit_file src/x.py`."""
    return f"<code>{line(call_words(call), 160)}</code>"


def call_words(call: CallPart) -> str:
    """The same as plain text."""
    values = arguments_of(call)
    named = [str(values[name]) for name in _NAMED if isinstance(values.get(name), str | int)]
    return " ".join([call.name, *(word for word in named if word)])


def arguments_markup(call: CallPart) -> str:
    """All arguments as a list, texts as they are."""
    values = arguments_of(call)
    if not values:
        return f"<pre>{block(_text(call.arguments))}</pre>" if call.arguments else ""
    rows = "".join(
        f"<dt>{line(str(name), 60)}</dt><dd><pre>{block(_text(value))}</pre></dd>"
        for name, value in list(values.items())[:_MOST_ARGUMENTS]
    )
    return f'<dl class="arguments">{rows}</dl>'


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    # A trace that was read is never too deep for this.
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def anchors(trace: Trace) -> dict[int, str]:
    """The id of the element that tells of a round, by the round's number; a stranger's trace may repeat one."""
    told = reversed(list(enumerate(trace.rounds[:MOST_ROUNDS], 1)))
    return {entry.round: f"round-{place}" for place, entry in told}


def round_link(number: int, known: Mapping[int, str]) -> str:
    """A link to a round; plain words where the trace doesn't tell of it."""
    words = f"round {number}"
    return f'<a href="#{known[number]}">{words}</a>' if number in known else words


def said_in(trace: Trace) -> dict[int, RoundPart]:
    """The rounds by their numbers."""
    return {entry.round: entry for entry in reversed(trace.rounds)}
