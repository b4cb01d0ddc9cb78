"""Which file each line of git's configuration stands in: for people; `repository` reads what a run needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .repository import ask_git


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One line of the effective configuration.

    Attributes:
        scope: `system`, `global`, `local`, `worktree` or `command`.
        key: the section and the last part in lower case.
        file: its file as git names it, relative to the working tree's top; empty for the command line.
    """

    scope: str
    key: str
    value: str
    file: str


def read_config_lines(start: Path) -> tuple[ConfigLine, ...]:
    """The effective configuration at `start`, weakest first."""
    listed = ask_git(start, "config", "--list", "--includes", "--show-scope", "--show-origin", "-z")
    fields = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
    lines: list[ConfigLine] = []
    for scope, origin, pair in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        key, _, value = pair.partition("\n")
        kind, _, name = origin.partition(":")
        # A key without `=` stands for true.
        lines.append(ConfigLine(scope, key, value if "\n" in pair else "true", name if kind == "file" else ""))
    return tuple(lines)
