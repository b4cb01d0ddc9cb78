"""The report page: one HTML file without any network, which is whole without its script, too.

A policy in its head lets nothing in but its own styles and script, by their digests, so that even markup that slipped
in could do nothing. It is well-formed XML as well, which is how its tests read it.
"""

from __future__ import annotations

from pathlib import Path

from ...redact import Redactor
from ...reporting import ReportedRun
from ..graph_style import stylesheet
from ..graph_text import markup
from ..page_parts import page_head
from ..redacted_lines import RedactedLines
from .changes import changes_markup
from .checks import checks_markup
from .context import context_markup, switched_stylesheet
from .costs import costs_markup
from .outcome import outcome_markup
from .result_reviews import result_reviews_markup
from .review import review_markup
from .rounds import rounds_markup
from .text import line
from .timeline import timeline_markup

_SECTIONS = ("checks", "timeline", "rounds", "cost", "context")
"""Those that follow the outcome and the change, or the review."""
_THEMES = (("auto", ' checked=""'), ("light", ""), ("dark", ""))


def report_page(run: ReportedRun, redactor: Redactor) -> str:
    """The page as HTML.

    Args:
        redactor: takes secrets out of the change; the trace is without them already.
    """
    look, script = _part("page.css") + switched_stylesheet(), _part("page.js")
    trace = run.trace
    lines = RedactedLines(redactor)
    subject = changes_markup(run, lines) if trace.review is None else review_markup(run, lines)
    title = line(trace.summary.title or trace.task or trace.run_id)
    return (
        page_head(f"{title} · orefactor", look, script, [stylesheet()])
        + f'<body><a class="skip" href="#main">Skip to the report</a>{_header(title, run)}\n<main id="main">'
        f"{outcome_markup(run)}{subject}{result_reviews_markup(run, lines)}{checks_markup(trace)}"
        f"{timeline_markup(trace)}"
        f"{rounds_markup(trace)}{costs_markup(trace)}{context_markup(trace)}</main>\n{_taking(run)}"
        f"<script>{script}</script></body></html>\n"
    )


def _part(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _header(title: str, run: ReportedRun) -> str:
    subject = "changes" if run.trace.review is None else "review"
    names = ("outcome", subject, *(("review",) if run.trace.reviews else ()), *_SECTIONS)
    links = "".join(f'<li><a href="#{name}">{name}</a></li>' for name in names)
    themes = "".join(
        f'<label><input type="radio" name="theme" id="theme-{name}" autocomplete="off"{chosen}/> {name}</label>'
        for name, chosen in _THEMES
    )
    return (
        f'<header><p class="kind">git orefactor, run <code>{line(run.trace.run_id, 60)}</code></p><h1>{title}</h1>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>'
        f'<fieldset class="themes"><legend>Colours</legend>{themes}</fieldset></header>'
    )


def _taking(run: ReportedRun) -> str:
    """How to take the change, or the hunks that are ticked."""
    if not run.can_be_applied:
        return ""
    command = f"git orefactor apply {markup(run.trace.run_id)}"
    hunks = sum(len(file.hunks) for file in run.files)
    return (
        f'<footer aria-label="Take the change"><p id="chosen">To take the whole change, or with '
        f"<code>--hunks 1,3</code> some of its hunks by their numbers:</p>"
        f'<p><output id="command" data-command="{command}" data-hunks="{hunks}"><code>{command}</code></output> '
        '<button type="button" id="copy" hidden="">Copy</button> <button type="button" id="all" hidden="">Tick all'
        '</button> <button type="button" id="none" hidden="">Tick none</button></p></footer>\n'
    )
