"""Which names each function and class of a Python source binds for itself, and which can only be local or Python's own.

A name counts as local by the file's own word alone: nothing is executed, and no other file is read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .python_builtins import BUILTINS
from .python_definitions import Defined
from .spans import Spans, spans
from .symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

IMPORT = -2
"""What `Scopes.owners` gives within an import statement, whose names are no references."""


@dataclass(frozen=True, slots=True)
class Scopes:
    """What is known of a source's names.

    Attributes:
        defined: what the source defines.
        owners: the position of the innermost definition, `IMPORT` within an import statement.
        annotations: 1 within an annotation, else -1; None where there is no annotation.
        ignored: names that are nothing but local or Python's own.
        binding: where names end that are defined or bound there, and so are no references.
        contested: names that the file defines or imports, and that something binds for itself too.
        local: those of them that each class or function binds.
    """

    defined: Defined
    owners: Spans
    annotations: Spans | None
    ignored: Collection[bytes]
    binding: Collection[int]
    contested: Collection[bytes]
    local: Mapping[int, Collection[bytes]]

    def is_local(self, name: bytes, place: int) -> bool:
        """Whether a class or function around a place binds a contested name; a class does for its own body only."""
        owner = self.owners.at(place)
        if name in self.local.get(owner, ()):
            return True
        while owner >= 0:
            owner = self.defined.parents[owner]
            if name in self.local.get(owner, ()) and self.defined.definitions[owner].kind != "class":
                return True
        return False


def scopes(found: Mapping[str, Sequence[Node]], source: bytes, defined: Defined, imports: Sequence[Import]) -> Scopes:
    """What is known of a source's names, from what the query found.

    Args:
        found: the captures `import`, `bound`, `global` and `annotation`.
        source: the bytes that were parsed.
        defined: what the source defines.
        imports: what it imports.
    """
    own = {definition.name.encode() for definition in defined.definitions}
    own.update([item.alias.partition(".")[0].encode() for item in imports])
    statements = [(node.start_byte, node.end_byte, IMPORT) for node in found.get("import", ())]
    owners = spans(sorted(defined.pieces + statements))
    places = [(node.start_byte, node.end_byte) for node in found.get("bound", ())]
    bound = {source[start:end] for start, end in places}
    # Nested ones may begin where the outer one does.
    annotations = sorted(
        ((node.start_byte, node.end_byte, 1) for node in found.get("annotation", ())), key=lambda it: (it[0], -it[1])
    )
    return Scopes(
        defined=defined,
        owners=owners,
        annotations=spans(annotations) if annotations else None,
        ignored=((BUILTINS | bound) - own) | {b""},
        binding=defined.names.union([end for _, end in places]),
        contested=bound & own,
        local=_local(found, source, owners, bound & own),
    )


def _local(
    found: Mapping[str, Sequence[Node]], source: bytes, owners: Spans, contested: Collection[bytes]
) -> dict[int, set[bytes]]:
    local: dict[int, set[bytes]] = {}
    if not contested:
        return local
    for node in found.get("bound", ()):
        name = source[node.start_byte : node.end_byte]
        if name in contested and (owner := owners.at(node.start_byte)) >= 0:
            local.setdefault(owner, set()).add(name)
    for node in found.get("global", ()):
        local.get(owners.at(node.start_byte), set[bytes]()).discard(source[node.start_byte : node.end_byte])
    return local
