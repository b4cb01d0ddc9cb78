"""Why something was chosen, in words, from the edges that tie it to what was chosen before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .graph import Edge, Graph, Node
from .selection import LinkKind

MOST_REASONS = 3
_TO: Mapping[LinkKind, str] = {
    "calls": "calls",
    "inherits": "inherits from",
    "imports": "imports",
    "tests": "tests",
    "uses": "uses",
    "holds": "holds",
}
_FROM: Mapping[LinkKind, str] = {
    "calls": "called by",
    "inherits": "base of",
    "imports": "imported by",
    "tests": "tested by",
    "uses": "used by",
    "holds": "in",
}
_HOLDS = 0.1
_UNSURE = 0.5


@dataclass(frozen=True, slots=True)
class Ties:
    """The neighbours of each node: `(other, edge, whether it leads to the other)`."""

    of: Mapping[str, list[tuple[str, Edge, bool]]]


def ties_of(graph: Graph) -> Ties:
    """The edges of a graph by both of their ends."""
    found: defaultdict[str, list[tuple[str, Edge, bool]]] = defaultdict(list)
    for (source, target), edge in graph.edges.items():
        found[source].append((target, edge, True))
        found[target].append((source, edge, False))
    return Ties(found)


def reasons(node: str, graph: Graph, ties: Ties, scores: Mapping[str, float], about: Iterable[str]) -> tuple[str, ...]:
    """The strongest ties of a node in words, the strongest first.

    Args:
        node: its id.
        graph: that it lies in.
        ties: of the graph.
        scores: of all nodes.
        about: the nodes that the task is about; where there are ties to these, no others are told.
    """
    main = frozenset(about)
    weighed: list[tuple[float, str]] = []
    own = [tie for tie in ties.of.get(node, []) if tie[0] in main and tie[1].kind != "holds"]
    for other, edge, leads in own or ties.of.get(node, []):
        strength = scores.get(other, 0.0) * edge.weight
        strength *= (_HOLDS if edge.kind == "holds" else 1.0) * (1.0 if edge.is_certain else _UNSURE)
        weighed.append((-round(strength, 9), _words(graph.nodes[other], edge, leads=leads)))
    ordered = list(dict.fromkeys(text for _, text in sorted(weighed)))
    telling = [text for text in ordered if not text.startswith(("in `", "holds `"))]
    return tuple((telling or ordered)[:MOST_REASONS])


def _words(other: Node, edge: Edge, *, leads: bool) -> str:
    if not other.path:
        return f"mentions {other.name}"
    verb = (_TO if leads else _FROM)[edge.kind]
    if not edge.is_certain:
        verb = f"may {verb.removesuffix('s')}" if leads else f"may be {verb}"
    return f"{verb} `{other.symbol or other.name}`"
