"""One thing that is said of a run at its end; `outcome` says them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to say: a short name and a line.

    Attributes:
        each: for the files, what is said of each, where there is room for several rows.
        total: what is said of all of them where not each is named.
        more: what is added where it fits on the row.
        commands: names and commands that say the same on a terminal.
    """

    name: str
    text: str
    each: tuple[str, ...] = ()
    total: str = ""
    more: str = ""
    commands: tuple[tuple[str, str], ...] = ()
