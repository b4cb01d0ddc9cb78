"""The head of the report: what came of the run, in the model's words, and the facts of it."""

from __future__ import annotations

from ...reporting import ReportedRun
from ...trace_model import Trace
from ..published_review import published
from .review import review_badge
from .text import block, count, line, money, seconds


def outcome_markup(run: ReportedRun) -> str:
    """The section."""
    trace = run.trace
    follow_ups = "".join(f"<li>{line(text)}</li>" for text in trace.summary.follow_ups[:50])
    later = f"<h3>To do later</h3><ul>{follow_ups}</ul>" if follow_ups else ""
    body = f"<blockquote>{block(trace.summary.body)}</blockquote>" if trace.summary.body.strip() else ""
    title = f"<h3>{line(trace.summary.title)}</h3>" if trace.summary.title.strip() else ""
    facts = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in _facts(run) if words)
    return (
        f'<section id="outcome"><h2>Outcome</h2><p class="badge {_style(run)}">{_words(run)}</p>'
        f"{title}{body}{later}<dl>{facts}</dl></section>\n"
    )


def _style(run: ReportedRun) -> str:
    review = published(run.trace)
    if review is not None:
        return review_badge(run.trace, review)[0]
    if run.trace.status != "completed":
        return "bad"
    return "good" if run.trace.verified else "unsure"


def _words(run: ReportedRun) -> str:
    trace = run.trace
    if not run.is_complete:
        return "The run was killed; this is what its events tell."
    review = published(trace)
    if review is not None:
        return review_badge(trace, review)[1]
    mark = {"good": "✓", "bad": "✗"}.get(_style(run), "?")
    return f"{mark} {line(trace.status, 40)} ({line(trace.reason, 80)}): {line(trace.message, 600)}"


def _facts(run: ReportedRun) -> list[tuple[str, str]]:
    trace = run.trace
    models = list(dict.fromkeys(entry.model for entry in trace.rounds if entry.model))
    used = f"{count(trace.iterations, 'round')}, {count(len(trace.tool_calls), 'call')}, {seconds(trace.duration_ms)}"
    return [
        ("task", line(trace.task, 2000)),
        ("paths", line(", ".join(trace.paths[:100]), 1000) or _everything(trace)),
        ("verified", _verified(trace)),
        ("model", ", ".join(line(model, 80) for model in models[:10]) + _provider(trace)),
        ("used", used),
        ("cost", money(trace.cost_usd) if trace.rounds else ""),
        ("base", f"<code>{line(trace.base.commit, 64)}</code> ({line(trace.base.source, 80)})" if trace.base else ""),
        ("tree", f"<code>{line(trace.tree, 64)}</code>" if trace.tree else ""),
        ("branch", f"<code>{line(trace.branch, 200)}</code>" if trace.branch else ""),
        ("delivered", ", ".join(f"{part.kind} {line(part.what)}" for part in trace.delivered[:10])),
        ("run", f"<code>{line(trace.run_id, 60)}</code>"),
        ("started", line(trace.started, 60)),
        ("version", line(trace.version, 40)),
        ("yours", "" if trace.user_state is None or trace.user_state.same else "changed meanwhile, by somebody else"),
    ]


def _verified(trace: Trace) -> str:
    """Whether the result holds; a review has none."""
    return "" if trace.review else {True: "yes", False: "no", None: "no check could run"}[trace.verified]


def _everything(trace: Trace) -> str:
    return "the whole change" if trace.review else "the whole repository"


def _provider(trace: Trace) -> str:
    return f" ({line(trace.provider, 60)})" if trace.provider else ""
