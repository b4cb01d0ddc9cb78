"""Which files the graph is made of: all of a small repository, of a large one those around the starting points.

A repository of 100,000 files must not be read for one target. So its index is asked, by name, who imports and refers to
the starting points, what these import, and which tests are named after them; the rarer a shared name, the more a file
belongs to them.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..relations.neighbours import is_test_path
from ..relations.resolution import Resolver
from .seeds import most_referred, path_of

_SMALL = 400
"""Files of a repository that is read wholly."""
_MOST = 48
"""Files of a graph otherwise."""
_MOST_WHOLE = 14
"""Those of them of which every reference matters, unless there are more starting points."""
_MOST_WITH_NAME = 400
"""Files that mention a name; one that more mention tells nothing."""
_MOST_NAMES = 2000
_MOST_DEFINING = 8
_IMPORTED, _NAMESAKE, _DEFINING, _FURTHER = 2.0, 1.5, 0.4, 0.05
_OF_TEST = 0.5
"""Of what another file that mentions a name counts; of much used code most mentions are in tests."""


@dataclass(frozen=True, slots=True)
class Around:
    """The files of a graph.

    Attributes:
        paths: all, sorted.
        whole: those of which every reference matters, of the others only those to a name that these define.
        own: those of the starting points, whose references are followed wherever they lead.
    """

    paths: Sequence[str]
    whole: Collection[str]
    own: Collection[str]


def files_around(resolver: Resolver, seeds: Collection[str]) -> Around:
    """The files that a graph is made of.

    Args:
        resolver: of the tree; what is chosen is loaded into it.
        seeds: node ids; without any, the files that most others refer to are taken.
    """
    index = resolver.index
    paths = index.paths
    if len(paths) > _SMALL and seeds:
        return _expanded(resolver, seeds)
    chosen = list(paths) if len(paths) <= _SMALL else sorted(most_referred(paths, index, _MOST))
    known = _known(resolver, chosen)
    return Around(known, known, known)


def _known(resolver: Resolver, paths: Collection[str]) -> list[str]:
    resolver.load(paths)
    return [path for path in sorted(paths) if resolver.file(path) is not None]


def _expanded(resolver: Resolver, seeds: Collection[str]) -> Around:
    own = sorted({path for path in map(path_of, seeds) if resolver.modules.has(path)})[:_MOST]
    resolver.load(own)
    scores: defaultdict[str, float] = defaultdict(float)
    for path, score in (*_imported(resolver, own, _IMPORTED), *_referring(resolver, seeds, own)):
        scores[path] += score
    for path, score in (*_namesakes(resolver, own), *_defining(resolver, own)):
        scores[path] += score
    near = [*own, *_best(scores, own, _MOST_WHOLE - len(own))]
    resolver.load(near)
    for path, score in _imported(resolver, near, _FURTHER):
        scores[path] += score
    return Around(_known(resolver, [*own, *_best(scores, own, _MOST - len(own))]), _known(resolver, near), own)


def _best(scores: Mapping[str, float], own: Collection[str], most: int) -> list[str]:
    known = frozenset(own)
    ranked = sorted((-round(score, 9), path) for path, score in scores.items() if path not in known)
    return [path for _, path in ranked[: max(0, most)]]


def _imported(resolver: Resolver, paths: Iterable[str], score: float) -> Iterator[tuple[str, float]]:
    for path in paths:
        file = resolver.file(path)
        for given in file.imports if file else ():
            dot = "" if given.module.endswith(".") else "."
            modules = [given.module, *([f"{given.module}{dot}{given.name}"] if given.name not in (None, "*") else [])]
            for module in modules:
                for target in resolver.modules.resolve(module, path):
                    yield target, score


def _referring(resolver: Resolver, seeds: Collection[str], own: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The files that mention what a starting point defines; ids of requirements are mentioned as they are."""
    names = {name for node in seeds for name in _names(resolver, node)}
    for _, paths in sorted(resolver.index.referring(sorted(names)[:_MOST_NAMES]).items()):
        others = [path for path in paths if path not in own]
        if len(others) <= _MOST_WITH_NAME:
            yield from ((path, (_OF_TEST if is_test_path(path) else 1.0) / len(others)) for path in others)


def _names(resolver: Resolver, node: str) -> Iterator[str]:
    path, mark, inner = node.partition("::")
    if mark:
        yield inner.rpartition(".")[2]
        return
    file = resolver.file(path) if resolver.modules.has(path) else None
    if file is None:
        yield path.rpartition("#")[2]
        return
    stem = posixpath.splitext(posixpath.basename(path))[0]
    yield posixpath.basename(posixpath.dirname(path)) if stem == "__init__" else stem
    yield from (each.name for each in file.definitions if "." not in each.qualified_name and each.kind != "heading")


def _namesakes(resolver: Resolver, own: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Tests that are named after a file, and files that a test is named after."""
    wanted = {other for path in own for other in counterparts(path)}
    for path in resolver.index.paths:
        if path.rpartition("/")[2] in wanted:
            yield path, _NAMESAKE


def counterparts(path: str) -> tuple[str, ...]:
    """The names of the test files of a file, or of the files that a test file may be named after."""
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    if not is_test_path(path):
        return (f"test_{stem}{suffix}", f"{stem}_test{suffix}", f"test_{stem.lstrip('_')}{suffix}")
    bare = stem.removeprefix("test_").removesuffix("_test")
    return (f"{bare}{suffix}", f"_{bare}{suffix}") if bare != stem else ()


def _defining(resolver: Resolver, own: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Files with what the starting points may call through a value, by its name alone."""
    files = filter(None, map(resolver.file, own))
    called = {each.name for file in files for each in file.references if each.kind == "call"}
    for _, places in sorted(resolver.index.defining(sorted(called)[:_MOST_NAMES]).items()):
        if len(places) <= _MOST_DEFINING:
            yield from ((path, _DEFINING / len(places)) for path, _ in places)
