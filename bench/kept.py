"""Keeps what was measured, with the machine, as JSON: one file a day and machine, so that results can be compared."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from figures import Figure
from machine import Machine


@dataclass(frozen=True, slots=True)
class Curve:
    """How something grows.

    Attributes:
        name: what is measured.
        along: what grows, as `files`.
        points: how many of them, seconds, and megabytes at the most.
    """

    name: str
    along: str
    points: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Results:
    """What one or more calls on one day gave.

    Attributes:
        day: when.
        machine: where, as it was at the last call.
        is_quick: whether sizes were tiny.
        rows: figures, by the row of the command.
        curves: how things grow.
    """

    day: date
    machine: Machine
    is_quick: bool
    rows: Mapping[str, Sequence[Figure]]
    curves: Sequence[Curve] = ()


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()


def file_for(folder: Path, results: Results) -> Path:
    """Where results are kept; quick ones elsewhere, as they mean nothing."""
    mark = "-quick" if results.is_quick else ""
    return folder / f"{results.day.isoformat()}-{results.machine.name}{mark}.json"


def write_results(path: Path, results: Results) -> None:
    """Keep them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(dataclasses.asdict(results), indent=1, default=lambda day: day.isoformat())
    path.write_text(text + "\n", encoding="utf-8")


def read_results(path: Path) -> Results | None:
    """What is kept there; None where nothing is."""
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    rows = {name: [Figure(**row) for row in found] for name, found in kept["rows"].items()}
    curves = tuple(
        Curve(each["name"], each["along"], tuple((int(x), float(s), float(m)) for x, s, m in each["points"]))
        for each in kept["curves"]
    )
    return Results(date.fromisoformat(kept["day"]), Machine(**kept["machine"]), kept["is_quick"], rows, curves)
