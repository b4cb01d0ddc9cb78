"""What a source file defines, refers to and imports, as plain values; `extract` reads it from bytes, purely.

Every language and every document goes through here, so whoever needs symbols needs to know no grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["class", "function", "method", "constant", "heading"]
ReferenceKind = Literal["call", "base", "decorator", "annotation", "name", "id"]

EXTRACTOR = "1"
"""Changes whenever `extract` gives anything else for the same bytes; what is kept of files is kept under it."""


class Definition(NamedTuple):
    """One symbol of a file; a tuple, which is made in a fifth of the time, since a project has many thousand of them.

    Attributes:
        kind: `method` for a function directly in a class; `heading` for a section of a document.
        name: as written; of a heading its text.
        qualified_name: with the names of what it lies in, separated by dots; of a heading its anchor, unique in the
            file (`installation`, `installation-1`).
        signature: one line without comments, from `async`, `def` or `class` to before the colon, or a constant's
            first line; of other languages the like. Empty for a heading.
        decorators: without `@`, each in one line.
        docstring: its first line, or None.
        start_line: first line, decorators included; lines count from 1.
        end_line: last line; of a heading the last line of its section.
    """

    kind: Kind
    name: str
    qualified_name: str
    signature: str
    decorators: tuple[str, ...]
    docstring: str | None
    start_line: int
    end_line: int


class Reference(NamedTuple):
    """One place where a name is used that may be defined elsewhere; a tuple, since a project has a million of them.

    Attributes:
        name: the last segment (`area` of `shapes.area()`); of kind `id` a requirement's or specification's id.
        line: from 1.
        owner: the position in `definitions` of the innermost class, function or method it stands in; -1 at the top.
        receiver: the name before the last dot where that is one plain name (`shapes`, `self`), else "".
    """

    name: str
    line: int
    kind: ReferenceKind
    owner: int
    receiver: str = ""


class Import(NamedTuple):
    """One imported name.

    Attributes:
        module: as written, with its leading dots (`..shapes`); of other languages the path or module as written.
        name: what is imported from it, `*` for all; None where the module itself is.
        alias: the name that it has here.
        line: from 1.
    """

    module: str
    name: str | None
    alias: str
    line: int


@dataclass(frozen=True, slots=True)
class FileSymbols:
    """Everything known of one file.

    Attributes:
        language: the row's name, such as `python` or `markdown`.
        docstring: the first line of the module's docstring, of a document its first heading; or None.
        definitions: in file order, nested ones included.
        references: in file order.
        lines: how many the file has.
        broken: whether the grammar met errors.
    """

    language: str
    docstring: str | None
    definitions: tuple[Definition, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    lines: int
    broken: bool = False


def extract(data: bytes, path: str) -> FileSymbols | None:
    """The symbols of a file in whatever state, in linear time; None where no row of the table is for such a path.

    Args:
        data: the whole file.
        path: tells the language, and with the content the encoding.

    Returns:
        None too where the language's grammar isn't installed: `trees.is_installed` says so without reading anything.
    """
    from .documents import extract_document, is_document
    from .languages import PYTHON, row_of
    from .trees import is_installed

    row = row_of(path)
    if row is None:
        return extract_document(data, path) if is_document(path) else None
    if row == PYTHON:
        from .python_symbols import extract_python

        return extract_python(data, path)
    if not is_installed(row):
        return None
    from .tagged_symbols import extract_tagged

    return extract_tagged(data, path, row)
