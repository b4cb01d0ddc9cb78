"""What a docstring can say about a definition, read from its syntax tree. No words are chosen here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from .python_source import decorators, name_of, prefix_of, statements, text_of, walk_scope

Kind = Literal["function", "method", "classmethod", "staticmethod", "property", "setter", "deleter"]
Result = Literal["nothing", "value", "yes_or_no", "itself", "new_instance"]

_PROPERTIES = frozenset(
    {"property", "cached_property", "functools.cached_property", "abstractproperty", "abc.abstractproperty"}
)
_KINDS: Mapping[str, Kind] = {
    "classmethod": "classmethod",
    "deleter": "deleter",
    "setter": "setter",
    "staticmethod": "staticmethod",
}
_BOOLEAN_NODES = frozenset({"true", "false", "comparison_operator", "not_operator"})
_NO_VALUE = frozenset({"None", "NoReturn", "Never"})
_EXCEPTION_NAME = re.compile(r"(?:\w+\.)*_*[A-Z]\w*")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        stars: the `*` or `**` in front of the name.
        annotation: as written, empty without one.
        default: as written, empty without one.
    """

    name: str
    stars: str = ""
    annotation: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception that the body raises itself.

    Attributes:
        name: as written.
        message: its first argument, where that is a plain string.
    """

    name: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function or method.

    Attributes:
        owner: the class that holds it, empty for a function.
        parameters: without the instance or class.
        annotation: the return annotation as written, empty without one.
        result: what a call gives, as far as annotation and `return` statements tell.
        result_name: the variable that all `return` or all `yield` statements name.
        yields: whether it yields values.
    """

    name: str
    kind: Kind = "function"
    owner: str = ""
    decorators: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    annotation: str = ""
    result: Result = "nothing"
    result_name: str = ""
    yields: bool = False
    raises: tuple[Raised, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A class; `fields` are the annotated names of its body."""

    name: str
    bases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    fields: tuple[Parameter, ...] = ()


def function_facts(node: Node, owner: str) -> FunctionFacts:
    """Read a function.

    Args:
        node: a `function_definition`.
        owner: name of the class whose body holds it, empty for none.
    """
    written = decorators(node)
    kind = _kind(written, owner)
    body = [] if (block := node.child_by_field_name("body")) is None else list(walk_scope(block))
    annotation = _field(node, "return_type")
    yielded = [child for child in body if child.type == "yield" and child.named_children]
    returned = [value for child in body if child.type == "return_statement" for value in _returned(child)]
    is_generator = any(child.type == "yield" for child in body)
    return FunctionFacts(
        name=name_of(node),
        kind=kind,
        owner=owner,
        decorators=_last_names(written),
        parameters=tuple(_parameters(node))[_skipped(kind, node) :],
        annotation=annotation,
        result="nothing" if is_generator else _result(annotation, returned),
        result_name=_shared_name([child.named_children[0] for child in yielded] if is_generator else returned),
        yields=bool(yielded),
        raises=_raised(body),
    )


def class_facts(node: Node) -> ClassFacts:
    """Read a `class_definition`."""
    bases = node.child_by_field_name("superclasses")
    body = node.child_by_field_name("body")
    return ClassFacts(
        name=name_of(node),
        bases=tuple(text_of(base) for base in (bases.named_children if bases else []) if base.type != "comment"),
        decorators=_last_names(decorators(node)),
        fields=tuple(_fields(body)) if body else (),
    )


def _last_names(written: list[str]) -> tuple[str, ...]:
    return tuple(name.rpartition(".")[2] for name in written)


def _kind(written: list[str], owner: str) -> Kind:
    """A property only where ruff knows its decorator: D401 lets only those be nouns."""
    if not owner:
        return "function"
    for name in written:
        if name in _PROPERTIES:
            return "property"
        if (last := name.rpartition(".")[2]) in _KINDS:
            return _KINDS[last]
    return "method"


def _skipped(kind: Kind, node: Node) -> int:
    """How many parameters the caller doesn't pass: the instance or class, where it has a name of its own."""
    first = next(_parameters(node), None)
    return int(kind not in ("function", "staticmethod") and first is not None and not first.stars)


def _field(node: Node, name: str) -> str:
    child = node.child_by_field_name(name)
    return " ".join(text_of(child).split()) if child is not None else ""


def _parameters(node: Node) -> Iterator[Parameter]:
    listed = node.child_by_field_name("parameters")
    for child in listed.named_children if listed is not None else []:
        # Python 2 has tuples as parameters, and a broken tree may have anything: only names count.
        target = child.child_by_field_name("name") or (child.named_children or [child])[0]
        written = text_of(child if child.type.endswith("_splat_pattern") else target)
        name = written.lstrip("*").strip()
        if name.isidentifier() and child.type != "tuple_pattern":
            stars = "*" * (len(written) - len(written.lstrip("*")))
            yield Parameter(name, stars, _field(child, "type"), _field(child, "value"))


def _fields(body: Node) -> Iterator[Parameter]:
    for statement in statements(body):
        for child in statement.named_children[:1]:
            if child.type == "assignment" and child.child_by_field_name("type") is not None:
                name = _field(child, "left")
                if name.isidentifier():
                    yield Parameter(name, "", _field(child, "type"), "")


def _returned(node: Node) -> list[Node]:
    return [value for value in node.named_children if value.type not in ("none", "comment")][:1]


def _result(annotation: str, returned: list[Node]) -> Result:
    if annotation.strip("\"'").rpartition(".")[2] in _NO_VALUE or not (annotation or returned):
        return "nothing"
    texts = {text_of(value) for value in returned}
    if annotation == "bool" or (returned and all(value.type in _BOOLEAN_NODES for value in returned)):
        return "yes_or_no"
    if texts == {"self"}:
        return "itself"
    if texts and all(text.startswith("cls(") for text in texts):
        return "new_instance"
    return "value"


def _shared_name(values: list[Node]) -> str:
    texts = {text_of(value) for value in values}
    return texts.pop() if len(texts) == 1 and values[0].type == "identifier" else ""


def _raised(body: list[Node]) -> tuple[Raised, ...]:
    found: dict[str, Raised] = {}
    for node in body:
        if node.type != "raise_statement" or not node.named_children:
            continue
        value = node.named_children[0]
        called = value.child_by_field_name("function") if value.type == "call" else value
        name = text_of(called) if called is not None else ""
        if _EXCEPTION_NAME.fullmatch(name):
            found.setdefault(name, Raised(name, _message(value)))
    return tuple(found.values())


def _message(value: Node) -> str:
    arguments = value.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments is not None else None
    if first is None or first.type != "string" or prefix_of(first) & set("fb"):
        return ""
    return "".join(text_of(child) for child in first.named_children if child.type == "string_content")
