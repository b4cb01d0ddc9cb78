"""The symbols of a source in any language that has a query in `queries/`, by the tags which that query gives.

A grammar names its nodes as it likes; a query gives the same tags in all of them, so that a language is a row and a
query and no code. What the tags mean stands in `tagged_definitions.py`, `tagged_imports.py`, `tagged_references.py` and
`margins.py`. Names within what is tagged `skip` are no references. Which name stands for which thing, where a language
lets one hide another, isn't asked here.
"""

from __future__ import annotations

from . import trees
from .languages import LanguageRow
from .mentions import mentions
from .spans import spans
from .symbols import FileSymbols
from .tagged_definitions import tagged
from .tagged_imports import imports_of
from .tagged_references import references
from .unreadable import count_lines, unreadable

_SKIPPED = -2


def extract_tagged(data: bytes, path: str, row: LanguageRow) -> FileSymbols:
    """The symbols of a source in whatever state.

    Args:
        data: the whole file.
        path: tells with the content what encoding it has.
        row: its language, whose grammar must be installed.
    """
    source = trees.plain(data, path)
    tree = trees.bounded_tree_of(source, row)
    if tree is None:
        return unreadable(row.name, source)
    root = tree.root_node
    matches = trees.matches(row, root)
    imports = tuple(sorted(imports_of(matches, source), key=lambda item: item.line))
    aliases = {node.start_byte for match in matches if "module" in match for node in match.get("alias", ())}
    known = tagged(matches, source, aliases)
    skipped = [(node.start_byte, node.end_byte, _SKIPPED) for match in matches for node in match.get("skip", ())]
    owners = spans(sorted(known.pieces + skipped, key=lambda piece: (piece[0], -piece[1])))
    used = references(matches, source, known, {item.alias for item in imports}, owners)
    used.update(mentions(source, root, row, known.pieces))
    return FileSymbols(
        language=row.name,
        docstring=None,
        definitions=tuple(known.definitions),
        references=tuple(map(used.__getitem__, sorted(used))),
        imports=imports,
        lines=count_lines(source),
        broken=root.has_error,
    )
