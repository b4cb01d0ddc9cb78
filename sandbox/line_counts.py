"""How many lines a change adds and removes in each file."""

from __future__ import annotations

from dataclasses import dataclass

from .git import Git


@dataclass(frozen=True, slots=True)
class LineCount:
    """One changed file.

    Attributes:
        old_path: the path before the change, where that differs.
        added: lines; None for a file that has no lines.
        removed: the same.
    """

    path: str
    old_path: str | None
    added: int | None
    removed: int | None


def count_lines(git: Git, base: str, result: str) -> tuple[LineCount, ...]:
    """The counts between two commits or trees, renames found."""
    options = ("-r", "-z", "-M", "--numstat", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
    fields = git.run("diff-tree", *options, base, result).decode("utf-8", "surrogateescape").split("\0")
    counts: list[LineCount] = []
    position = 0
    while position < len(fields) - 1:
        # A commit's id may stand first; a rename has an empty name, and both names follow.
        added, _, rest = fields[position].partition("\t")
        removed, _, path = rest.partition("\t")
        old = None
        if not path:
            old, path = fields[position + 1 : position + 3]
            position += 2
        counts.append(LineCount(path, old, _number(added), _number(removed)))
        position += 1
    return tuple(counts)


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
