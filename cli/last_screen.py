"""Lays the outcome out for a terminal: ten rows at most, however much there is to say. Pure, from facts to rows.

Commands are never cut, since they are there to be copied; everything else gives way: texts are cut at the row's end,
files are counted instead of named, and what tells least is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from .errors import redacted
from .wording import plain

if TYPE_CHECKING:
    from rich.console import Console

    from .outcome import Fact

MOST_ROWS = 10
_NAME = 12
"""Columns that a fact's name takes, with those before it."""
_WRAPPED = {"error": 3, "hint": 2, "note": 2}
"""Rows that these may take."""
_LEAST = ("later", "isolation", "contract", "used", "yours", "files", "checks")
"""What is left out where there is no room, in this order."""
_STYLES = {"error": "bold red", "done": "bold green", "note": "bold", "hint": "bold"}


def screen(head: Sequence[Fact], facts: Sequence[Fact], tail: Sequence[Fact], console: Console) -> list[Text]:
    """The rows; a command's may be longer than the terminal is wide, which then goes on in the next row."""
    width = max(console.width - 1, 20)
    above = [row for fact in head for row in _said(fact, width, console)]
    below = [row for fact in tail for row in _said(fact, width, console)]
    taken = sum(max(-(-row.cell_len // console.width), 1) for row in (*above, *below))
    return [*above, *_facts(facts, MOST_ROWS - taken, width), *below]


def _said(fact: Fact, width: int, console: Console) -> list[Text]:
    """What stands for itself: what was done, why it failed, what to type next."""
    if fact.commands:
        return [
            Text.assemble((f"  {name:<{_NAME - 2}}", "dim"), (_clean(text), "cyan")) for name, text in fact.commands
        ]
    text = _clean(fact.text)
    whole = Text.assemble((f"{fact.name}:", _STYLES.get(fact.name, "")), f" {text}")
    most = _WRAPPED.get(fact.name, 1)
    rows = list(whole.wrap(console, width)) if whole.cell_len > width and most > 1 else [whole]
    if len(rows) > most:
        rows[most - 1 :] = [Text(" ").join(rows[most - 1 :])]
    for row in rows:
        row.rstrip()
        row.truncate(width, overflow="ellipsis")
    return rows


def _facts(facts: Sequence[Fact], room: int, width: int) -> list[Text]:
    left = list(facts)
    for name in _LEAST:
        if len(left) > room:
            left = [fact for fact in left if fact.name != name]
    spare = room - len(left) + 1
    return [row for fact in left for row in _fact(fact, spare, width)]


def _fact(fact: Fact, spare: int, width: int) -> list[Text]:
    """A fact in its row, or in as many as it has parts where there is that room."""
    if len(fact.each) > 1 and spare > 1:
        shown = fact.each if len(fact.each) <= spare else fact.each[: spare - 1]
        left = len(fact.each) - len(shown)
        lines = [*shown, *([f"and {left} more{fact.total}"] if left else [])]
    else:
        lines = [fact.text]
    if len(fact.text) + len(fact.more) + _NAME <= width:
        lines[-1] += fact.more
    rows: list[Text] = []
    for number, line in enumerate(lines):
        row = Text.assemble((f"  {'' if number else fact.name:<{_NAME - 2}}", "dim"), _clean(line))
        row.truncate(width, overflow="ellipsis")
        rows.append(row)
    return rows


def _clean(text: str) -> str:
    """What is printed by `errors.say` is cleaned there."""
    return plain(redacted(text))
