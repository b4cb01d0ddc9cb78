"""What hangs together with a path or a symbol, in words: who calls and imports it, what it uses, which tests reach it.

Apart from its tool (`codebase_context.py`), so that nothing of the index is loaded before somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from ..errors import ToolError
from ..index.symbol_index import SymbolIndex
from ..relations.lookup import find_modules, plain_name
from ..relations.neighbours import callees_of, imported_by, importers_of, is_test_path, owner_class, relatives
from ..relations.resolution import Resolver, Symbol
from ..relations.uses import Use, Uses, uses_of, using_tests
from .places import Listed, described, fitted, known_symbols, lines_of, one_line, place, quoted, resolver_at

_MOST_FILES = 200
"""Files of a folder that are looked at."""
_MOST_POSSIBLE = 15


def surroundings(index: SymbolIndex, root: Root, target: str) -> str:
    """What hangs together with a target, as lists of `path:line symbol`, each with its count.

    Args:
        root: of the tree; says what is wrong with a path.
        target: a path of the repository, or a symbol; one that means several things gives all of them.

    Raises:
        Refused: the path is none of the repository.
        ToolError: there is no such symbol, or it is the whole repository.
    """
    resolver = resolver_at(index, root)
    name = plain_name(target)
    path, mark, inner = name.partition("#" if "#" in name else "::")
    is_path = "/" in path
    if is_path:
        path = root.normalize(path)
    if path == ".":
        raise ToolError("name a folder, a file or a symbol; the whole repository hangs together")
    if mark:
        return _of_name(resolver, f"{path}{mark}{inner}")
    files = _files_at(resolver, path)
    if files:
        return _of_files(resolver, path, files)
    if is_path or _is_there(root, path):
        return _without_symbols(root, path)
    return _of_name(resolver, path)


def _files_at(resolver: Resolver, path: str) -> tuple[str, ...]:
    """The file of this path, or those below the folder."""
    if resolver.modules.has(path):
        return (path,)
    return tuple(each for each in resolver.index.paths if each.startswith(f"{path}/"))


def _without_symbols(root: Root, path: str) -> str:
    """The answer for a path that the index does not know.

    Raises:
        Refused: there is no such file; near names are given.
    """
    if root.kind(path) != "directory":
        root.read(path)
    return f"{one_line(path)} holds no file that is part of the repository"


def _is_there(root: Root, name: str) -> bool:
    """Whether a name without slashes is that of something at the top, though not of the repository."""
    try:
        return name != "" and root.kind(name) != "missing"
    except Refused:
        return False


def _of_name(resolver: Resolver, name: str) -> str:
    try:
        symbols = known_symbols(resolver, name)
    except ToolError:
        modules = find_modules(resolver, name)
        if not modules:
            raise
        return _of_files(resolver, modules[0], modules[:1]) if len(modules) == 1 else _choice(name, modules)
    # What a stub says of a definition is no other one.
    own = [symbol for symbol in symbols if not symbol.path.endswith(".pyi")] or symbols
    if len(own) == 1:
        return _of_symbol(resolver, own[0], [symbol for symbol in symbols if symbol not in own])
    return _choice(name, [described(symbol) for symbol in symbols])


def _choice(name: str, candidates: Sequence[str]) -> str:
    head = f"{quoted(name)} can mean {len(candidates)} things; ask again with one of these, as `path` or `path::name`"
    return fitted([head], [Listed("candidates", [one_line(each) for each in candidates])])


def _of_symbol(resolver: Resolver, symbol: Symbol, stubs: Sequence[Symbol] = ()) -> str:
    definition = symbol.definition
    used = uses_of(resolver, [symbol])
    head = [described(symbol), *([f"  {one_line(definition.docstring)}"] if definition.docstring else [])]
    callees = callees_of(resolver, symbol.path, (definition.start_line, definition.end_line))
    importers = {use.path: use.line for use in reversed(used.found) if use.kind == "import"}
    lists = [
        *_callers(resolver, used, frozenset()),
        Listed("callees", [place(callee) for callee, _ in callees]),
        Listed("importers", _files(importers)),
        Listed("tests", _tests(using_tests(resolver, used.found))),
        *_kin(resolver, symbol),
        *([Listed("stubs", [place(stub) for stub in stubs])] if stubs else []),
        *_possible(resolver, used),
    ]
    return fitted(head, lists)


def _callers(resolver: Resolver, used: Uses, own: frozenset[str]) -> list[Listed]:
    """Who certainly uses it outside of tests, by the function or class around each place."""
    certain = [use for use in used.found if use.is_certain and use.kind != "import" and use.path not in own]
    lines = _by_owner(resolver, [use for use in certain if not is_test_path(use.path)])
    unseen = [Listed("files with that name that were not looked through", [str(used.unseen)])] if used.unseen else []
    return [Listed("callers", lines), *unseen]


def _possible(resolver: Resolver, used: Uses) -> list[Listed]:
    lines = _by_owner(resolver, [use for use in used.found if not use.is_certain])
    return [Listed("possible callers (by names and imports alone not certain)", lines, _MOST_POSSIBLE)] if lines else []


def _by_owner(resolver: Resolver, uses: Iterable[Use]) -> list[str]:
    """One line for each function, class or file that holds uses, with its first line and how many they are."""
    groups: dict[tuple[str, str], list[Use]] = {}
    for use in uses:
        owner = resolver.symbol(use.path, use.owner)
        groups.setdefault((use.path, owner.definition.qualified_name if owner else ""), []).append(use)
    return [_group(path, name, group) for (path, name), group in groups.items()]


def _group(path: str, name: str, uses: Sequence[Use]) -> str:
    count = len({use.line for use in uses})
    kind = uses[0].kind
    notes = [*([f"as {kind}"] if kind not in ("call", "name") else []), *([lines_of(count)] if count > 1 else [])]
    said = f" ({', '.join(notes)})" if notes else ""
    return one_line(f"{path}:{uses[0].line} {name or 'top of the file'}{said}")


def _files(found: Mapping[str, int]) -> list[str]:
    return [one_line(f"{path}:{line}") for path, line in sorted(found.items())]


def _tests(found: Mapping[str, Use]) -> list[str]:
    return [one_line(f"{use.path}:{use.line} {node.partition('::')[2]}").rstrip() for node, use in found.items()]


def _kin(resolver: Resolver, symbol: Symbol) -> list[Listed]:
    """What overrides it or is overridden by it; of a class its bases."""
    bases = list(resolver.bases(symbol)) if symbol.definition.kind == "class" else list[Symbol]()
    kin = relatives(resolver, symbol) if owner_class(resolver, symbol) else []
    named = (("bases", bases), ("same method in classes above or below", kin))
    return [Listed(title, [place(each) for each in found]) for title, found in named if found]


def _of_files(resolver: Resolver, path: str, files: Sequence[str]) -> str:
    looked = files[:_MOST_FILES]
    resolver.load(looked)
    own = frozenset(files)
    tops = [symbol for file in looked for symbol in _tops(resolver, file)]
    used = uses_of(resolver, tops)
    importers = {each: line for each, line in importers_of(resolver, looked).items() if each not in own}
    imports = {each: line for file in looked for each, line in imported_by(resolver, file).items() if each not in own}
    callees = {callee.node_id: callee for file in looked for callee in _callees(resolver, file, own)}
    lists = [
        *_callers(resolver, used, own),
        Listed("callees", [place(callees[node]) for node in sorted(callees)]),
        Listed("importers", _files({each: line for each, line in importers.items() if not is_test_path(each)})),
        Listed("imports", [one_line(each) for each in sorted(imports)]),
        Listed("tests", _test_files(used, importers, own)),
    ]
    return fitted(_head(resolver, path, files), lists)


def _head(resolver: Resolver, path: str, files: Sequence[str]) -> list[str]:
    if files == (path,):
        file = resolver.file(path)
        known = f"{file.lines} lines, {len(file.definitions)} symbols" if file else "no symbols known"
        return [one_line(f"{path}: {known}"), *([f"  {one_line(file.docstring)}"] if file and file.docstring else [])]
    looked = f", {_MOST_FILES} of them looked at; ask for a smaller folder" if len(files) > _MOST_FILES else ""
    return [one_line(f"{path}/: {len(files)} files{looked}")]


def _tops(resolver: Resolver, path: str) -> list[Symbol]:
    file = resolver.file(path)
    every = [Symbol(path, position, each) for position, each in enumerate(file.definitions if file else ())]
    return [each for each in every if "." not in each.definition.qualified_name and each.definition.kind != "heading"]


def _callees(resolver: Resolver, path: str, own: frozenset[str]) -> list[Symbol]:
    file = resolver.file(path)
    found = callees_of(resolver, path, (1, file.lines)) if file else []
    return [callee for callee, _ in found if callee.path not in own]


def _test_files(used: Uses, importers: Mapping[str, int], own: frozenset[str]) -> list[str]:
    """Test files that use it or import it, each with the first line that does."""
    found = {path: line for path, line in importers.items() if is_test_path(path)}
    for use in used.found:
        if use.is_certain and is_test_path(use.path) and use.path not in own:
            found[use.path] = min(use.line, found.get(use.path, use.line))
    return _files(found)
