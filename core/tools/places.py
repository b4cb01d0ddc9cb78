"""How tools that answer from the index word it: places, lists that say what they leave out, unknown names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from ..code.documents import is_document
from ..errors import ToolError
from ..index.symbol_index import SymbolIndex
from ..redact import printable
from ..relations.lookup import find_symbols, near_names, plain_name
from ..relations.resolution import Resolver, Symbol
from ..result_limits import RESULT_LIMIT
from .paging import cut_text

_LINE_LIMIT = 200
"""Bytes of one line; signatures can be as long as a page."""
_CAPS = (20, 12, 8, 3)
"""Lines of each list; the first number that lets the whole answer fit is taken."""
_NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Listed:
    """A titled list.

    Attributes:
        most: lines that are shown at most, however much room there is.
    """

    title: str
    lines: Sequence[str]
    most: int = 20


def resolver_at(index: SymbolIndex, root: Root) -> Resolver:
    """What names mean in a tree that lies on disk: a file there is read a hundred times faster than one of git's."""

    def read(path: str) -> bytes | None:
        try:
            return root.read(path).data
        except Refused:
            return index.source(path)

    return Resolver(index, read)


def one_line(text: str, limit: int = _LINE_LIMIT) -> str:
    """A stranger's text on one line; line breaks and what could drive a terminal are spelled out."""
    text = text[: limit + 1]
    shown = "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in printable(text))
    return shown if len(shown.encode()) <= limit else f"{cut_text(shown, limit)}…"


def quoted(text: str) -> str:
    """A name as the model sent it, in backticks, at most a hundred bytes of it."""
    return f"`{one_line(text, _NAME_LIMIT)}`"


def lines_of(count: int) -> str:
    """How many lines there are, in words."""
    return "1 line" if count == 1 else f"{count} lines"


def place(symbol: Symbol) -> str:
    """`path:line qualified name` of a definition."""
    return one_line(f"{symbol.path}:{symbol.definition.start_line} {symbol.definition.qualified_name}")


def described(symbol: Symbol) -> str:
    """A definition's place, kind and signature."""
    definition = symbol.definition
    signature = f": {definition.signature}" if definition.signature else ""
    lines = f"{definition.start_line}-{definition.end_line}"
    return one_line(f"{symbol.path}:{lines} {definition.kind} {definition.qualified_name}{signature}")


def fitted(head: Iterable[str], lists: Sequence[Listed]) -> str:
    """The head and the lists, each cut so far that all fit into one answer."""
    first = list(head)
    texts = (
        "\n".join([*first, *(line for each in lists for line in _rendered(each, min(cap, each.most)))]) for cap in _CAPS
    )
    # The fewest lines always fit: a line, and the number of lists, are bounded.
    return next(text for text in texts if len(text.encode()) <= RESULT_LIMIT)


def _rendered(listed: Listed, cap: int) -> list[str]:
    count = len(listed.lines)
    if not count:
        return [f"{listed.title}: none"]
    shown = f", {cap} of them shown" if count > cap else ""
    return [f"{listed.title}: {count}{shown}", *(f"  {line}" for line in listed.lines[:cap])]


def known_symbols(resolver: Resolver, name: str) -> tuple[Symbol, ...]:
    """What a name can mean: definitions of code, else what documents hold.

    Raises:
        ToolError: nothing; it says what is near.
    """
    if not plain_name(name):
        raise ToolError("name a symbol, such as `area`, `Square.area` or `src/shapes.py::Square.area`")
    found = find_symbols(resolver, name)
    code = tuple(symbol for symbol in found if not is_document(symbol.path))
    if found:
        return code or found
    raise ToolError(unknown(resolver, name))


def unknown(resolver: Resolver, name: str) -> str:
    """That nothing in the tree has this name, and what has a similar one."""
    near = ", ".join(f"`{one_line(node)}`" for node in near_names(resolver, name))
    return f"no symbol {quoted(name)} is defined in this tree; " + (f"near: {near}" if near else "grep finds any text")
