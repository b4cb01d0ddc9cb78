"""The rounds: each in a few lines with its calls, one of them wholly, or the calls alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..pages import Line, Span
from ..wording import call_words, money, plain, seconds, shortened, tokens
from .layout import paragraph, title, verbatim

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun
    from orefactor.core.trace_model import CallPart, RoundPart, Trace

_MOST_HUNKS = 12


def rounds_lines(trace: Trace, width: int) -> Iterator[Line]:
    """All rounds, each with what it took, the beginning of the model's words, and its calls."""
    if not (trace.rounds or trace.tool_calls):
        return
    from orefactor.core.outputs.published_review import WITHHELD, is_answer, is_withheld, round_words

    yield from title("Rounds")
    if is_withheld(trace):
        yield from paragraph(WITHHELD, width, 2, "faint")
    calls: defaultdict[int, list[CallPart]] = defaultdict(list)
    for call in trace.tool_calls:
        calls[call.round].append(call)
    before = _said(trace)
    for entry in trace.rounds:
        yield from (_aside(text, width) for text in before.get(max(entry.round, 1), ()))
        took = _took(entry)
        room = max(width - len(took) - 2, 20)
        words = round_words(entry, trace)
        told = words.partition("\n\n")[0] if is_answer(entry) else words
        yield (Span(took, "head"), Span(f"  {shortened(told, room)}".rstrip()))
        yield from (_call(call, width) for call in calls.pop(entry.round, ()))
    # Calls of rounds that nothing else tells of.
    yield from (_call(call, width) for several in calls.values() for call in several)


def _took(entry: RoundPart) -> str:
    used = entry.usage.prompt_tokens + entry.usage.completion_tokens
    cost = f", {money(entry.cost_usd)}" if entry.cost_usd else ""
    return f"round {entry.round}  {seconds(entry.duration_ms)}, {tokens(used)} tokens{cost}"


def _aside(text: str, width: int) -> Line:
    return (Span(f"  {shortened(text, max(width - 2, 40))}", "faint"),)


def _call(call: CallPart, width: int) -> Line:
    done = call.status == "executed"
    words = call_words(call.name, call.arguments)
    why = "" if done else f": {shortened(call.summary.removeprefix('ERROR: '), max(width - len(words) - 6, 40))}"
    return (Span("  ✓ " if done else "  ✗ ", "strong" if done else "head"), Span(f"{words}{why}"))


def _said(trace: Trace) -> Mapping[int, list[str]]:
    """What happened before a round's reply came, by the round; before the first is told with the first."""
    said: defaultdict[int, list[str]] = defaultdict(list)
    for retry in trace.retries:
        said[max(retry.round, 1)].append(f"↻ asked again after {retry.seconds:.1f} s: {retry.message}")
    for protocol in trace.protocol_changes:
        said[max(protocol.round, 1)].append(f"→ {protocol.protocol.replace('_', ' ')}: {protocol.reason}")
    for change in trace.provider_changes:
        said[max(change.round, 1)].append(f"→ went on with {change.provider}: {change.reason}")
    return said


def call_lines(run: ReportedRun, width: int) -> Iterator[Line]:
    """Every call on a line, with how long it took and the hunks that it made."""
    yield from title(f"Calls: {len(run.trace.tool_calls)}")
    made = _made(run)
    for number, call in enumerate(run.trace.tool_calls):
        head = f"{call.round:>4}  {seconds(call.duration_ms):>8} "
        hunks = made.get(number, [])
        more = " …" if len(hunks) > _MOST_HUNKS else ""
        told = f"  → hunk {', '.join(map(str, hunks[:_MOST_HUNKS]))}{more}" if hunks else ""
        yield (Span(head, "faint"), *_call(call, width - len(head)), Span(told, "faint"))


def _made(run: ReportedRun) -> Mapping[int, list[int]]:
    """The hunks by the call that made them."""
    made: defaultdict[int, list[int]] = defaultdict(list)
    for hunk, places in run.origins.items():
        for place in places:
            made[place].append(hunk)
    return made


def round_lines(run: ReportedRun, number: int, width: int) -> Iterator[Line]:
    """One round wholly: the model's words, the calls with their arguments, the beginnings of the answers."""
    from orefactor.core.outputs.published_review import WITHHELD, is_withheld

    trace = run.trace
    entry = next(entry for entry in trace.rounds if entry.round == number)
    yield (Span(_took(entry), "head"),)
    yield from _numbers(entry)
    yield from (_aside(text, width) for text in _said(trace).get(max(number, 1), ()))
    if entry.rejected:
        yield (Span(f"  not acted on: {plain(entry.rejected)}", "head"),)
    if is_withheld(trace):
        yield from paragraph(WITHHELD, width, 2, "faint")
    elif entry.text.strip():
        yield from title("The model said")
        yield from paragraph(entry.text, width, 2)
    made = _made(run)
    for place, call in enumerate(trace.tool_calls):
        if call.round == number:
            yield from _whole_call(call, made.get(place, []), width)


def _numbers(entry: RoundPart) -> Iterator[Line]:
    used = entry.usage
    about = " (estimated)" if entry.usage_estimated else ""
    facts = [
        f"model {plain(entry.model)}" if entry.model else "",
        f"{used.prompt_tokens:,} tokens in ({used.cached_tokens:,} cached), {used.completion_tokens:,} out{about}",
        f"ended with {plain(entry.finish_reason)}" if entry.finish_reason else "no reply",
        f"{entry.reasoning_chars:,} characters of reasoning" if entry.reasoning_chars else "",
        f"asked {entry.attempts} times" if entry.attempts > 1 else "",
    ]
    for fact in filter(None, facts):
        yield (Span(f"  {fact}", "faint"),)


def _whole_call(call: CallPart, hunks: list[int], width: int) -> Iterator[Line]:
    from orefactor.core.hunk_origins import arguments_of

    yield ()
    yield (*_call(call, width), Span(f"  {seconds(call.duration_ms)}", "faint"))
    if call.arguments:
        for name, value in (arguments_of(call) or {"arguments": call.arguments}).items():
            yield from _argument(name, value)
    if hunks:
        yield (Span(f"      made hunk {', '.join(map(str, hunks))}", "faint"),)
    if call.summary:
        yield (Span("      the answer begins:", "faint"),)
        yield from verbatim(call.summary, 8)


def _argument(name: str, value: Any) -> Iterator[Line]:  # noqa: ANN401 - JSON
    # A trace that was read is never too deep for this.
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if "\n" not in text and len(text) < 80:
        yield (Span(f"      {plain(name)}: ", "faint"), Span(text))
        return
    yield (Span(f"      {plain(name)}:", "faint"),)
    yield from verbatim(text, 8)
