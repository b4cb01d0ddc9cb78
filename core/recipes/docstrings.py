"""The recipe `docstrings`: adds what is missing, in Google style, and changes nothing else.

Modules, classes, functions and methods get one, private ones too. Overloads don't (their implementation has
it), nor does anything inside a function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from .base import Options, Phrase, Recipe
from .docstring_facts import class_facts, function_facts
from .docstring_sections import Docstring, describe_class, describe_function
from .docstring_text import lay_out
from .insertion import Place, body_place, indentation_unit, module_place, without_pass
from .python_source import DEFINITIONS, decorators, has_docstring, name_of, parse, statements, text_of
from .summaries import module_summary

_BOM = "\ufeff"
_HOLDERS = frozenset(
    {
        "block",
        "case_clause",
        "decorated_definition",
        "elif_clause",
        "else_clause",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "for_statement",
        "if_statement",
        "match_statement",
        "try_statement",
        "while_statement",
        "with_statement",
    }
)
"""What may hold a definition without being one."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class, the class whose body holds it (empty for none), and whether its name is public."""

    node: Node
    owner: str
    is_public: bool


def add_docstrings(text: str, options: Options) -> str:
    """Add the missing docstrings.

    Returns:
        The new text; the same text where it has syntax errors.
    """
    bare = text.removeprefix(_BOM)
    root = parse(bare)
    if root is None:
        return text
    source = bare.encode("utf-8", "surrogatepass")
    unit = indentation_unit(source)
    pieces: list[bytes] = []
    done = 0
    for place, docstring in _missing(source, root, options):
        step = "\t" if "\t" in place.indent else unit
        lines = lay_out(docstring, place.indent, step, options.line_length)
        new = place.before + "\n".join(lines) + place.after
        pieces += [source[done : place.start], new.encode("utf-8", "surrogatepass")]
        done = place.end
    return text[: len(text) - len(bare)] + b"".join([*pieces, source[done:]]).decode("utf-8", "surrogatepass")


def definitions(body: Node, owner: str = "", *, is_public: bool = True) -> Iterator[Definition]:
    """All functions and classes outside of functions, in source order."""
    for child in body.named_children:
        if child.type not in DEFINITIONS:
            if child.type in _HOLDERS:
                yield from definitions(child, owner, is_public=is_public)
            continue
        name = name_of(child)
        public = is_public and (not name.startswith("_") or (name.startswith("__") and name.endswith("__")))
        yield Definition(child, owner, public)
        inner = child.child_by_field_name("body")
        if child.type == "class_definition" and inner is not None:
            yield from definitions(inner, name, is_public=public)


def _missing(source: bytes, root: Node, options: Options) -> Iterator[tuple[Place, Docstring]]:
    found = list(definitions(root))
    if not has_docstring(root):
        yield module_place(source, root), _module(root, options.path)
    for definition in found:
        body = definition.node.child_by_field_name("body")
        if body is None or has_docstring(body) or _owns_docstring(body) or not _is_wanted(definition, options):
            continue
        place = body_place(source, definition.node, indentation_unit(source))
        if place is not None:
            drops_pass = "PIE790" in options.lint_rules
            yield without_pass(source, place, body) if drops_pass else place, _describe(definition)


def _owns_docstring(body: Node) -> bool:
    """Whether `__slots__` names `__doc__`: Python refuses such a class when it has a docstring as well."""
    texts = [text_of(statement) for statement in statements(body)]
    return any(text.startswith("__slots__") and "__doc__" in text for text in texts)


def _is_wanted(definition: Definition, options: Options) -> bool:
    names = [name.rpartition(".")[2] for name in decorators(definition.node)]
    return "overload" not in names and (definition.is_public or not options.public_only)


def _module(root: Node, path: str) -> Docstring:
    inner = [child.named_children[-1] if child.type == "decorated_definition" else child for child in statements(root)]
    types = {child.type for child in inner}
    has_classes, has_functions = "class_definition" in types, "function_definition" in types
    return Docstring(module_summary(path, has_classes=has_classes, has_functions=has_functions))


def _describe(definition: Definition) -> Docstring:
    if definition.node.type == "class_definition":
        return describe_class(class_facts(definition.node))
    return describe_function(function_facts(definition.node, definition.owner))


DOCSTRINGS = Recipe(
    name="docstrings",
    phrases=(
        Phrase(
            r"(?:(?:add|write|create|generate|insert)\s+(?:(?:all|any|the|some)\s+)?(?:missing\s+)?(?:google(?:-|\s+)style\s+)?"
            r"(?:missing\s+)?(?:doc-?strings?|doc\s+strings?)(?:\s+in\s+google(?:-|\s+)style)?"
            r"|(?:document|docstring)\s+(?:the\s+|all\s+)?(?:code|functions|classes|everything))",
            "Add docstrings",
        ),
    ),
    examples=("add docstrings",),
    description="adds missing docstrings in Google style",
    apply=add_docstrings,
)
