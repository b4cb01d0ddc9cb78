"""What came of a run, and its facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..pages import Line, Span, Style
from ..result_review_words import last_review_words
from ..wording import money, plain, seconds, tokens
from .layout import HEAD, field, paragraph, title

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun
    from orefactor.core.trace_model import Trace

_WIDEST_BAR, _COUNTS = 20, 24
"""Columns: of the signs behind a file at most, and of all else that stands beside its name."""
_MOST_FILES, _MOST_FOLLOW_UPS = 200, 20


def outcome_lines(run: ReportedRun, width: int) -> Iterator[Line]:
    """Run, task, outcome, summary and what was used."""
    trace = run.trace
    review = trace.review
    yield from field("run", trace.run_id, width)
    yield from field("task", trace.task, width)
    yield from field("outcome", _outcome(run), width, _style(run))
    if run.is_complete and review is None:
        verified = {True: "yes", False: "no", None: "no check could run"}[trace.verified]
        yield from field("verified", verified, width)
    if trace.summary.title and trace.status == "completed" and review is None:
        yield from field("summary", trace.summary.title, width)
        if trace.summary.body.strip():
            yield from paragraph(trace.summary.body, width, HEAD)
        for text in trace.summary.follow_ups[:_MOST_FOLLOW_UPS]:
            yield from field("later", text, width)
    for name, text in _facts(trace):
        yield from field(name, text, width)


def _outcome(run: ReportedRun) -> str:
    from orefactor.core.outputs.published_review import OUTCOMES, decided_line, published

    if not run.is_complete:
        return "interrupted: it was killed, and its events end here"
    trace = run.trace
    review = published(trace)
    if review is not None:
        return f"{OUTCOMES[review.outcome]}: {decided_line(trace, review)}"
    return f"{trace.status} ({trace.reason}), exit {trace.exit_code}: {trace.message}"


def _style(run: ReportedRun) -> Style:
    trace = run.trace
    if trace.review is not None:
        return "head" if trace.exit_code else "strong"
    return "strong" if trace.status == "completed" and trace.verified else "head"


def _facts(trace: Trace) -> Iterator[tuple[str, str]]:
    if trace.base is not None:
        yield "base", f"{trace.base.source} {trace.base.commit[:12]}"
    if trace.branch is not None:
        yield "branch", f"{trace.branch} {(trace.commit or '')[:12]}"
    models = list(dict.fromkeys(entry.model for entry in trace.rounds if entry.model))
    if models:
        yield "model", ", ".join(models[:10]) + (f" ({trace.provider})" if trace.provider else "")
    if trace.reviews:
        run = trace.reviews[-1].run_id
        yield "review", last_review_words(trace) + (f" (see `git orefactor show {run}`)" if run else "")
    used = trace.usage
    told = f"{tokens(used.prompt_tokens)} tokens in ({tokens(used.cached_tokens)} cached)"
    out = f"{tokens(used.completion_tokens)} out, {seconds(trace.duration_ms)}"
    yield "used", f"{trace.iterations} round(s), {told}, {out}"
    if trace.rounds:
        cost = trace.cost_usd
        yield "cost", money(cost) if cost is not None else "unknown, as the price of the model is not known"
    if trace.isolation is not None:
        failure = f" ({trace.isolation.failure})" if trace.isolation.failure else ""
        yield "isolation", trace.isolation.tier + failure
    if trace.user_state is not None and not trace.user_state.same:
        before, after = trace.user_state.before, trace.user_state.after
        differing = ", ".join(name for name, digest in before.items() if after.get(name) != digest)
        yield "yours", f"changed meanwhile, by somebody else: {differing}"


def context_lines(trace: Trace, width: int) -> Iterator[Line]:
    """The context pack in a few lines; nothing where the run had none."""
    pack = trace.context_pack
    if trace.context_failure:
        yield from field("context", f"none: {trace.context_failure}", width)
    if pack is None:
        return
    paths = list(dict.fromkeys(_paths(pack.get("items"))))
    best = ", ".join(paths[:6]) + (f" and {len(paths) - 6} more" if len(paths) > 6 else "")
    yield from field("context", f"{_number(pack.get('tokens'))} tokens: {best or 'nothing'}", width)


def _paths(items: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """The paths in a pack, which may be a stranger's."""
    for item in cast("Iterable[Any]", items) if isinstance(items, list) else ():
        path = cast("Mapping[str, Any]", item).get("path") if isinstance(item, dict) else None
        if isinstance(path, str):
            yield path[:300]


def _number(value: object) -> str:
    return tokens(value) if isinstance(value, int) else "?"


def file_lines(run: ReportedRun, width: int) -> Iterator[Line]:
    """The changed files with what they gain and lose."""
    if not run.files:
        names = ", ".join(map(plain, run.trace.files_changed[:_MOST_FILES]))
        yield from field("files", names or "none changed", width)
        return
    added, removed = sum(file.added for file in run.files), sum(file.removed for file in run.files)
    hunks = sum(len(file.hunks) for file in run.files)
    fate = "" if run.fate == "delivered" else ", not delivered"
    yield from title(f"Files: {len(run.files)}, {hunks} hunk(s), +{added} -{removed}{fate}")
    shown = run.files[:_MOST_FILES]
    column = min(max(len(_named(file.old_path, file.path)) for file in shown), max(width - _COUNTS, 20))
    most = min(max(width - column - _COUNTS, 5), _WIDEST_BAR)
    for file in shown:
        name = _named(file.old_path, file.path)
        counts = "binary" if file.is_binary else f"{f'+{file.added}':>6} {f'-{file.removed}':>6}"
        kind = "" if file.kind == "changed" else f" {file.kind}"
        plus, minus = _bar(file.added, file.removed, most)
        yield (
            Span("  "),
            Span(f"{name:<{column}}", "name"),
            Span(f" {counts} "),
            Span(plus, "strong"),
            Span(minus + kind, "faint"),
        )
    if len(run.files) > _MOST_FILES:
        yield (Span(f"  and {len(run.files) - _MOST_FILES} more", "faint"),)


def _named(old: str, new: str) -> str:
    return plain(new) if old == new else f"{plain(old)} => {plain(new)}"


def _bar(added: int, removed: int, most: int) -> tuple[str, str]:
    """Signs for lines, at most so many; each side that has any shows one."""
    total = added + removed
    scale = min(1.0, most / total) if total else 0.0
    return "+" * max(round(added * scale), added > 0), "-" * max(round(removed * scale), removed > 0)
