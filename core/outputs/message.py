"""The commit message, made from the model's last words and validated, since they are a stranger's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

SUBJECT_LIMIT = 72
_BODY_LIMIT = 4000
_FOLLOW_UPS, _FOLLOW_UP_LIMIT = 10, 300
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
_MARKUP = re.compile(r"^(?:#+\s+|[*_`]{1,3}|(?:commit message|subject|summary)\s*:\s*)", re.IGNORECASE)
# A line that looks like one of ours, or like a scissors line, must not come from a stranger.
_TRAILER = re.compile(r"^[ \t]*(?:[A-Za-z][A-Za-z-]*-[Bb]y|Orefactor-[A-Za-z]+)[ \t]*:.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Summary:
    """What the change does, in the model's words.

    Attributes:
        title: a commit subject of at most 72 characters.
        follow_ups: what remains to be done, where the model named it.
    """

    title: str
    body: str = ""
    follow_ups: tuple[str, ...] = ()


def summarize(text: str, task: str) -> Summary:
    """Read the model's final answer, in the form of `answer` or as subject and body.

    An unusable subject is made from the task. Code fences, control characters, and lines that look like trailers are
    taken out.
    """
    from .answer import read_answer

    answer = read_answer(text)
    if answer is None:
        return _from_text(text, task)
    follow_ups = (" ".join(_clean(follow_up).split())[:_FOLLOW_UP_LIMIT] for follow_up in answer.follow_ups)
    told = _from_text(f"{' '.join(answer.title.split())}\n\n{answer.summary}", task)
    return replace(told, follow_ups=tuple(follow_up for follow_up in follow_ups if follow_up)[:_FOLLOW_UPS])


def _clean(text: str) -> str:
    clean = _CONTROL.sub("", text.replace("\r\n", "\n"))
    return _TRAILER.sub("", "\n".join(line for line in clean.split("\n") if not _FENCE.match(line)))


def _from_text(text: str, task: str) -> Summary:
    lines = [line.rstrip() for line in _clean(text).strip().split("\n")]
    title = _subject(lines[0]) if lines else ""
    if title and title.lower().rstrip(".!") not in ("done", "ok", "finished", "task completed"):
        return Summary(title, "\n".join(lines[1:]).strip()[:_BODY_LIMIT])
    return Summary(_subject(" ".join(task.split())) or "Refactor", "\n".join(lines[1:]).strip()[:_BODY_LIMIT])


def _subject(line: str) -> str:
    subject = _MARKUP.sub("", line.strip()).strip("*_` \t").rstrip(".")
    subject = subject[:1].upper() + subject[1:]
    if len(subject) <= SUBJECT_LIMIT:
        return subject
    cut = subject[: SUBJECT_LIMIT - 1]
    return (cut.rpartition(" ")[0] or cut) + "…"


def commit_message(summary: Summary, run_id: str, model: str) -> str:
    """Subject, body, and the trailers that tell where the commit came from."""
    parts = [summary.title]
    if summary.body:
        parts.append(summary.body)
    if summary.follow_ups:
        parts.append("To do later:\n" + "\n".join(f"- {follow_up}" for follow_up in summary.follow_ups))
    parts.append(f"Orefactor-Run: {run_id}\nOrefactor-Model: {' '.join(model.split())}")
    return "\n\n".join(parts) + "\n"


def branch_slug(title: str) -> str:
    """The part of an automatic branch name that says what it is about."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    slug = "-".join(words)[:40].strip("-")
    return slug or "change"
