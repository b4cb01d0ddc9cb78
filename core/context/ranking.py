"""Ranks the nodes of a graph by personalised PageRank: how often a walk meets them that starts again at the seeds.

Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999), section 6, computed by rustworkx. The walk goes
along edges both ways, since a caller tells as much of a function as what it calls.
"""

from __future__ import annotations

from collections.abc import Mapping

from .graph import Graph

_DAMPING = 0.6
"""How likely the walk goes on: low, so that it stays near its start."""
_BACK = 0.8
"""What an edge weighs against its direction."""
_TOLERANCE = 1e-9
_MOST_STEPS = 100
_DIGITS = 9


def rank(graph: Graph, seeds: Mapping[str, float]) -> Mapping[str, float]:
    """The share of each node, rounded, so that it is the same on every machine.

    Args:
        graph: what is ranked.
        seeds: weights above 0 by node id; those that aren't nodes don't count. Without any, all nodes are equal.

    Returns:
        By node id, 1 for the best.
    """
    if not graph.nodes:
        return {}
    import rustworkx

    ids = {node: position for position, node in enumerate(graph.nodes)}
    walk: rustworkx.PyDiGraph[str, float] = rustworkx.PyDiGraph()
    walk.add_nodes_from(list(ids))
    both = [(ids[source], ids[target], edge.weight) for (source, target), edge in graph.edges.items()]
    walk.add_edges_from([*both, *((target, source, weight * _BACK) for source, target, weight in both)])
    starts = {ids[node]: weight for node, weight in seeds.items() if node in ids}
    shares = rustworkx.pagerank(
        walk,
        alpha=_DAMPING,
        weight_fn=lambda weight: weight,
        personalization=starts or None,
        tol=_TOLERANCE,
        max_iter=_MOST_STEPS,
    )
    most = max(shares.values())
    return {node: round(shares[position] / most, _DIGITS) for node, position in ids.items()}
