"""Where a selection starts: the target paths and what the task names, each with a weight and its reason in words.

What several things go by is shared among all of them and weighs less, as does a word that any sentence has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..index.symbol_index import SymbolIndex
from .frame import LinkedEntity, RequestFrame, is_plain_word

TARGET = "target"
NAMED = "named in the task"
_TARGETS = 2.0
"""All targets together; a name weighs 1."""
_AMBIGUOUS = 0.6
_PLAIN = 0.15
"""Of a word that any sentence has, such as `add` or `test`."""
_INSIDE = 4.0
"""How much more a candidate counts that lies in a target."""
_MOST_CANDIDATES = 24
MOST_TARGETS = 48
"""Files of a folder that count as targets; of a larger one those that most others refer to."""
_MOST_COUNTED = 3000
"""Files whose names are counted for that."""


@dataclass(frozen=True, slots=True)
class Seed:
    """One starting point.

    Attributes:
        weight: above 0.
        is_strong: whether it is sure to be meant, so that its neighbours matter more than strangers.
    """

    weight: float
    why: str
    is_strong: bool


def path_of(node_id: str) -> str:
    """The path in a node's id, or the id itself where it is that of a requirement."""
    return node_id.partition("::")[0].partition("#")[0]


def seeds_of(frame: RequestFrame, targets: Sequence[str], index: SymbolIndex) -> Mapping[str, Seed]:
    """Each starting point by its node id; nothing where the task is general and about everything."""
    entities = [each for each in frame.entities if not is_plain_word(each.token)]
    files = target_files(targets, index)
    if any(_is_inside(node, targets) for entity in entities for node in _nodes(entity)):
        # Where the task names what it means in a folder, the folder only says where to look.
        files = [path for path in files if path in map(_clean, targets)]
    found = {path: Seed(_TARGETS / len(files), TARGET, is_strong=True) for path in files}
    # A plain word that happens to name something only counts where there is nothing else.
    for entity in entities or ([] if found else frame.entities):
        for node, seed in _of_entity(entity, targets):
            before = found.get(node)
            if before is None:
                found[node] = seed
            else:
                found[node] = Seed(before.weight + seed.weight, before.why, before.is_strong or seed.is_strong)
    return found


def _nodes(entity: LinkedEntity) -> list[str]:
    return [node for _, node in entity.candidates] if entity.ambiguous else [entity.node_id]


def _of_entity(entity: LinkedEntity, targets: Sequence[str]) -> list[tuple[str, Seed]]:
    # One word that happens to be a title, such as `parsing`, is a word more likely than the section.
    is_title = entity.label == "heading" and entity.token.isalpha() and entity.token.islower()
    share = _PLAIN if is_title or is_plain_word(entity.token) else 1.0
    if not entity.ambiguous:
        return [(entity.node_id, Seed(share, NAMED, is_strong=share == 1))]
    nodes = _nodes(entity)
    nearest = sorted(nodes, key=lambda node: (not _is_inside(node, targets), node))[:_MOST_CANDIDATES]
    why = f"one of {len(nodes)} that `{entity.token}` may mean"
    each = share * _AMBIGUOUS / len(nodes)
    return [
        (node, Seed(each * (_INSIDE if _is_inside(node, targets) else 1.0), why, is_strong=False)) for node in nearest
    ]


def _is_inside(node_id: str, targets: Sequence[str]) -> bool:
    path = path_of(node_id)
    return any(path == target or path.startswith(f"{target}/") for target in map(_clean, targets) if target)


def _clean(target: str) -> str:
    bare = target.strip("/")
    return "" if bare == "." else bare


def target_files(targets: Sequence[str], index: SymbolIndex) -> list[str]:
    """The files that the targets name, sorted; nothing where one of them is the whole repository."""
    cleaned = [_clean(target) for target in targets]
    if not all(cleaned):
        return []
    found = sorted({path for target in cleaned for path in _below(target, index.paths)})
    return found if len(found) <= MOST_TARGETS else sorted(most_referred(found, index, MOST_TARGETS))


def _below(target: str, paths: Sequence[str]) -> list[str]:
    at = bisect_left(paths, target)
    if at < len(paths) and paths[at] == target:
        return [target]
    start = bisect_left(paths, f"{target}/")
    # The character after the slash ends what begins with it.
    return list(paths[start : bisect_left(paths, f"{target}0")])


def most_referred(paths: Collection[str], index: SymbolIndex, most: int) -> list[str]:
    """Those files whose names most others mention, tests last; equals by depth and name."""
    from ..relations.neighbours import is_test_path

    nearest = sorted(paths, key=lambda path: (is_test_path(path), path.count("/"), path))[:_MOST_COUNTED]
    stems = {path: _stem(path) for path in nearest}
    referring = index.referring(sorted(set(stems.values())))
    # Files of one name share what mentions it.
    shares = {stem: len(referring.get(stem, ())) / list(stems.values()).count(stem) for stem in set(stems.values())}
    ranked = sorted(nearest, key=lambda path: (is_test_path(path), -shares[stems[path]], path.count("/"), path))
    return ranked[:most]


def _stem(path: str) -> str:
    parts = path.rsplit(".", 1)[0].split("/")
    return parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]
