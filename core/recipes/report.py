"""Words the final answer of the offline provider: a commit subject and a short body with counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .request import Chosen

SUBJECT_LIMIT = 72
_MAX_LISTED = 20
_ADDING = frozenset({"annotations", "docstrings"})


@dataclass(frozen=True, slots=True)
class Report:
    """What was done.

    Attributes:
        files: how many Python files were looked at.
        edits: number of edits by changed file.
        problems: reason by path, for files that were left as they are, wholly or in part.
        check: first line of the check's answer, empty without one.
    """

    chosen: Chosen
    files: int
    edits: Mapping[str, int]
    problems: Mapping[str, str]
    check: str = ""


def report_text(report: Report) -> str:
    """The answer as text."""
    return "\n".join([_subject(report), "", *_body(report)])


def _subject(report: Report) -> str:
    if not report.edits:
        return "Nothing to change"
    title = report.chosen.title
    link = "to" if {recipe.name for recipe in report.chosen.recipes} <= _ADDING else "in"
    count = f"{len(report.edits)} file" + "s" * (len(report.edits) > 1)
    target = next(iter(report.edits)) if len(report.edits) == 1 else count
    for subject in (f"{title} {link} {target}", f"{title} {link} {count}"):
        if len(subject) <= SUBJECT_LIMIT:
            return subject
    return f"Apply {len(report.chosen.recipes)} recipes to {count}"


def _body(report: Report) -> Iterator[str]:
    names = ", ".join(recipe.name for recipe in report.chosen.recipes)
    total = sum(report.edits.values())
    if report.edits:
        yield f"{len(report.edits)} of {report.files} Python file(s) changed, with {total} edit(s)."
    else:
        yield f"{report.files} Python file(s) looked at; none needs a change."
    yield f"Done by fixed rules, without a model: {names}."
    if report.check:
        yield f"py_compile: {report.check}"
    if report.problems:
        yield ""
        yield "Left as it is, wholly or in part:"
        listed = [f"- {path}: {problem}" for path, problem in sorted(report.problems.items())]
        yield from listed[:_MAX_LISTED]
        if len(listed) > _MAX_LISTED:
            yield f"- and {len(listed) - _MAX_LISTED} more"
