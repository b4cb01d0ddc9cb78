"""The reviews of the main job's result: what each came to, and what the last one found in what came of the run."""

from __future__ import annotations

from ...reporting import ReportedRun
from ...trace_model import ResultReviewPart
from ..published_review import result_reviews, result_words
from ..redacted_lines import Redact
from ..source_files import SourceFiles
from .review import findings_markup, summary_markup
from .text import line, money

_MOST = 20


def result_reviews_markup(run: ReportedRun, redact: Redact) -> str:
    """The section; empty where nothing was reviewed. `redact` takes secrets out of suggestions."""
    reviews = result_reviews(run.trace)
    if not reviews:
        return ""
    last = reviews[-1]
    rows = "".join(map(_row, reviews[-_MOST:]))
    heads = "".join(f'<th scope="col">{words}</th>' for words in ("after", "outcome", "model", "run", "cost"))
    return (
        '<section id="review"><h2>Review of the result</h2><div class="wide-table"><table class="reviews">'
        f"<caption>Reviews of the result</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"{summary_markup(last)}{findings_markup(last, SourceFiles(run.source, redact), redact)}</section>\n"
    )


def _row(review: ResultReviewPart) -> str:
    good = review.outcome == "reviewed" and not review.blocking_findings
    style, mark = ("good", "✓") if good else ("bad", "✗")
    return (
        f'<tr><th scope="row">round {review.round}</th>'
        f'<td><span class="{style}">{mark} {line(result_words(review), 600)}</span></td>'
        f"<td>{line(review.model, 80)}</td><td><code>{line(review.run_id, 60)}</code></td>"
        f'<td class="number">{money(review.cost_usd)}</td></tr>\n'
    )
