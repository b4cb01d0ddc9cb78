"""The graph that a selection is made from: files and symbols, and who calls, imports, tests, uses and holds whom.

Plain values; `graph_building.py` makes them, `ranking.py` ranks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .selection import LinkKind


@dataclass(frozen=True, slots=True)
class Node:
    """A file, a symbol, or an id that is mentioned, which has no path.

    Attributes:
        symbol: the qualified name; empty for a file.
        lines: first and last, from 1.
        name: as it stands in reasons.
    """

    path: str
    symbol: str
    lines: tuple[int, int]
    name: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """How one node leads to another.

    Attributes:
        is_certain: whether names and imports alone tell so.
    """

    kind: LinkKind
    weight: float
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by id, and edges by source and target, of two kinds between the same the heavier one."""

    nodes: Mapping[str, Node]
    edges: Mapping[tuple[str, str], Edge]
