"""Nodes near the seeds come first, whichever way the edges lead, and the same shares come out each time."""

from __future__ import annotations

from orefactor.core.context.graph import Edge, Graph, Node
from orefactor.core.context.ranking import rank


def _graph(*edges: tuple[str, str]) -> Graph:
    names = sorted({name for edge in edges for name in edge})
    nodes = {name: Node(f"{name}.py", name, (1, 1), name, is_test=False) for name in names}
    return Graph(nodes, {edge: Edge("calls", 1.0, is_certain=True) for edge in edges})


CHAIN = _graph(("far", "caller"), ("caller", "seed"), ("seed", "callee"), ("callee", "deep"), ("x", "y"))


def test_nearness_decides() -> None:
    shares = rank(CHAIN, {"seed": 1.0})
    assert sorted(shares, key=lambda name: (-shares[name], name))[:5] == ["seed", "callee", "caller", "deep", "far"]
    assert shares["seed"] == 1 and shares["x"] == shares["y"] < 1e-6


def test_weights_and_unknown_seeds() -> None:
    shares = rank(CHAIN, {"x": 1.0, "far": 0.2, "no node": 5.0})
    assert shares["x"] == 1 > shares["y"] > shares["far"] > 0


def test_without_seeds_what_most_lead_to_comes_first() -> None:
    shares = rank(_graph(("a", "hub"), ("b", "hub"), ("c", "hub"), ("c", "d")), {})
    assert max(shares, key=lambda name: shares[name]) == "hub"
    assert rank(CHAIN, {"no node": 1.0}) == rank(CHAIN, {})


def test_nothing_and_rounding() -> None:
    assert rank(Graph({}, {}), {"a": 1.0}) == {}
    assert all(round(share, 9) == share for share in rank(CHAIN, {"far": 0.3, "y": 0.1}).values())
