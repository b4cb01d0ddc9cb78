"""The tables of settings files, with the lines they stand on: TOML's and INI's, found without reading their values.

Nothing here needs a file to be valid: a broken one has its tables too, and whoever asks for one reads it as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
# Strings and comments first take whatever looks like a header in them; each ends at the text's end at the latest, so
# that nothing is read twice.
_TOML = re.compile(
    rf"^[ \t]*\[\[?[ \t]*(?P<name>{_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\]\]?[ \t\r]*(?:\#[^\n]*)?$"
    r'|"""(?:\\[\s\S]|[^\\])*?(?:"""|\Z)'
    r"|'''[\s\S]*?(?:'''|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.MULTILINE,
)
_INI = re.compile(r"^\[(?P<name>[^\n]+)\][ \t\r]*(?:[#;][^\n]*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a settings file.

    Attributes:
        name: as written between the brackets, without quotes and spaces around its parts.
        lines: first and last line, from 1; the tables below it that follow it included.
        depth: how many tables hold it.
    """

    name: str
    lines: tuple[int, int]
    depth: int


def toml_tables(text: str) -> tuple[Table, ...]:
    """The tables of a TOML file in order; an array of tables that follow each other is one."""
    return _tables(text, _TOML)


def ini_tables(text: str) -> tuple[Table, ...]:
    """The sections of an INI file in order."""
    return _tables(text, _INI)


def _tables(text: str, pattern: re.Pattern[str]) -> tuple[Table, ...]:
    names: list[str] = []
    starts: list[int] = []
    line, counted = 1, 0
    for found in pattern.finditer(text):
        if name := found["name"]:
            line += text.count("\n", counted, found.start())
            counted = found.start()
            names.append(".".join(part.strip(" \t\"'") for part in name.split(".")))
            starts.append(line)
    return _nested(names, [*starts, text.removesuffix("\n").count("\n") + 2])


def _nested(names: Sequence[str], starts: Sequence[int]) -> tuple[Table, ...]:
    ends = [starts[-1] - 1] * len(names)
    depths: dict[int, int] = {}
    still_open: list[int] = []
    for position, name in enumerate(names):
        while still_open and not f"{name}.".startswith(f"{names[still_open[-1]]}."):
            ends[still_open.pop()] = starts[position] - 1
        if still_open and name == names[still_open[-1]]:
            continue
        depths[position] = len(still_open)
        still_open.append(position)
    return tuple(Table(names[each], (starts[each], ends[each]), depth) for each, depth in depths.items())
