"""Shows a review: the pieces of `core/outputs/review_text.py` as spans of a page, in the colours that pages have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .pages import Line, Span, page_width, show_page
from .wording import inert

if TYPE_CHECKING:
    from orefactor.core.outputs.source_files import Source
    from orefactor.core.review.result import ReviewResult
    from orefactor.core.trace_model import Trace


def show_review(trace: Trace, source: Source, place: Path) -> None:
    """Show a review on standard output: through git's pager and in colours on a terminal, plain in a pipe.

    Args:
        source: reads a file of the reviewed change's new side.
        place: the folder whose configuration names pager and colours.
    """
    import sys

    lines = list(review_spans(trace, source, page_width()))
    show_page(lines if sys.stdout.isatty() else [_inert(line) for line in lines], place)


def review_spans(trace: Trace, source: Source, width: int) -> Iterator[Line]:
    """The lines of a review, without secrets; nothing where the run is none.

    Args:
        width: columns of the page.
    """
    from orefactor.core.keys import whole_environment
    from orefactor.core.outputs.redacted_lines import RedactedLines
    from orefactor.core.outputs.review_text import review_lines
    from orefactor.core.redact import Redactor

    redact = RedactedLines(Redactor(whole_environment()))
    for line in review_lines(trace, source, width, redact):
        yield [Span(piece.text, piece.style) for piece in line]


def _inert(line: Line) -> Line:
    """A CI system that reads what is printed takes no line for a command."""
    return (Span(inert("".join(span.text for span in line))),)


def say_review(trace: Trace, source: Source) -> None:
    """Print a review on standard error, where standard output is for a patch."""
    import sys

    for line in review_spans(trace, source, page_width()):
        print(inert("".join(span.text for span in line).rstrip()), file=sys.stderr)


def review_source(result: ReviewResult) -> Source:
    """Reads the reviewed files as the review itself saw them."""
    return result.contents.get
