"""Comments that silence a check: `# noqa`, `# type: ignore`, `# pragma: no cover` and their like.

Only comments count, never the same words in a string; `# doctest: +SKIP` is the exception, since it stands in
docstrings. What only formats (`# fmt: off`) silences nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...code import trees
from ..sides import Side
from ..surplus import surplus
from .forms import text_of

_SPACE = r"\s{0,8}"
_DIRECTIVE = re.compile(
    rf"#{_SPACE}(?P<kind>(?:(?:ruff|flake8){_SPACE}:{_SPACE})?noqa\b"
    rf"|type{_SPACE}:{_SPACE}ignore\b"
    rf"|(?:pyright|ty){_SPACE}:{_SPACE}ignore\b"
    rf"|pyright{_SPACE}:{_SPACE}(?:basic|standard|report\w{{1,80}})\b"
    rf"|mypy{_SPACE}:{_SPACE}(?:ignore-errors|ignore-missing-imports|disable-error-code|allow-[\w-]{{1,80}}|no-[\w-]{{1,80}})"
    rf"|pyre-(?:ignore-all-errors|ignore|fixme)\b"
    rf"|pytype{_SPACE}:{_SPACE}(?:disable|skip-file)\b"
    rf"|pylint{_SPACE}:{_SPACE}(?:disable(?:-msg|-next)?|skip-file)\b"
    rf"|pragma[:\s]?{_SPACE}no{_SPACE}(?:cover|branch)\b"
    rf"|nosec\b|nosemgrep\b|nosonar\b|noinspection\b)"
    rf"(?:{_SPACE}[:\[=]{_SPACE}(?P<codes>[\w\-, ]{{0,400}})\]?)?",
    re.IGNORECASE,
)
_MAX_NARROWED = 500
"""New directives; more of them tidy nothing up."""
_DOCTEST = re.compile(rf"#{_SPACE}doctest{_SPACE}:[^\n]{{0,80}}\+SKIP")
_CODE = re.compile(r"[\w-]+")
_LINT_CODE = re.compile(r"[A-Za-z]+[0-9]+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One directive; no codes silence everything. Lines count from 1."""

    path: str
    kind: str
    codes: frozenset[str]
    line: int
    text: str

    @property
    def key(self) -> tuple[str, frozenset[str]]:
        """What two directives must share to be the same one."""
        return (self.kind, self.codes)


def suppressions(side: Side) -> list[Suppression]:
    """The directives of a file, in order; of a file that isn't Python, only skipped doctests."""
    text = side.text
    found = [
        Suppression(side.path, "doctest", frozenset(), text.count("\n", 0, match.start()) + 1, match[0])
        for match in _DOCTEST.finditer(text)
    ]
    if side.is_python and _DIRECTIVE.search(text):
        for line, comment in _comments(side):
            found += [_read(side.path, match, line) for match in _DIRECTIVE.finditer(comment)]
    return found


def new_suppressions(before: Sequence[Suppression], after: Sequence[Suppression]) -> list[Suppression]:
    """Those that the old ones don't account for; one that silences less may take the place of one that is gone."""
    fresh = surplus(after, before, lambda suppression: suppression.key)
    if len(fresh) > _MAX_NARROWED:
        return fresh
    gone = surplus(before, after, lambda suppression: suppression.key)
    return [suppression for suppression in fresh if not _narrows(suppression, gone)]


def _narrows(suppression: Suppression, gone: list[Suppression]) -> bool:
    """Whether one that silenced more is gone; it is used up then."""
    for old in gone:
        is_wider = not old.codes or (suppression.codes and suppression.codes <= old.codes)
        if old.kind == suppression.kind and is_wider:
            gone.remove(old)
            return True
    return False


def _comments(side: Side) -> Iterator[tuple[int, str]]:
    pending = [trees.parse(side.data, side.path).root_node]
    while pending:
        node = pending.pop()
        if node.type == "comment":
            yield node.start_point.row + 1, text_of(node)
        else:
            pending += reversed(node.children)


def _read(path: str, match: re.Match[str], line: int) -> Suppression:
    kind = "".join(match["kind"].lower().split())
    shape = _LINT_CODE if "noqa" in kind else _CODE
    return Suppression(path, kind, frozenset(shape.findall(match["codes"] or "")), line, match[0].strip())
