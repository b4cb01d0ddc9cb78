"""The lines that refer to a symbol, certain ones and possible ones apart, and what else holds its name.

What the text alone can't tell is listed apart: an attribute of something whose class nobody knows. Strings, comments
and documents are no references, but a rename has to look at them too, so it is said how many lines hold the word.
Apart from its tool (`find_references.py`), so that nothing of the index is loaded before somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.grep import search

from ..code.identifiers import id_label
from ..errors import ToolError
from ..relations.lookup import plain_name
from ..relations.neighbours import MOST_FILES, relatives
from ..relations.resolution import Resolver, Symbol
from ..relations.uses import Uses, uses_of
from .base import Workspace
from .places import known_symbols, lines_of, one_line, place, quoted, resolver_at

_SECONDS = 3.0
_MOST_TARGETS = 50
"""Definitions of one name that are looked for together."""
_SHOWN = 5

Place = tuple[str, int]
"""A path and a line."""


def reference_lines(workspace: Workspace, symbol: str) -> list[str]:
    """All lines of the answer: what is meant, each place as `path:line: source`, what else there is.

    Raises:
        ToolError: nothing is called so.
    """
    resolver = resolver_at(workspace.require_index(), workspace.root)
    try:
        targets = known_symbols(resolver, symbol)
    except ToolError:
        lines = _by_name_alone(resolver, symbol)
        if not lines:
            raise
        return lines
    return _of_targets(resolver, workspace, targets, symbol)


def _of_targets(resolver: Resolver, workspace: Workspace, targets: Sequence[Symbol], name: str) -> list[str]:
    looked = targets[:_MOST_TARGETS]
    used = uses_of(resolver, looked)
    defining = {at for target in looked for at in _definitions(resolver, target)}
    certain = {(use.path, use.line) for use in used.found if use.is_certain} | defining
    possible = {(use.path, use.line) for use in used.found} - certain
    lines = [
        _meant(targets, name, len(certain - defining), len(possible)),
        *_besides(resolver, workspace, looked, used, certain | possible),
        *(_line(resolver, at, at in defining) for at in sorted(certain)),
    ]
    if possible:
        lines.append(f"possible, by names and imports alone not certain ({lines_of(len(possible))}):")
        lines += [_line(resolver, at) for at in sorted(possible)]
    return lines


def _meant(targets: Sequence[Symbol], name: str, certain: int, possible: int) -> str:
    if len(targets) == 1:
        meant = place(targets[0])
    else:
        cut = f", {_MOST_TARGETS} of them looked for" if len(targets) > _MOST_TARGETS else ""
        meant = f"{quoted(name)} means {len(targets)} definitions{cut}; to see one alone name it as `path::name`"
    return f"{meant}: used in {lines_of(certain)}" + (f", possibly in {possible} more" if possible else "")


def _definitions(resolver: Resolver, target: Symbol) -> Iterable[Place]:
    """The lines that hold the name of each definition that goes by the target's id: overloads, setters, branches."""
    file = resolver.file(target.path)
    named = re.compile(rf"(?<!\w){re.escape(target.definition.name)}(?!\w)")
    for each in file.definitions if file else ():
        if each.qualified_name == target.definition.qualified_name:
            span = range(each.start_line, min(each.end_line, each.start_line + 50) + 1)
            texts = ((line, resolver.lines.line(target.path, line).strip()) for line in span)
            heads = (line for line, text in texts if not text.startswith("@") and named.search(text))
            yield target.path, next(heads, each.start_line)


def _line(resolver: Resolver, at: Place, defines: bool = False) -> str:
    path, line = at
    mark = "  [definition]" if defines else ""
    return f"{one_line(path)}:{line}: {one_line(resolver.lines.line(path, line).strip())}{mark}"


def _besides(
    resolver: Resolver, workspace: Workspace, targets: Sequence[Symbol], used: Uses, listed: set[Place]
) -> list[str]:
    """What the lines leave out: methods of one name above and below, files that are too many, the word elsewhere."""
    lines: list[str] = []
    kin = {place(each) for each in relatives(resolver, targets[0])} if len(targets) == 1 else set[str]()
    if kin:
        shown = sorted(kin)
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        lines.append(f"the same method in classes above or below: {'; '.join(shown[:_SHOWN])}{more}")
    if used.unseen:
        lines.append(f"not looked through: {used.unseen} of the files that hold the name, beyond {MOST_FILES}")
    return [*lines, _mentions(resolver, workspace, targets[0].definition.name, listed)]


def _mentions(resolver: Resolver, workspace: Workspace, name: str, listed: set[Place]) -> str:
    """How many other lines of the tree hold the word, and where the first are; built files don't count."""
    try:
        found = search(
            workspace.root.path,
            rf"(?<!\w){re.escape(name)}(?!\w)",
            [":(glob)**/*"],
            seconds=_SECONDS,
            skip_ignored=workspace.skip_ignored,
            cancelled=workspace.cancelled,
        )
    except Refused:
        return "strings, comments and documents were not searched: grep does it"
    every = ((match.path, match.line) for match in found.matches if resolver.modules.has(match.path))
    places = [at for at in every if at not in listed]
    if not places:
        return f"no other line holds the word {quoted(name)}"
    count = f"{len(places)}" if found.complete else f"more than {len(places)}"
    shown = ", ".join(one_line(f"{path}:{line}") for path, line in places[:_SHOWN])
    more = ", …" if len(places) > _SHOWN else ""
    return f"besides, {count} lines hold the word (strings, comments, documents, other things so called): {shown}{more}"


def _by_name_alone(resolver: Resolver, symbol: str) -> list[str]:
    """The places that use what the tree does not define: a name of another package, a requirement's id."""
    whole = plain_name(symbol)
    name = whole if id_label(whole) else whole.replace("::", ".").rpartition(".")[2]
    paths = resolver.index.referring([name]).get(name, ())[:MOST_FILES]
    resolver.load(paths)
    places = sorted({at for path in paths for at in _naming(resolver, path, name)})
    if not places:
        return []
    head = f"{quoted(symbol)} is not defined in this tree; {quoted(name)} is used in {lines_of(len(places))}:"
    return [head, *(_line(resolver, at) for at in places)]


def _naming(resolver: Resolver, path: str, name: str) -> Iterable[Place]:
    file = resolver.file(path)
    if file:
        yield from ((path, each.line) for each in file.references if each.name == name)
        yield from (
            (path, each.line)
            for each in file.imports
            if name in (each.name, each.alias, each.module.rpartition(".")[2])
        )
