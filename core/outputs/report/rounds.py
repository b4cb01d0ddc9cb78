"""The rounds: a table with what each one took, and each round with the model's words and its calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...trace_model import CallPart, RoundPart, Trace
from ..published_review import WITHHELD, is_withheld, round_words
from .calls import MOST_ROUNDS, anchors, arguments_markup, call_markup
from .text import block, count, line, money, seconds

MOST_CALLS, MOST_CHARACTERS = 2_000, 2_500_000
"""Calls that are told of, and the characters of the page from which on they are told without their arguments."""
_MOST_ASIDES = 500
_HEADS = ("round", "model", "ended with", "calls", "time", "tokens in", "cached", "out", "cost")
_FIRST_NUMBER = 3
"""The first column that holds numbers, apart from the round's own."""


def rounds_markup(trace: Trace) -> str:
    """The section."""
    if not (trace.rounds or trace.tool_calls):
        return '<section id="rounds"><h2>Rounds</h2><p>The model was not asked.</p></section>\n'
    calls: defaultdict[int, list[CallPart]] = defaultdict(list)
    for call in trace.tool_calls[:MOST_CALLS]:
        calls[call.round].append(call)
    known = anchors(trace)
    told = ""
    for place, entry in enumerate(trace.rounds[:MOST_ROUNDS], 1):
        told += _round(place, entry, calls.pop(entry.round, []), trace, wholly=len(told) < MOST_CHARACTERS)
    others = [call for several in calls.values() for call in several] if len(trace.rounds) <= MOST_ROUNDS else []
    if others:
        listed = _calls(others, wholly=len(told) < MOST_CHARACTERS)
        told += f'<article class="round"><h3>Other calls</h3>{listed}</article>\n'
    unshown = [
        count(len(trace.rounds) - MOST_ROUNDS, "more round") if len(trace.rounds) > MOST_ROUNDS else "",
        count(len(trace.tool_calls) - MOST_CALLS, "more call") if len(trace.tool_calls) > MOST_CALLS else "",
    ]
    cut = " and ".join(filter(None, unshown))
    withheld = f'<p class="note">{WITHHELD}.</p>' if is_withheld(trace) else ""
    note = f'<p class="note">{cut} left out; <code>git orefactor show --json</code> has them.</p>' if cut else ""
    table = _table(trace.rounds[:MOST_ROUNDS], known)
    return f'<section id="rounds"><h2>Rounds</h2>{table}{withheld}{told}{note}</section>\n'


def _table(rounds: Sequence[RoundPart], known: dict[int, str]) -> str:
    heads = "".join(f'<th scope="col"{_number(place)}>{words}</th>' for place, words in enumerate(_HEADS))
    rows = "".join(_row(entry, known[entry.round]) for entry in rounds)
    return (
        f'<div class="wide-table" tabindex="0" role="group" aria-label="Table of the rounds">'
        f"<table><caption>{count(len(rounds), 'round')}, one model call each</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _number(column: int) -> str:
    return ' class="number"' if column >= _FIRST_NUMBER else ""


def _row(entry: RoundPart, anchor: str) -> str:
    used = entry.usage
    about = "≈ " if entry.usage_estimated else ""
    cells = [
        line(entry.model or "unknown", 60),
        line(entry.rejected or entry.finish_reason or "no reply", 80),
        f"{entry.calls:,}",
        seconds(entry.duration_ms),
        f"{about}{used.prompt_tokens:,}",
        f"{used.cached_tokens:,}",
        f"{about}{used.completion_tokens:,}",
        money(entry.cost_usd),
    ]
    told = "".join(f"<td{_number(place)}>{words}</td>" for place, words in enumerate(cells, 1))
    return f'<tr><th scope="row"><a href="#{anchor}">{entry.round}</a></th>{told}</tr>\n'


def _round(place: int, entry: RoundPart, calls: Sequence[CallPart], trace: Trace, *, wholly: bool) -> str:
    summary = f"{count(len(calls), 'call')}, {seconds(entry.duration_ms)}"
    return (
        f'<article class="round" id="round-{place}"><h3>Round {entry.round} <span class="counts">{summary}</span></h3>'
        f"{_before(entry, trace)}{_words(entry, trace)}{_calls(calls, wholly=wholly)}</article>\n"
    )


def _calls(calls: Sequence[CallPart], *, wholly: bool) -> str:
    parts: list[str] = []
    room = MOST_CHARACTERS if wholly else 0
    for call in calls:
        parts.append(_call(call, wholly=room > 0))
        room -= len(parts[-1])
    return "".join(parts)


def _before(entry: RoundPart, trace: Trace) -> str:
    """What happened before the reply came."""
    number, most = entry.round, _MOST_ASIDES
    told = [f"asked again after {r.seconds:.1f} s: {r.message}" for r in trace.retries[:most] if r.round == number]
    told += [f"{c.protocol.replace('_', ' ')}: {c.reason}" for c in trace.protocol_changes[:most] if c.round == number]
    told += [
        f"went on with {c.provider} ({c.model}): {c.reason}" for c in trace.provider_changes[:most] if c.round == number
    ]
    told += [f"the reply was not acted on: {entry.rejected}"] if entry.rejected else []
    return "".join(f'<p class="note">{line(words)}</p>' for words in told[:20])


def _words(entry: RoundPart, trace: Trace) -> str:
    text = round_words(entry, trace).strip()
    return f"<blockquote>{block(text)}</blockquote>" if text else ""


def _call(call: CallPart, *, wholly: bool) -> str:
    executed = call.status == "executed"
    mark = '<span class="good">✓</span>' if executed else f'<span class="bad">✗ {call.status}</span>'
    shown = "<p>left out, as there are too many calls for a page</p>"
    if wholly:
        answer = f"<h4>Beginning of the answer</h4><pre>{block(call.summary)}</pre>" if call.summary else ""
        shown = arguments_markup(call) + answer
    opened = "" if executed else ' open=""'
    return (
        f'<details class="call"{opened}><summary>{mark} {call_markup(call)} '
        f'<span class="counts">{seconds(call.duration_ms)}</span></summary>{shown}</details>\n'
    )
