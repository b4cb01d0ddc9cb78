"""Takes a reply whose calls stand in its text for one that has calls, so that the session needs no second way.

Two callers: the text protocol, whose replies are always read, and native replies without calls of their own, since
small models now and then write a call as text. What a model thinks aloud at the start of its reply is never a call.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from ...json_text import json_text
from ...messages import ProviderResponse, ToolCall, ToolSchema
from .findings import Fault, Findings, WrittenCall
from .signatures import read_signatures
from .text_format import parse_calls
from .written_forms import find_forms

_THOUGHT = re.compile(r"\s*+<(think(?:ing)?)>")
_HEADLESS = re.compile(r"^</think>[ \t\r]*$", re.MULTILINE)
_TAG = re.compile(r"<(/?)(?:call|tool_call|function|parameter|invoke)\b")
_LONGEST = 1400
"""Characters of the list of faults."""


def recognise(response: ProviderResponse, tools: Sequence[ToolSchema], taken: frozenset[str]) -> ProviderResponse:
    """A native reply, with the calls that it wrote as text.

    Args:
        tools: those that were offered; only they can be called so.
        taken: ids of calls that the conversation holds already.

    Returns:
        The reply as it is, where it has calls or holds none; with calls, and its text without them; or with a fault.
    """
    advice = "Send the calls again through function calling, not as text."
    return _read(response, tools, taken, advice, is_strict=False)


def read_written(response: ProviderResponse, tools: Sequence[ToolSchema], taken: frozenset[str]) -> ProviderResponse:
    """The same for a reply of the text protocol: in our own format every block counts, whatever tool it names."""
    advice = (
        'Write each call whole: `<call tool="NAME">`, one `name: value` a line or a fence below `name:`, `</call>`.'
    )
    return _read(response, tools, taken, advice, is_strict=True)


def _read(
    response: ProviderResponse, tools: Sequence[ToolSchema], taken: frozenset[str], advice: str, *, is_strict: bool
) -> ProviderResponse:
    content = response.message.content
    if not content or response.tool_calls:
        return response
    start = _thought_end(content)
    text, first_line = content[start:], 1 + content.count("\n", 0, start)
    signatures = read_signatures(tools)
    findings = parse_calls(text, signatures, first_line=first_line, is_strict=is_strict)
    if findings.is_empty:
        findings = find_forms(text, signatures, first_line=first_line)
    if findings.faults:
        return replace(response, fault=f"{_listed(findings.faults)}\n{advice}")
    return _with_calls(response, content[:start], findings, taken) if findings.calls else response


def _thought_end(content: str) -> int:
    """Where the thoughts end that a reply may begin with; some templates write their opening tag into the prompt."""
    opening = _THOUGHT.match(content)
    if opening is None:
        headless = _HEADLESS.search(content)
        tag = _TAG.search(content, headless.end()) if headless else None
        # Where a call ends behind the tag that began before it, the tag is part of a value.
        return headless.end() if headless and not (tag and tag[1]) else 0
    closing = f"</{opening[1]}>"
    found = content.find(closing, opening.end())
    return len(content) if found < 0 else found + len(closing)


def _listed(faults: Sequence[Fault]) -> str:
    """The faults in the order of their lines, as many as a message of bounded length holds."""
    lines = [f"line {fault.line}: {fault.text}" for fault in sorted(faults, key=lambda fault: fault.line)]
    sizes = itertools.accumulate(len(line) + 1 for line in lines)
    kept = max(sum(1 for _ in itertools.takewhile(lambda size: size <= _LONGEST, sizes)), 1)
    more = [f"… and {len(lines) - kept} more"] if kept < len(lines) else []
    return "\n".join([*lines[:kept], *more])


def _with_calls(
    response: ProviderResponse, thought: str, findings: Findings, taken: frozenset[str]
) -> ProviderResponse:
    pieces = (piece.strip() for piece in (thought, *findings.prose))
    content = "\n\n".join(piece for piece in pieces if piece) or None
    calls = _numbered(findings.calls, taken)
    # What was cut may lack its last call; the session must see that.
    is_cut = response.finish_reason in ("length", "content_filter")
    return replace(
        response,
        message=replace(response.message, content=content, tool_calls=calls),
        finish_reason=response.finish_reason if is_cut else "tool_calls",
        written=True,
    )


def _numbered(calls: Sequence[WrittenCall], taken: frozenset[str]) -> tuple[ToolCall, ...]:
    """The calls with ids of nine letters and digits, as the strictest servers want them."""
    fresh = (made for number in itertools.count(1) if (made := f"call{number:05d}") not in taken)
    return tuple(ToolCall(next(fresh), call.name, json_text(dict(call.arguments))) for call in calls)
