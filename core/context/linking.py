"""Which known things the words of a text name: symbols, files, headings, ids; never by guessing.

What can be a name in a text is told in `spoken_names.py`, which definitions have it in `linked_definitions.py`, which
files in `linked_files.py`. Here all of them meet: where several things have a name, they are kept as candidates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from ..code.identifiers import id_label
from ..code.symbols import Definition
from .linked_definitions import definitions_named
from .linked_files import files_named, is_module
from .linked_places import narrowed
from .spoken_names import SpokenName, spoken_names

if TYPE_CHECKING:
    from ..index.symbol_index import SymbolIndex

Label = Literal["module", "class", "constant", "file", "function", "heading", "requirement", "specification", "test"]
LABELS: tuple[Label, ...] = get_args(Label)
"""What a word can name; `file` is one that is no module."""

_TEST_FILE = re.compile(r"(?:^|/)(?:tests?/.*|test_[^/]*|[^/]*_test\.[^/.]*)$")


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """One word of a request and what it names.

    Attributes:
        token: as it was written; of a heading of several words all of them.
        label: what kind of thing it names, from `LABELS`; empty where ambiguous.
        node_id: of that thing; empty where ambiguous.
        ambiguous: whether several things go by that name; none of them is guessed.
        candidates: all of them as `(label, node id)`, sorted, where ambiguous.
    """

    token: str
    label: str
    node_id: str
    ambiguous: bool
    candidates: tuple[tuple[str, str], ...] = ()


def link(text: str, index: SymbolIndex) -> tuple[LinkedEntity, ...]:
    """The words of a text that name something, in its order, once for each folded name.

    Args:
        text: of which the first 20,000 characters count.
        index: is asked once for all words together; symbols of at most 2,000 files are looked at.
    """
    names = spoken_names(text)
    words = [name for name in names if not name.is_phrase]
    ids = _ids_named(words, index)
    files = files_named([name.key for name in words], index.paths)
    definitions = definitions_named(names, index)
    entities: list[LinkedEntity] = []
    for name in names:
        # An id stands for itself, wherever it is the title of a section too.
        found = ids.get(name.key) or {
            *(("module" if is_module(path) else "file", path) for path in files.get(name.key, ())),
            *((_label(path, each), _node_id(path, each)) for path, each in definitions[name.key]),
        }
        if found:
            entities.append(_entity(name.token, narrowed(found, name.places, index.paths)))
    return tuple(entities)


def _ids_named(words: Sequence[SpokenName], index: SymbolIndex) -> Mapping[str, Collection[tuple[str, str]]]:
    """The requirements and specifications whose ids the tree's files hold; a text may write them in other letters."""
    written: dict[str, str] = {}
    for name in words:
        plain = name.token.strip("_-").replace("_", "-")
        for form in (plain.upper(), plain):
            if id_label(form):
                written[form] = name.key
    known = index.referring(list(written))
    return {key: {(label, form)} for form, key in written.items() if known.get(form) and (label := id_label(form))}


def _label(path: str, definition: Definition) -> Label:
    match definition.kind:
        case "class":
            return "test" if definition.name.startswith("Test") and _TEST_FILE.search(path) else "class"
        case "function" | "method":
            return "test" if definition.name.startswith("test") and _TEST_FILE.search(path) else "function"
        case kind:
            return kind


def _node_id(path: str, definition: Definition) -> str:
    return f"{path}{'#' if definition.kind == 'heading' else '::'}{definition.qualified_name}"


def _entity(token: str, found: Collection[tuple[str, str]]) -> LinkedEntity:
    if len(found) == 1:
        ((label, node),) = found
        return LinkedEntity(token, label, node, ambiguous=False)
    return LinkedEntity(token, "", "", ambiguous=True, candidates=tuple(sorted(found)))
