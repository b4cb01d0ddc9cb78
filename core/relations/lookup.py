"""Finds what is meant by a symbol's name: `area`, `Square.area`, `shapes.Square.area`, `src/shapes.py::Square.area`.

Nothing is guessed: all that fit are given, and where none does, the names that are nearest.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from ..context.frame import fold
from .modules import module_name
from .neighbours import is_test_path
from .resolution import Module, Resolver, Symbol

LONGEST_NAME = 500
"""Characters of a name that is looked for."""
_MOST = 2000
"""Places of one name, and files whose names are compared with a mistaken one."""
_NEAR = 5


def plain_name(text: str) -> str:
    """A name without what people put around it: backticks, spaces, empty parentheses."""
    return text.strip().strip("`'\"").removesuffix("()").strip()


def find_symbols(resolver: Resolver, text: str) -> tuple[Symbol, ...]:
    """Every definition that the name can mean, one for each node id, the likeliest first; none where it means none."""
    name = plain_name(text)[:LONGEST_NAME]
    path, mark, inner = name.partition("#" if "#" in name else "::")
    if mark and resolver.modules.has(path):
        return _inside(resolver, path, inner.replace("::", "."))
    dotted = name.replace("::", ".").replace("#", ".").strip(".")
    found = _ending(resolver, dotted)
    return found or _handed_on(resolver, dotted)


def find_modules(resolver: Resolver, text: str) -> tuple[str, ...]:
    """The files that a dotted module name can mean."""
    return resolver.modules.named(plain_name(text)[:LONGEST_NAME].replace("::", "."))


def near_names(resolver: Resolver, text: str) -> tuple[str, ...]:
    """Node ids of symbols whose names differ in case or underscores only, else of those that look most like it."""
    name = plain_name(text)[:LONGEST_NAME].replace("::", ".").rpartition(".")[2]
    folded = resolver.index.folded([fold(name)]).get(fold(name), ())
    places = filter(None, (resolver.symbol(*place) for place in folded[:_NEAR]))
    if folded:
        return tuple(symbol.node_id for symbol in places)
    paths = resolver.index.paths[:_MOST]
    resolver.load(paths)
    known: dict[str, str] = {}
    for symbol in _all_in(resolver, paths):
        known.setdefault(symbol.definition.name, symbol.node_id)
    alike = [each for each in known if abs(len(each) - len(name)) <= 3 and set(each.lower()) & set(name.lower())]
    return tuple(known[each] for each in difflib.get_close_matches(name, sorted(alike), n=_NEAR))


def _all_in(resolver: Resolver, paths: Iterable[str]) -> Iterable[Symbol]:
    for path in paths:
        file = resolver.file(path)
        for position, definition in enumerate(file.definitions if file else ()):
            if definition.kind != "heading":
                yield Symbol(path, position, definition)


def _inside(resolver: Resolver, path: str, wanted: str) -> tuple[Symbol, ...]:
    """Those of one file whose qualified name is, else ends with, what is wanted."""
    file = resolver.file(path)
    every = [Symbol(path, position, each) for position, each in enumerate(file.definitions if file else ())]
    exact = [symbol for symbol in every if symbol.definition.qualified_name == wanted]
    ends = [symbol for symbol in every if f".{symbol.definition.qualified_name}".endswith(f".{wanted}")]
    return _once(exact or ends) if wanted else ()


def _ending(resolver: Resolver, dotted: str) -> tuple[Symbol, ...]:
    """Those whose full name, module included, ends with these parts."""
    last = dotted.rpartition(".")[2]
    places = resolver.index.defining([last]).get(last, ())[:_MOST] if last else ()
    resolver.load([path for path, _ in places])
    symbols = filter(None, (resolver.symbol(*place) for place in places))
    return _once([symbol for symbol in symbols if f".{_full_name(symbol)}".endswith(f".{dotted}")])


def _full_name(symbol: Symbol) -> str:
    return f"{module_name(symbol.path)}.{symbol.definition.qualified_name}"


def _handed_on(resolver: Resolver, dotted: str) -> tuple[Symbol, ...]:
    """What a module imports and hands on: `flask.Flask`, which is defined in `flask/app.py`."""
    parts = dotted.split(".")
    for count in range(len(parts) - 1, 0, -1):
        found: list[Symbol] = []
        for path in resolver.modules.named(".".join(parts[:count])):
            meaning = resolver.member(Module(path), parts[count])
            for name in parts[count + 1 :]:
                meaning = resolver.member(meaning, name)
            found += [meaning] if isinstance(meaning, Symbol) else []
        if found:
            return _once(found)
    return ()


def _once(symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    first: dict[str, Symbol] = {}
    for symbol in symbols:
        first.setdefault(symbol.node_id, symbol)
    return tuple(sorted(first.values(), key=_by_weight))


def _by_weight(symbol: Symbol) -> tuple[bool, int, str, int, str]:
    """Code before its tests, what stands at the top before what is inside something, then by place."""
    definition = symbol.definition
    depth = definition.qualified_name.count(".")
    return (is_test_path(symbol.path), depth, symbol.path, definition.start_line, symbol.node_id)
