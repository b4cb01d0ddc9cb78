"""`secrets`: no secret is added, and no mark that stands in place of one.

Three things count: words of a shape that `core/redact.py` knows, private keys with their body, and literals that look
drawn at random and are given to a name such as `password` or `api_key`. What the change only moves isn't added. A
text is judged word by word, so that time stays in proportion to it, whatever it holds.

The result never holds the secret itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..gate import GuardResult
from ..redact import MARK, Redactor
from .change import FileChange
from .faults import Fault, verdict
from .random_text import looks_random
from .sides import Line, Side, after, before, line_changes
from .surplus import surplus

_WORD = re.compile(r"[^\s\"'`,;()<>{}\[\]|\\=]{10,}")
"""No known shape is shorter, or holds one of these characters; a `bearer` token is told by the word before it."""
_MAX_WORD = 2048
"""Characters of a word that are looked at; longer ones are data."""
_SHAPES = Redactor({})
_DOCUMENTED = re.compile(r"://[^/:@]*:(?:p(?:ass(?:word|wd)?|w)|secret|x+|\*+|\.+)@", re.IGNORECASE)
"""Passwords in addresses that only show where one would stand."""

_NAMING = r"(?:password|passwd|passphrase|pwd|secret|token|api_?-?key|access_?-?key|private_?-?key|credentials?)"
_REST = r"[\w-]{0,40}+"
# `name = "…"`, `name: str = "…"`, `"name": "…"`, `name="…"`, `environ["NAME"] = "…"`; never `==`.
_QUOTED = re.compile(
    rf"{_NAMING}{_REST}(?P<sign>[\"']?\]?(?:\s{{0,8}}:\s{{0,8}}[\w.\[\] |]{{1,40}})?\s{{0,8}}(?::=|=>|[:=])\s{{0,8}})"
    r"[rbuRBU]{0,2}[\"'](?P<value>[^\"'\s]{16,512})[\"']",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"{_NAMING}{_REST}(?P<sign>\s{{0,8}}[:=]\s{{0,8}})(?P<value>[^\"'\s]{{16,512}})\s{{0,8}}$", re.IGNORECASE
)
_NAME_END = re.compile(r"[\w.-]*\Z")
_MAX_NAME = 40
_PLAIN_SUFFIXES = (".env", ".ini", ".cfg", ".conf", ".properties", ".yaml", ".yml")
_LOCK_FILE = re.compile(r"(?:^|[/.-])lock(?:\.\w+)?$|(?:^|/)requirements[\w.-]*\.txt$|\.(?:lock|sum)$", re.IGNORECASE)

_KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{40,}")
_KEY_REACH = 600
"""Characters behind the head in which the body must begin; a head alone is only a constant."""


@dataclass(frozen=True, slots=True)
class _Found:
    """One secret; `text` tells two of them apart and never leaves this module."""

    kind: str
    text: str
    path: str
    line: int


def judge(changes: Sequence[FileChange]) -> GuardResult:
    """Name the first place where a secret or a redaction mark is added."""
    added, removed = line_changes(changes)
    now = [found for line in added for found in _in_line(line)] + _keys(map(after, changes))
    then = [found for line in removed for found in _in_line(line)] + _keys(map(before, changes))
    fresh = surplus(now, then, lambda found: found.text)
    faults = [Fault(found.path, found.line, _worded(found.kind)) for found in fresh]
    return verdict("secrets", faults, f"{len(added)} added line(s), no secret")


def _worded(kind: str) -> str:
    if kind == "mark":
        return "a redaction mark is added; it would stand where a secret was"
    return f"something that looks like a secret is added ({kind})"


def _in_line(line: Line) -> Iterator[_Found]:
    text = line.text
    for mark in MARK.finditer(text):
        yield _Found("mark", mark[0], line.path, line.number)
    shaped: set[str] = set()
    for word in _WORD.finditer(text):
        token = word[0][:_MAX_WORD]
        if kind := _shape(token, is_bearer=text[: word.start()][-8:].lower().endswith("bearer ")):
            shaped.add(token)
            yield _Found(kind, token, line.path, line.number)
    for name, value in _assigned(line):
        if value not in shaped and looks_random(name, value):
            yield _Found("a literal for a secret's name", value, line.path, line.number)


def _shape(word: str, *, is_bearer: bool) -> str | None:
    redacted = _SHAPES.text(word)
    if redacted == word and is_bearer:
        redacted = _SHAPES.text(f"Bearer {word}")
    mark = None if _DOCUMENTED.search(word) else MARK.search(redacted)
    return mark[0].removeprefix("[REDACTED:").removesuffix("]") if mark else None


def _assigned(line: Line) -> Iterator[tuple[str, str]]:
    if _LOCK_FILE.search(line.path):
        return
    found = list(_QUOTED.finditer(line.text))
    if not found and (line.path.endswith(_PLAIN_SUFFIXES) or "/.env" in f"/{line.path}"):
        found = list(_PLAIN.finditer(line.text))
    for match in found:
        before = _NAME_END.search(line.text[max(match.start() - _MAX_NAME, 0) : match.start()])
        yield (before[0] if before else "") + line.text[match.start() : match.start("sign")], match["value"]


def _keys(sides: Iterable[Side | None]) -> list[_Found]:
    found: list[_Found] = []
    for side in sides:
        if side is None or b"PRIVATE KEY-----" not in side.data:
            continue
        text, line, at = side.text, 1, 0
        for head in _KEY_HEAD.finditer(text):
            line, at = line + text.count("\n", at, head.start()), head.start()
            if body := _KEY_BODY.search(text, head.end(), head.end() + _KEY_REACH):
                found.append(_Found("private-key", body[0], side.path, line))
    return found
