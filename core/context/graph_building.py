"""Builds the graph of some files from what they define, refer to and import.

What a name means is told by `resolution.py`. Where the text alone doesn't tell, as for a method of a value, all that
bear the name share the weight of one edge; a name that many bear makes none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from ..code.symbols import Definition, FileSymbols, Import, Reference, ReferenceKind
from ..relations.neighbours import is_test_path
from ..relations.resolution import OWN_RECEIVERS, Meaning, Module, Symbol
from .graph import Edge, Graph, Node
from .kept_resolver import KeptResolver
from .neighbourhood import Around, counterparts
from .selection import LinkKind

_WEIGHTS: Mapping[LinkKind, float] = {
    "calls": 1.0,
    "inherits": 1.2,
    "tests": 0.8,
    "uses": 0.5,
    "imports": 0.3,
    "holds": 0.4,
}
_KINDS: Mapping[ReferenceKind, LinkKind] = {
    "call": "calls",
    "base": "inherits",
    "decorator": "uses",
    "annotation": "uses",
    "name": "uses",
    "id": "uses",
}
_REPEATED = 0.25
"""What a second to fifth reference from one place to the same adds."""
_MOST_REPEATED = 5
_MOST_BEARERS = 8
"""Definitions of a name that share an edge; a name that more bear tells nothing."""
_POSSIBLE = 0.8
"""Of what a certain edge weighs."""
_MOST_NAMESAKES = 3
_EVERYWHERE = frozenset(["__init__.py", "index.js", "index.ts", "mod.rs"])
"""Names of files that say nothing without their folder."""


def graph_of(resolver: KeptResolver, around: Around, alone: Collection[str] = ()) -> Graph:
    """The graph of some files.

    Args:
        resolver: of the tree, into which the files are loaded.
        around: the files.
        alone: files that are nodes even where nothing is known of what they hold.
    """
    files = {path: file for path in around.paths if (file := resolver.file(path))}
    making = _Making(resolver, frozenset(around.whole))
    for path, file in files.items():
        making.add_nodes(path, file)
    for path in sorted(frozenset(alone) - files.keys()):
        making.add_alone(path)
    own = files.keys() & frozenset(around.own)
    for path in sorted(own):
        making.add_edges(path, files[path])
    # What others refer to matters where it is known already.
    resolver.close()
    for path in sorted(files.keys() - own):
        making.add_edges(path, files[path])
    making.add_possible()
    making.add_namesakes(list(files))
    return making.graph()


class _Making:
    """A graph on its way."""

    def __init__(self, resolver: KeptResolver, whole: frozenset[str]) -> None:
        self._resolver = resolver
        self._whole = whole
        files = filter(None, map(resolver.file, sorted(whole)))
        self._wanted = frozenset(each.name for file in files for each in file.definitions)
        self._nodes: dict[str, Node] = {}
        self._counts: defaultdict[tuple[str, str, LinkKind, bool], float] = defaultdict(float)
        self._possible: defaultdict[str, list[tuple[str, LinkKind]]] = defaultdict(list)
        self._meanings: dict[tuple[str, str, str, int, bool], Meaning] = {}
        self._holders: dict[tuple[str, str, int], Meaning] = {}
        self._overloads: set[str] = set()
        # A function within a function is part of it, for whoever calls it and whatever it calls.
        self._outer: dict[str, str] = {}

    def add_nodes(self, path: str, file: FileSymbols) -> None:
        is_test = is_test_path(path)
        self._nodes[path] = Node(path, "", (1, max(1, file.lines)), _file_name(path), is_test)
        functions: set[str] = set()
        for position, definition in enumerate(file.definitions):
            node = Symbol(path, position, definition).node_id
            outer = f"{path}::{definition.qualified_name.rpartition('.')[0]}"
            if outer in functions or outer in self._outer:
                self._outer[node] = self._outer.get(outer, outer)
                continue
            if definition.kind in ("function", "method"):
                functions.add(node)
            lines = (definition.start_line, definition.end_line)
            if node not in self._nodes or node in self._overloads:
                self._nodes[node] = Node(path, definition.qualified_name, lines, definition.name, is_test)
                # What counts is what comes after them.
                (self._overloads.add if _is_overload(definition) else self._overloads.discard)(node)

    def add_alone(self, path: str) -> None:
        lines = self._resolver.lines.of(path)
        last = max(1, len(lines) - (not lines[-1]))
        self._nodes[path] = Node(path, "", (1, last), _file_name(path), is_test_path(path))

    def add_edges(self, path: str, file: FileSymbols) -> None:
        own = [Symbol(path, position, each).node_id for position, each in enumerate(file.definitions)]
        owners = [self._outer.get(node, node) for node in own]
        for position, definition in enumerate(file.definitions):
            outer = definition.qualified_name.rpartition(".")[0]
            holder = f"{path}::{outer}"
            self._add(holder if holder in self._nodes else path, owners[position], "holds")
        for reference, count in self._distinct(path, file).items():
            owner = owners[reference.owner] if 0 <= reference.owner < len(owners) else path
            self._add_reference(path, owner, reference, count)
        wanted = self._wanted if path not in self._whole else None
        for given in file.imports:
            if wanted is not None and given.name not in (None, "*") and given.name not in wanted:
                continue
            for target in self._imported(path, given):
                self._add(path, target, "imports")

    def _distinct(self, path: str, file: FileSymbols) -> Mapping[Reference, int]:
        """The references that count, with how often each stands in the same definition."""
        wanted = self._wanted if path not in self._whole else None
        first: dict[tuple[int, str, str, str], Reference] = {}
        counts: defaultdict[Reference, int] = defaultdict(int)
        for each in file.references:
            if wanted is None or each.name in wanted or each.receiver in wanted or each.kind == "id":
                counts[first.setdefault((each.owner, each.receiver, each.name, each.kind), each)] += 1
        return counts

    def _add_reference(self, path: str, owner: str, reference: Reference, count: int) -> None:
        if reference.kind == "id":
            self._nodes.setdefault(reference.name, Node("", reference.name, (0, 0), reference.name, is_test=False))
            self._add(owner, reference.name, "uses", count)
            return
        meaning = self._meaning(path, reference)
        kind = _KINDS[reference.kind]
        holder = self._holder(path, reference) if reference.receiver else None
        if isinstance(holder, Symbol) and reference.receiver not in OWN_RECEIVERS:
            self._add(owner, holder.node_id, "uses", count)
        if isinstance(meaning, Symbol):
            self._add(owner, meaning.node_id, kind, count)
        elif isinstance(meaning, Module):
            self._add(owner, meaning.path, "uses", count)
        elif meaning is None and _may_be_attribute(reference):
            self._possible[reference.name].append((owner, kind))

    def _meaning(self, path: str, reference: Reference) -> Meaning:
        key = (path, reference.receiver, reference.name, reference.owner, reference.kind in ("base", "decorator"))
        if key not in self._meanings:
            self._meanings[key] = self._resolver.meaning(path, reference)
        return self._meanings[key]

    def _holder(self, path: str, reference: Reference) -> Meaning:
        key = (path, reference.receiver, reference.owner)
        if key not in self._holders:
            self._holders[key] = self._resolver.holder(path, reference)
        return self._holders[key]

    def _imported(self, path: str, given: Import) -> Iterator[str]:
        name = given.alias or given.name
        meaning = self._resolver.exported(path, name) if given.name not in (None, "*") and name else None
        if isinstance(meaning, Symbol) and meaning.path != path:
            yield meaning.node_id
            yield meaning.path
        elif isinstance(meaning, Module):
            yield meaning.path
        else:
            yield from self._resolver.modules.resolve(given.module, path)

    def _add(self, source: str, target: str, kind: LinkKind, share: float = 1.0, *, is_certain: bool = True) -> None:
        target = self._outer.get(target, target)
        if source != target and source in self._nodes and target in self._nodes:
            if kind in ("calls", "uses", "imports") and self._nodes[source].is_test and not self._nodes[target].is_test:
                kind = "tests"
            self._counts[source, target, kind, is_certain] += share

    def add_possible(self) -> None:
        """What is reached through values, by the names of members alone."""
        names = sorted(name for name in self._possible if not name.startswith("__"))
        for name, places in sorted(self._resolver.index.defining(names).items()):
            if len(places) > _MOST_BEARERS:
                continue
            # Of files that aren't in the graph nothing is looked up: there may be many.
            known = [found for place in places if place[0] in self._nodes and (found := self._resolver.symbol(*place))]
            members = [each.node_id for each in known if "." in each.definition.qualified_name]
            for (owner, kind), node in product(self._possible[name], [node for node in members if node in self._nodes]):
                if self._nodes[owner].is_test or not self._nodes[node].is_test:
                    self._add(owner, node, kind, _POSSIBLE / len(places), is_certain=len(places) == 1)

    def add_namesakes(self, paths: Sequence[str]) -> None:
        """Tests that are named after a file."""
        named: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            if not is_test_path(path):
                named[path.rpartition("/")[2]].append(path)
        for path in paths:
            tested = [each for name in counterparts(path) for each in named.get(name, ())] if is_test_path(path) else []
            if len(tested) <= _MOST_NAMESAKES:
                for each in tested:
                    self._add(path, each, "tests")

    def graph(self) -> Graph:
        edges: dict[tuple[str, str], Edge] = {}
        for (source, target, kind, is_certain), count in sorted(self._counts.items()):
            repeated = min(count, 1.0) + _REPEATED * (min(max(count, 1.0), _MOST_REPEATED) - 1)
            edge = Edge(kind, _WEIGHTS[kind] * repeated, is_certain)
            before = edges.get((source, target))
            if before is None or (before.is_certain, before.weight) < (edge.is_certain, edge.weight):
                edges[source, target] = edge
        return Graph(dict(sorted(self._nodes.items())), edges)


def _file_name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}".lstrip("/") if name in _EVERYWHERE else name


def _may_be_attribute(reference: Reference) -> bool:
    if reference.receiver in OWN_RECEIVERS or reference.kind not in ("call", "decorator", "name"):
        return False
    return reference.kind == "call" or bool(reference.receiver)


def _is_overload(definition: Definition) -> bool:
    return any(decorator.rpartition(".")[2] == "overload" for decorator in definition.decorators)
