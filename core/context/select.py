"""Selects what a model should see first: the targets, what the task names, and what belongs to them, with reasons.

The order comes from the walk of `ranking.py`. Two things are put above it: the direct callers, callees and tests of
what the task is about come before everything that isn't tied to it, and of a target's symbols only those are items of
their own that the task names, since the target is shown with all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..index.symbol_index import SymbolIndex
from ..redact import printable
from .conventions import Section, sections_of
from .frame import RequestFrame, TaskName, fold
from .graph import Graph
from .graph_building import graph_of
from .kept_resolver import KeptResolver
from .neighbourhood import files_around
from .ranking import rank
from .reasons import MOST_REASONS, Ties, reasons, ties_of
from .seeds import TARGET, Seed, seeds_of
from .selection import Item, Link, Selection

_DIGITS = 6
_DIRECT = frozenset(["calls", "inherits", "tests"])
_BELOW = 0.999
_MOST: Mapping[TaskName, int] = {"document": 10, "annotate": 16, "rename": 48, "move": 48}
"""Neighbours that a type of task has a use for."""
_MOST_ELSE = 28
_LEAST, _LEAST_OF_STRANGERS = 0.05, 0.1
"""Of the best neighbour's score; what is further below isn't worth its tokens."""
_MOST_STRANGERS = 8
_MOST_GENERAL = 40
_FEW, _MOST_OF_MANY = 4, 14
"""Of more targets than a few no neighbour says much."""
_OWN_SHARE = 0.3
"""Of a target's weight that stays with the file; its symbols share the rest."""
_TOPICS: Mapping[TaskName, tuple[str, ...]] = {
    "document": ("docstring", "documentation", "comments"),
    "annotate": ("type hint", "typing", "annotation", "mypy", "pyright"),
    "test": ("test", "pytest", "coverage"),
    "rename": ("naming",),
    "modernize": ("python version", "target version"),
}
_CONVENTION = 0.05
_MOST_CONVENTIONS = 3


@dataclass(frozen=True, slots=True)
class _Field:
    """A ranked graph.

    Attributes:
        strong: what the task is surely about, the symbols of its files included.
    """

    graph: Graph
    ties: Ties
    seeds: Mapping[str, Seed]
    strong: frozenset[str]
    scores: Mapping[str, float]


def select(frame: RequestFrame, targets: Sequence[str], index: SymbolIndex) -> Selection:
    """Choose from a tree what matters for one task.

    Args:
        frame: what the task is about.
        targets: paths of files and folders; none, or the top, for the whole tree.
        index: of the tree; a large one is only read around what the task is about.
    """
    seeds = seeds_of(frame, targets, index)
    resolver = KeptResolver(index)
    around = files_around(resolver, seeds)
    files = [node for node in seeds if resolver.modules.has(node)]
    graph = graph_of(resolver, around, files)
    field = _ranked(graph, seeds)
    chosen = {node: field.scores[node] for node in _chosen(field, frame.task_type)}
    items = [_item(node, field) for node in chosen]
    items += _conventions(frame, sections_of(index, targets), chosen)
    ordered = tuple(sorted(items, key=lambda item: (-item.score, item.node_id)))
    return Selection(frame, ordered, tuple(_links(graph, frozenset(chosen))))


def _ranked(graph: Graph, seeds: Mapping[str, Seed]) -> _Field:
    known = {node: seed for node, seed in seeds.items() if node in graph.nodes}
    files = {node for node, seed in known.items() if seed.is_strong and not graph.nodes[node].symbol}
    inside = {node: each.path for node, each in graph.nodes.items() if each.symbol and each.path in files}
    shares = rank(graph, _spread(known, inside))
    scores = dict(shares)
    for node, path in inside.items():
        scores[path] += shares[node]
    most = max(scores.values(), default=1.0)
    strong = frozenset([*(node for node, seed in known.items() if seed.is_strong), *inside])
    ties = ties_of(graph)
    ranked = {node: score / most for node, score in scores.items()}
    rounded = {node: round(score, _DIGITS) for node, score in _strangers_below(ranked, known, strong, ties).items()}
    return _Field(graph, ties, known, strong, rounded)


def _spread(seeds: Mapping[str, Seed], inside: Mapping[str, str]) -> Mapping[str, float]:
    """The seeds' weights, those of files spread over what they hold: their neighbours are its neighbours."""
    spread = {node: seed.weight for node, seed in seeds.items()}
    counts: dict[str, int] = {}
    for path in inside.values():
        counts[path] = counts.get(path, 0) + 1
    for node, path in inside.items():
        spread[node] = spread.get(node, 0.0) + seeds[path].weight * (1 - _OWN_SHARE) / counts[path]
    for path in counts:
        spread[path] *= _OWN_SHARE
    return spread


