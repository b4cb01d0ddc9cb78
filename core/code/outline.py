"""What a file defines, as a model or a message shows it: one line a definition, indented by nesting.

What there is to show comes from `extract`, for every language and for documents; constants are left out, since they say
more in the text than in a list. Scripts without a suffix count as Python where their first line says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from .documents import is_document
from .languages import INSTALL, row_of
from .symbols import Definition, extract
from .trees import is_installed

_MAX_SHOWN = 240
"""Characters of a signature or a docstring in a rendered line."""
_MAX_INDENT = 64
_SCRIPT = b"#!"
_MAX_FIRST_LINE = 200


def outline(data: bytes, path: str) -> tuple[Definition, ...]:
    """The classes, functions and methods of a source, or the headings of a document, in file order.

    Args:
        data: the whole file, in whatever state.
        path: the file's path, which tells with the content what language and encoding it has.

    Returns:
        Nothing for a file of no known language, or of one whose grammar isn't installed.
    """
    found = extract(data, f"{path}.py" if _is_python_script(data, path) else path)
    return tuple(item for item in found.definitions if item.kind != "constant") if found else ()


def render(symbols: Sequence[Definition], path: str) -> str:
    """The outline as text for a model: one line a symbol, indented by nesting."""
    if not symbols:
        return f"{path}: {_why_none(path)}"
    holders: list[Definition] = []
    lines = [path]
    for symbol in symbols:
        while holders and not _holds(holders[-1], symbol):
            holders.pop()
        lines.append(_line(symbol, len(holders)))
        holders.append(symbol)
    return "\n".join(lines)


def _why_none(path: str) -> str:
    """Why a file has no outline; without a suffix it may still be a script of Python."""
    row = row_of(path)
    if is_document(path):
        return "no headings"
    if row is not None and not is_installed(row):
        return (
            f"no outline without the grammars of other languages; `{INSTALL}` installs them, read_file shows the file"
        )
    if row is None and "." in path.rpartition("/")[2]:
        return "no outline of this kind of file; read_file shows it"
    return "no classes or functions"


def enclosing(symbols: Sequence[Definition], line: int) -> str | None:
    """The dotted name of the innermost symbol that a line (from 1) lies in."""
    inside = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line]
    return inside[-1].qualified_name if inside else None


def _is_python_script(data: bytes, path: str) -> bool:
    if "." in path.rpartition("/")[2] or not data.startswith(_SCRIPT):
        return False
    return b"python" in data[:_MAX_FIRST_LINE].split(b"\n", 1)[0]


def _holds(holder: Definition, symbol: Definition) -> bool:
    if symbol.kind == "heading":  # its anchor doesn't tell
        return symbol.end_line <= holder.end_line
    return symbol.qualified_name.startswith(f"{holder.qualified_name}.")


def _line(symbol: Definition, depth: int) -> str:
    decorators = "".join(f"@{decorator} " for decorator in symbol.decorators)
    docstring = f'  "{_cut(symbol.docstring)}"' if symbol.docstring else ""
    lines = f"L{symbol.start_line}-{symbol.end_line}"
    text = f"# {symbol.name}" if symbol.kind == "heading" else decorators + symbol.signature
    return f"{'  ' * min(depth, _MAX_INDENT)}{lines} {_cut(text)}{_owner(symbol, depth)}{docstring}"


def _owner(symbol: Definition, depth: int) -> str:
    """The type that a method stands apart from, where its own line doesn't name it, as in Rust's `impl`."""
    owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
    return f"  (of {owner})" if symbol.kind == "method" and not depth and owner not in symbol.signature else ""


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}\u2026"
