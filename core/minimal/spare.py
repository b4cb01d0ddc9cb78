"""Points out the hunks that nobody asked for: outside of what the task and the edits name, and needed by nothing else.

A hunk is wanted where it

- touches a symbol that the task or an edit names, or lies in one, or changes a file that the task names;
- mentions such a symbol, as a caller does that a renaming reaches;
- defines what a wanted hunk mentions, such as an import or an extracted function;
- is needed by a check or a contract, as the caller knows.

Where the task names nothing that the change touches, it is meant for all of it, and nothing is pointed out. A name is
taken wherever it stands as a word, so an ordinary word that is also a symbol's name counts: rather one spare hunk is
missed than a wanted one is blamed. Pure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from ..guards.change import FileChange
from .hunks import Hunk, lines, split
from .names import Names, read_names

_WORD = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PATH = re.compile(r"[\w./-]+")
_DEFINED = re.compile(r"\b(?:def|class)[ \t]+([^\W\d]\w*)")
_LONGEST_TASK = 100_000
"""Characters that are searched for names."""
_DEEPEST = 20
"""Parts of a dotted name that are looked at."""

Standing = Literal["named", "connected", "spare"]
"""`named`: carries a named symbol; `connected`: wanted for another hunk's sake; `spare`: neither."""


@dataclass(frozen=True, slots=True)
class SpareHunk:
    """A hunk that nobody asked for.

    Attributes:
        line: as `Hunk.line`.
        symbol: the qualified name of the symbol around it, where there is one.
        why: what makes it spare, in words.
    """

    path: str
    line: int
    symbol: str | None
    why: str
    hunk: Hunk


@dataclass(frozen=True, slots=True)
class Intent:
    """What the change is meant for.

    Attributes:
        task: the task's text.
        edited_symbols: names, plain or qualified, that the model's edits name.
        paths: files that the caller was told to change; a file of the scope that was named itself.
        needed: hunks that a check or a contract needs.
    """

    task: str
    edited_symbols: Collection[str] = ()
    paths: Collection[str] = ()
    needed: Collection[Hunk] = ()


def named_in_edits(texts: Iterable[str]) -> frozenset[str]:
    """The symbols whose `def` or `class` line stands in what the edits replaced or wrote."""
    return frozenset(match[1] for text in texts for match in _DEFINED.finditer(text))


def point_out(
    changes: Sequence[FileChange], intent: Intent, read: Mapping[Hunk, Names] | None = None
) -> tuple[SpareHunk, ...]:
    """The hunks of the change that nobody asked for, in its order.

    Args:
        read: what `read_hunks` has read of the change; it is read now where it's None.
    """
    contents = {change.path: change for change in changes}
    read = read_hunks(changes) if read is None else read
    standings = _standings(read, changes, intent)
    return tuple(
        SpareHunk(hunk.path, hunk.line, read[hunk].symbol, _why(contents[hunk.path], hunk), hunk)
        for hunk, standing in standings.items()
        if standing == "spare"
    )


def sort_out(
    changes: Sequence[FileChange], intent: Intent, read: Mapping[Hunk, Names] | None = None
) -> dict[Hunk, Standing]:
    """How each hunk of the change stands to what it is meant for, in its order.

    `minimize` may drop the spare ones.

    Args:
        read: as of `point_out`.
    """
    return _standings(read_hunks(changes) if read is None else read, changes, intent)


def _standings(read: Mapping[Hunk, Names], changes: Sequence[FileChange], intent: Intent) -> dict[Hunk, Standing]:
    words = frozenset(_WORD.findall(intent.task[:_LONGEST_TASK]))
    symbols = {name for names in read.values() for name in names.touched}
    named = _named(symbols, words | frozenset(intent.edited_symbols))
    files = _named_files(changes, intent)
    direct = [hunk for hunk, names in read.items() if names.touched & named or hunk.path in files]
    if not direct:
        return dict.fromkeys(read, "connected")
    plain = frozenset(name.rpartition(".")[2] for name in named)
    mentioning = [hunk for hunk, names in read.items() if names.mentioned & plain]
    wanted = _connected(read, [*direct, *mentioning, *(hunk for hunk in read if hunk in intent.needed)])
    carrying = frozenset(direct)
    return {h: "named" if h in carrying else "connected" if h in wanted else "spare" for h in read}


def read_hunks(changes: Sequence[FileChange]) -> dict[Hunk, Names]:
    """The names of every hunk of the change, in its order."""
    found: dict[Hunk, Names] = {}
    for change in changes:
        hunks = split([change])
        found.update(zip(hunks, read_names(change, hunks), strict=True))
    return found


def _named(symbols: Iterable[str], words: Collection[str]) -> frozenset[str]:
    """The symbols that a word names by some of their last parts (`area`), or with a module in front (`shapes.area`)."""
    with_module = {tail for word in words for tail in _tails(word)}
    return frozenset(name for name in symbols if name in with_module or not _tails(name).isdisjoint(words))


def _tails(dotted: str) -> frozenset[str]:
    """A dotted name without none, one, two … of its first parts."""
    parts = dotted.split(".")[-_DEEPEST:]
    return frozenset(".".join(parts[start:]) for start in range(len(parts)))


def _named_files(changes: Sequence[FileChange], intent: Intent) -> frozenset[str]:
    found = _PATH.findall(intent.task[:_LONGEST_TASK])
    words = {word.removeprefix("./").rstrip("./") for word in found} | set(intent.paths)
    return frozenset(
        change.path
        for change in changes
        for path in (change.path, change.old_path or change.path)
        if path in words or PurePosixPath(path).name in words
    )


def _connected(read: Mapping[Hunk, Names], wanted: Sequence[Hunk]) -> set[Hunk]:
    """The wanted hunks with those that define what they mention, and what these mention in turn."""
    defining: defaultdict[str, list[Hunk]] = defaultdict(list)
    for hunk, names in read.items():
        for name in names.defined:
            defining[name].append(hunk)
    reached = set(wanted)
    pending = list(wanted)
    while pending:
        for name in read[pending.pop()].mentioned:
            # Each name is followed once.
            fresh = [hunk for hunk in defining.pop(name, []) if hunk not in reached]
            reached.update(fresh)
            pending += fresh
    return reached


def _why(change: FileChange, hunk: Hunk) -> str:
    old = lines(change.before)[hunk.old.start : hunk.old.stop]
    new = lines(change.after)[hunk.new.start : hunk.new.stop]
    if not hunk.is_whole and b"".join(b"".join(old).split()) == b"".join(b"".join(new).split()):
        return "only white space changes, where neither the task nor an edit names anything"
    if hunk.is_whole:
        return "neither the task nor an edit names the file or a symbol in it"
    return "neither the task nor an edit names a symbol here, and nothing that they name uses it"
