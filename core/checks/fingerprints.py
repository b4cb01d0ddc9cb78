"""Which findings are new: compared by rule, enclosing symbol and the line's words, never by line number.

A finding of the result is old when one of the base accounts for it, each for one. What stays the same when code is
edited differs from edit to edit, so the pairs are made in rounds, the closest first; a line that was annotated keeps
its missing docstring, a renamed function its long line, a function that moved to another file what was wrong with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from orefactor.sandbox.errors import Refused

from ..code.outline import outline
from ..code.text import PYTHON_SUFFIXES, decode, shown
from .findings import Finding

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
_LONGEST_LINE = 2000
"""Characters of a line that are compared."""

Key = tuple[str, ...] | None


def new_findings(after: Iterable[Finding], before: Iterable[Finding]) -> list[Finding]:
    """Those of `after` that `before` doesn't account for, in their order; each old one accounts for one."""
    fresh, known = list(after), list(before)
    for key in (_exactly, _by_line, _by_message, _by_line_alone, _by_heading, _by_symbol_anywhere):
        fresh, known = _paired(fresh, known, key)
    return fresh


def _exactly(finding: Finding) -> Key:
    return ("exact", finding.path, finding.rule, finding.symbol, finding.source, finding.text)


def _by_line(finding: Finding) -> Key:
    """The same line of the same symbol; the message may name something that changed elsewhere."""
    return (finding.path, finding.rule, finding.symbol, finding.source) if finding.source else None


def _by_message(finding: Finding) -> Key:
    """The same message in the same symbol, numbers apart; the line was edited, and this wasn't mended."""
    return (finding.path, finding.rule, finding.symbol, _NUMBER.sub("#", finding.text))


def _by_line_alone(finding: Finding) -> Key:
    """The same line and message; the symbol was renamed, or the line moved within the file."""
    return (finding.path, finding.rule, finding.source, finding.text) if finding.source else None


def _by_heading(finding: Finding) -> Key:
    """The line that names the symbol, its name apart: what is wrong with a definition stays when it is renamed."""
    outer, _, name = finding.symbol.rpartition(".")
    source = _without(name, finding.source)
    if source == finding.source:
        return None
    return ("heading", finding.path, finding.rule, outer, source, _NUMBER.sub("#", _without(name, finding.text)))


def _without(name: str, text: str) -> str:
    return _WORD.sub(lambda word: "@" if word[0] == name else word[0], text)


def _by_symbol_anywhere(finding: Finding) -> Key:
    """The same line of a symbol that moved to another file."""
    if not (finding.symbol and finding.source):
        return None
    return (finding.rule, finding.symbol, finding.source, _NUMBER.sub("#", finding.text))


def _paired(
    after: Sequence[Finding], before: Sequence[Finding], key: Callable[[Finding], Key]
) -> tuple[list[Finding], list[Finding]]:
    """What is left of both when findings with the same key are paired; None is no key."""
    known = Counter(key(finding) for finding in before)
    used: Counter[Key] = Counter()
    fresh: list[Finding] = []
    for finding in after:
        mark = key(finding)
        if mark is not None and used[mark] < known[mark]:
            used[mark] += 1
        else:
            fresh.append(finding)
    left: list[Finding] = []
    for finding in before:
        mark = key(finding)
        if mark is not None and used[mark] > 0:
            used[mark] -= 1
        else:
            left.append(finding)
    return fresh, left


def located(findings: Sequence[Finding], read: Callable[[str], bytes | None]) -> tuple[Finding, ...]:
    """The findings with the symbol that each lies in and the words of its line.

    Args:
        read: gives a file's bytes at the tree that was checked; None where it can't.
    """
    known: dict[str, _Places] = {}

    def place(finding: Finding) -> Finding:
        if finding.line < 1:
            return finding
        if finding.path not in known:
            known[finding.path] = _places(read(finding.path), finding.path)
        places = known[finding.path]
        return replace(finding, symbol=_at(places.symbols, finding.line), source=_at(places.lines, finding.line))

    return tuple(map(place, findings))


@dataclass(frozen=True, slots=True)
class _Places:
    """The lines of one file, white space collapsed, and the innermost symbol of each."""

    lines: Sequence[str] = ()
    symbols: Sequence[str] = ()


def _places(data: bytes | None, path: str) -> _Places:
    if data is None:
        return _Places()
    try:
        text = decode(data, path).text
    except Refused:
        text = data.decode("latin-1")
    lines = [" ".join(line[:_LONGEST_LINE].split()) for line in shown(text).split("\n")]
    symbols = [""] * len(lines)
    if path.endswith(PYTHON_SUFFIXES):
        for symbol in outline(data, path):  # outer ones first
            start, end = symbol.start_line - 1, min(symbol.end_line, len(lines))
            symbols[start:end] = [symbol.qualified_name] * (end - start)
    return _Places(lines, symbols)


def _at(values: Sequence[str], line: int) -> str:
    return values[line - 1] if line <= len(values) else ""
