"""What was chosen from a repository for one task, as plain values: items with reasons, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .frame import RequestFrame

LinkKind = Literal["calls", "inherits", "imports", "tests", "uses", "holds"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that the model may be shown.

    Attributes:
        node_id: `path` of a file, `path::Qualified.name` of a symbol, `path#anchor` of a document's section.
        path: of its file.
        symbol: its qualified name or anchor; empty for a whole file.
        start_line: first line; lines count from 1.
        end_line: last line.
        why: each reason in words, the strongest first: "named in the task", "calls `area`", "tests `shapes.py`".
        score: how much it matters, above 0, rounded to 6 places; 1 is the most.
    """

    node_id: str
    path: str
    symbol: str
    start_line: int
    end_line: int
    why: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """One edge of the chosen part of the graph: `source` calls, imports, tests … `target` (node ids)."""

    source: str
    target: str
    kind: LinkKind


@dataclass(frozen=True, slots=True)
class Selection:
    """The ranked items, highest score first (then by node id), and the links among them, sorted."""

    frame: RequestFrame
    items: tuple[Item, ...]
    links: tuple[Link, ...]
