"""The model's answer to a review: read from its reply, then held against the change.

What comes is a stranger's. Reading says whether it is an answer at all; accepting leaves what lies in the change, in
text that can be shown, with suggestions that can be carried out. Whether anything blocks is the gate's word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pydantic import ValidationError

from orefactor.sandbox.errors import Refused

from ..code.text import decode, shown
from ..context.rendering import one_line as as_told
from ..guards.faults import one_line
from ..outputs.problems import spelled_out
from ..redact import has_mark, printable
from .answer_form import AnswerFinding, ReviewAnswer, review_schema
from .answer_object import Unreadable, only_object
from .finding import MODEL, ReviewFinding, SuggestedEdit, Verdict
from .reviewed_change import ReviewedChange
from .weight import ranked

__all__ = ["AcceptedAnswer", "ReviewAnswer", "Unreadable", "accepted", "read_answer", "review_schema"]

MOST_FINDINGS = 200
LONGEST_MESSAGE = 2000
"""Characters of a message, and of the summary."""
_LONGEST_RULE, _LONGEST_EDIT = 100, 10_000
_KINDS = {"tuple_type": "a list", "model_type": "an object"}
"""What JSON calls it that pydantic calls by a name of Python's."""

Touches = Callable[[ReviewedChange, str, int, int], bool]
"""Whether lines of a file, by first and last, exist and lie in the change."""
Content = Callable[[str], bytes | None]
"""A file of the new side; None where there is none that can be read."""
Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class AcceptedAnswer:
    """What of the model's answer counts.

    Attributes:
        summary: at most `LONGEST_MESSAGE` characters that can be shown.
        findings: the weightiest first, at most `MOST_FINDINGS`.
        dropped: how many are left out: they don't lie in the change, or are too many.
    """

    verdict: Verdict
    summary: str = ""
    findings: tuple[ReviewFinding, ...] = ()
    dropped: int = 0


def read_answer(text: str) -> ReviewAnswer:
    """The answer in the form; a fence or words may stand around its object.

    Raises:
        Unreadable: the text is something else; it says what, in one line.
    """
    read = only_object(text)
    try:
        return ReviewAnswer.model_validate(read)
    except ValidationError as error:
        raise Unreadable(_fault(error)) from None


def _fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"`{place}` is missing"
    wanted = _KINDS.get(first["type"]) or first["msg"].removeprefix("Input should be ")
    return f"`{place}` must be {wanted}"


def accepted(
    answer: ReviewAnswer, change: ReviewedChange, touches: Touches, content: Content, redact: Redact
) -> AcceptedAnswer:
    """What of the answer counts for the change.

    Findings that are the same in everything are one. One without a confidence has 1.0: it was stated without
    reservation, and None says that a check found it. A suggestion that can't be carried out is taken off its finding.

    Args:
        touches: see `change.touches`.
        content: asked for files with suggestions only, once each.
        redact: `Redactor.text`.
    """
    names = _names(change.paths)
    placed = (_placed(finding, names) for finding in answer.findings)
    inside = [each for each in placed if each and touches(change, each.path, each.start_line, each.end_line)]
    distinct = ranked(_worded(finding, redact) for finding in inside)
    kept = _with_exact_edits(distinct[:MOST_FINDINGS], content, redact)
    dropped = len(answer.findings) - len(inside) + len(distinct[MOST_FINDINGS:])
    return AcceptedAnswer(answer.verdict, _said(answer.summary, redact), kept, dropped)


def _names(paths: Iterable[str]) -> Mapping[str, str]:
    """The changed paths by what a model may call them: as they are, or as it was told of those with odd letters."""
    exact = {path: path for path in paths}
    spelled = {printable(path): path for path in exact}
    return {as_told(path, len(path)): path for path in exact} | spelled | exact


def _placed(found: AnswerFinding, names: Mapping[str, str]) -> ReviewFinding | None:
    """The finding in our form; None where its path is no changed file's."""
    path = names.get(found.path) or names.get(_plain(found.path))
    if path is None:
        return None
    last = found.start_line if found.end_line is None else found.end_line
    edit = found.suggestion
    return ReviewFinding(
        found.rule,
        MODEL,
        found.severity,
        path,
        found.start_line,
        last,
        found.message,
        None if edit is None else SuggestedEdit(shown(edit.old_string), shown(edit.new_string)),
        # JSON knows a negative zero, which is equal to zero and written otherwise.
        1.0 if found.confidence is None else abs(found.confidence),
    )


def _plain(path: str) -> str:
    """The path without empty and dot parts; empty where it isn't relative or climbs, by its spelling alone."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "" if path.startswith("/") or ".." in parts else "/".join(parts)


def _worded(finding: ReviewFinding, redact: Redact) -> ReviewFinding:
    rule = one_line(redact(finding.rule), _LONGEST_RULE) or "review"
    return replace(finding, rule=rule, message=_said(finding.message, redact) or rule)


def _said(text: str, redact: Redact) -> str:
    """A text that can be shown. It is redacted whole: half a secret would not be known as one."""
    whole = shown(redact(text)).strip()
    spelled = spelled_out(whole[:LONGEST_MESSAGE])
    is_whole = len(whole) <= LONGEST_MESSAGE and len(spelled) <= LONGEST_MESSAGE
    return spelled if is_whole else spelled[: LONGEST_MESSAGE - 1] + "\u2026"


def _with_exact_edits(findings: Sequence[ReviewFinding], content: Content, redact: Redact) -> tuple[ReviewFinding, ...]:
    """The findings, with those suggestions alone that can be carried out; ones that are the same now are one."""

    @cache
    def text(path: str) -> str | None:
        data = content(path)
        try:
            return None if data is None else shown(decode(data, path).text)
        except Refused:
            return None

    def exact(finding: ReviewFinding) -> ReviewFinding:
        edit = finding.suggestion
        if edit is None or (_is_sound(edit, redact) and _stands_once(edit.old_string, text(finding.path))):
            return finding
        return replace(finding, suggestion=None)

    return ranked(map(exact, findings))


def _is_sound(edit: SuggestedEdit, redact: Redact) -> bool:
    """Whether the edit changes something, and into text; one that shows a secret or writes a mark of one does not."""
    old, new = edit.old_string, edit.new_string
    if not old or old == new or "\0" in new or max(len(old), len(new)) > _LONGEST_EDIT:
        return False
    return not has_mark(new) and printable(new) == new and redact(old) == old and redact(new) == new


def _stands_once(old: str, text: str | None) -> bool:
    """Whether the old text has one place, overlapping ones counted each, as `edit_file` counts."""
    at = -1 if text is None else text.find(old)
    return text is not None and at >= 0 and text.find(old, at + 1) < 0