def _strangers_below(
    scores: Mapping[str, float], seeds: Collection[str], strong: Collection[str], ties: Ties
) -> dict[str, float]:
    """The scores, with everything that isn't tied to the task's subject moved below what is, in its order."""
    direct = {
        other
        for node in strong
        for other, edge, _ in ties.of.get(node, ())
        if edge.kind in _DIRECT and edge.is_certain and other not in strong
    }
    strangers = [node for node in scores if not (node in direct or node in seeds or node in strong)]
    ceiling = min((scores[node] for node in direct), default=0.0) * _BELOW
    most = max((scores[node] for node in strangers), default=0.0)
    factor = ceiling / most if 0 < ceiling < most else 1.0
    return {**scores, **{node: scores[node] * factor for node in strangers}}


def _chosen(field: _Field, task_type: TaskName) -> list[str]:
    nodes, scores = field.graph.nodes, field.scores
    shown = [node for node in field.seeds if nodes[node].path and _is_sayable(node)]
    covered = field.strong - frozenset(field.seeds)
    others = [
        node
        for node, each in nodes.items()
        if node not in covered
        and node not in field.seeds
        and each.path
        and _is_sayable(node)
        and _says_something(node, field)
    ]
    ranked = _without_holders(sorted(others, key=lambda node: (-scores[node], node)), field)
    most = _MOST.get(task_type, _MOST_ELSE) if field.seeds else _MOST_GENERAL
    if sum(seed.why == TARGET for seed in field.seeds.values()) > _FEW:
        most = min(most, _MOST_OF_MANY)
    return [*shown, *(_worthwhile(ranked, field) if field.strong else ranked)[:most]]


def _worthwhile(ranked: Sequence[str], field: _Field) -> list[str]:
    """What isn't too far below the best neighbour, and of what isn't tied to the task's subject only some."""
    best = field.scores[ranked[0]] if ranked else 0.0
    near = [node for node in ranked if field.scores[node] >= max(_LEAST * best, 10**-_DIGITS)]
    strangers = [node for node in near if field.strong.isdisjoint(other for other, _, _ in field.ties.of[node])]
    few = [node for node in strangers if field.scores[node] >= _LEAST_OF_STRANGERS * best][:_MOST_STRANGERS]
    left_out = frozenset(strangers) - frozenset(few)
    return [node for node in near if node not in left_out]


def _is_sayable(node: str) -> bool:
    """Whether a model can name it: a path that isn't UTF-8 it can't."""
    return node.isprintable() or printable(node) == node


def _without_holders(ranked: Sequence[str], field: _Field) -> list[str]:
    """Files are left out of which a symbol is tied to the task's subject itself, as the symbol says more."""
    nodes = field.graph.nodes
    tied = {
        nodes[node].path
        for node in ranked
        if nodes[node].symbol and any(other in field.strong for other, _, _ in field.ties.of[node])
    }
    return [node for node in ranked if nodes[node].symbol or node not in tied]


def _says_something(node: str, field: _Field) -> bool:
    """Whether a file is more than what holds something, and a symbol no part of one that is shown."""
    each = field.graph.nodes[node]
    tied = [other for other, edge, _ in field.ties.of.get(node, ()) if edge.kind != "holds"]
    if each.symbol:
        outer = each.symbol.rpartition(".")[0]
        return bool(tied) and (not outer or f"{each.path}::{outer}" not in field.strong)
    return not field.strong.isdisjoint(tied) or not field.seeds


def _item(node: str, field: _Field) -> Item:
    each = field.graph.nodes[node]
    seed = field.seeds.get(node)
    # A target says enough; what ties it to others is told there.
    ties = () if seed and seed.why == TARGET else reasons(node, field.graph, field.ties, field.scores, field.strong)
    why = tuple(dict.fromkeys([seed.why, *ties] if seed else ties))[:MOST_REASONS]
    start, end = each.lines
    return Item(node, each.path, each.symbol, start, end, why or ("used a lot",), field.scores[node])


def _links(graph: Graph, chosen: Collection[str]) -> Iterable[Link]:
    """The links among the chosen; what is shown as a part of its file stands for its file."""
    shown = {node: node if node in chosen else each.path for node, each in graph.nodes.items()}
    links = {
        Link(shown[source], shown[target], edge.kind)
        for (source, target), edge in graph.edges.items()
        if shown[source] in chosen and shown[target] in chosen and shown[source] != shown[target]
    }
    return sorted(links, key=lambda link: (link.source, link.target, link.kind))


def _conventions(frame: RequestFrame, sections: Sequence[Section], chosen: Collection[str]) -> list[Item]:
    """The rules that the type of task makes relevant."""
    topics = [fold(topic) for topic in _TOPICS.get(frame.task_type, ())]
    found = [section for section in sections if any(topic in fold(section.title) for topic in topics)]
    return [
        Item(each.rule_id, each.path, each.rule_id.partition("#")[2], *each.lines, ("conventions",), _CONVENTION)
        for each in found[:_MOST_CONVENTIONS]
        if each.rule_id not in chosen
    ]
