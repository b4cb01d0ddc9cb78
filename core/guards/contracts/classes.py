"""Which classes read the annotations of their variables at run time, so that an annotation there is code.

A dataclass makes a field of each annotated variable, a pydantic model also checks its type. Whether a class does so
depends on its decorators and bases; those that aren't known here, and aren't plain classes of the same file, are
taken to read them. `ClassVar` says to all of them that there is nothing to read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .source import TRIVIA, Owner, Source
from .token_rules import Types

if TYPE_CHECKING:
    from tree_sitter import Node

_QUIET_DECORATORS = frozenset(
    ["final", "total_ordering", "runtime_checkable", "unique", "deprecated", "skip", "skipIf", "skipUnless"]
)
_QUIET_BASES = re.compile(
    r"object|ABC|Generic|(?:Int|Str|Re)?Enum|(?:Int)?Flag|type|dict|list|set|frozenset|tuple|str|bytes|int|float"
    r"|(?:User)?(?:Dict|List|String)|OrderedDict|defaultdict|deque|Counter|Thread|Process|(?:\w*)TestCase"
    r"|Node(?:Visitor|Transformer)|HTMLParser|\w*(?:Exception|Error|Warning)|Action|HelpFormatter|ArgumentParser"
    r"|(?:Mutable)?(?:Mapping|Sequence|Set)|Iterator|Iterable|Callable|Hashable|Sized|Container|Collection"
    r"|Handler|Formatter|Filter|LoggerAdapter|JSON(?:En|De)coder|BaseHTTPRequestHandler|local|Random"
)
_MARKING_BASES = frozenset(["NamedTuple", "TypedDict", "Protocol"])
_CLASS_VARIABLE = re.compile(rb"[\"']?\s*(?:\w+\.)?ClassVar\b")
_FIELD_KIND = re.compile(rb"[\"']?\s*(?:\w+\.)?(?:InitVar|KW_ONLY|Required|NotRequired|ReadOnly)\b")


class ClassTypes:
    """Answers for the classes of one file."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._local = {item.owner.name: item.owner for item in source.items if item.owner and item.kind == "head"}
        self._checks = b"pydantic" in source.text
        self._known: dict[int, Types] = {}

    def types(self, owner: Owner | None, annotation: bytes) -> Types:
        """What an annotation counts for in a comparison.

        Args:
            owner: what the annotated variable stands in directly.
            annotation: its source; empty where there is none.
        """
        if owner is None or owner.kind == "function" or _CLASS_VARIABLE.match(annotation):
            return "dropped"
        types = self._of_class(owner)
        return "kept" if types == "marked" and _FIELD_KIND.match(annotation) else types

    def _of_class(self, owner: Owner) -> Types:
        if owner.start in self._known:
            return self._known[owner.start]
        found: set[Types] = set()
        seen: set[int] = set()
        pending = [owner]
        while pending:
            here = pending.pop()
            if here.start in seen:
                continue
            seen.add(here.start)
            found.update(map(self._of_decorator, here.decorators))
            for base in _bases(here.node):
                name = self._name(base)
                local = self._local.get(name)
                if local is not None and local.kind == "class":
                    pending.append(local)
                else:
                    found.add(self._of_base(base, name))
        types: Types = "kept" if "kept" in found else "marked" if "marked" in found else "dropped"
        self._known[owner.start] = types
        return types

    def _of_decorator(self, decorator: bytes) -> Types:
        name = re.split(rb"[(\s]", decorator.lstrip(b"@ \t"), maxsplit=1)[0].rpartition(b".")[2].decode()
        if name == "dataclass":
            return "kept" if self._checks else "marked"
        return "dropped" if name in _QUIET_DECORATORS else "kept"

    def _of_base(self, base: Node, name: str) -> Types:
        if base.type == "keyword_argument":
            return "dropped" if name in ("total", "ABCMeta") else "kept"
        if name in _MARKING_BASES:
            return "marked"
        return "dropped" if _QUIET_BASES.fullmatch(name) else "kept"

    def _name(self, base: Node) -> str:
        """The last name of a base, without what it is subscripted with; of a keyword what it is given."""
        if base.type == "keyword_argument":
            key, value = (self._source(part) for part in (base.children[0], base.children[-1]))
            return value.rpartition(".")[2] if key == "metaclass" else key
        node = base.child_by_field_name("value") or base if base.type == "subscript" else base
        return self._source(node).rpartition(".")[2].strip()

    def _source(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _bases(definition: Node) -> list[Node]:
    bases = definition.child_by_field_name("superclasses")
    return [child for child in bases.children if child.is_named and child.type not in TRIVIA] if bases else []
