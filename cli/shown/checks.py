"""What was checked: checks before and after, contract, guards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..pages import Line, Span, Style
from ..wording import plain, seconds, shortened
from .layout import field, title, verbatim

if TYPE_CHECKING:
    from orefactor.core.trace_model import CheckPart, Trace

_LINES = 10
"""Lines of a failed check's output on the page; `--checks` shows all that the trace has."""
_ASIDE = {"baseline": " at the base", "final": "", "on_demand": " on demand"}


def check_lines(trace: Trace, width: int, *, wholly: bool) -> Iterator[Line]:
    """Checks, contract and guards.

    Args:
        wholly: with all that each check said, its command, and every guard for itself.
    """
    yield from title("Checks")
    if not trace.checks:
        yield (Span("  none ran"),)
    names = [_name(check) for check in trace.checks]
    column = min(max(map(len, names), default=0), 40)
    for check, name in zip(trace.checks, names, strict=True):
        yield from _check(check, f"{name:<{column}}", wholly=wholly)
    yield from _contract(trace, width)
    yield from _guards(trace, width, wholly=wholly)
    for part in trace.spare:
        yield from field("spare", f"{f'{part.path}:{part.line} {part.symbol}'.strip()}: {part.why}", width)
    if trace.minimized is not None:
        dropped = ", ".join(f"{path}:{line}" for path, line in trace.minimized.dropped) or "nothing could go"
        yield from field("dropped", f"{dropped} ({trace.minimized.trials} trial(s))", width)


def _name(check: CheckPart) -> str:
    return plain(check.name) + _ASIDE[check.when] + ("" if check.required else " (not required)")


def _check(check: CheckPart, name: str, *, wholly: bool) -> Iterator[Line]:
    from orefactor.core.reporting import after_words, before_words

    mark = {"passed": "✓", "failed": "✗"}.get(check.outcome, "-")
    style: Style = "strong" if check.outcome == "passed" else "head"
    why = f": {shortened(check.detail, 100)}" if check.outcome == "not_run" and check.detail else ""
    took = f"  {seconds(check.duration_ms)}" if check.duration_ms else ""
    yield (
        Span(f"  {mark} ", style),
        Span(f"{name}  before: {before_words(check):<12}  after: "),
        Span(after_words(check), style),
        Span(f"{why}{took}", "faint" if not why else ""),
    )
    if wholly and check.command:
        yield (Span(f"      $ {plain(' '.join(check.command))}", "faint"),)
    for what, tests in (("lost", check.lost), ("flaky", check.flaky)):
        for test in tests[: None if wholly else _LINES]:
            yield (Span(f"      {what}: {plain(test)}"),)
    if check.detail and (wholly or check.outcome == "failed"):
        said = list(verbatim(check.detail, 6))
        yield from said if wholly else said[:_LINES]
        if not wholly and len(said) > _LINES:
            yield (Span(f"      … {len(said) - _LINES} more line(s): --checks", "faint"),)


def _contract(trace: Trace, width: int) -> Iterator[Line]:
    if trace.contract.kinds != ("any",):
        kept = "kept" if trace.contract.ok else trace.contract.detail
        yield from field("contract", f"{','.join(trace.contract.kinds)}: {kept}", width)


def _guards(trace: Trace, width: int, *, wholly: bool) -> Iterator[Line]:
    """Those that had nothing to say share a line."""
    silent = [guard.name for guard in trace.guards if guard.ok and not guard.detail.startswith("allowed: ")]
    if silent and not wholly:
        yield from field("guards", f"{', '.join(silent)}: ok", width)
    for guard in trace.guards:
        if wholly or guard.name not in silent:
            yield from field("guard", f"{guard.name}: {guard.detail}", width, "" if guard.ok else "head")
