"""Reads Python with tree-sitter: definitions, names and decorators as plain questions to a syntax tree.

tree-sitter and not `ast`, because the project's Python may be newer or older than ours, and because edits
need the place of each token. Offsets are bytes of the UTF-8 form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter
import tree_sitter_python
from tree_sitter import Node

DEFINITIONS = frozenset({"function_definition", "class_definition"})
SCOPES = DEFINITIONS | {"lambda"}


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_python.language())


def parse(text: str) -> Node | None:
    """The root of the text's syntax tree, or None where the text isn't Python as far as the grammar knows."""
    root = tree_sitter.Parser(_language()).parse(text.encode("utf-8", "surrogatepass")).root_node
    return None if root.has_error else root


def text_of(node: Node) -> str:
    """The source of a node."""
    return (node.text or b"").decode("utf-8", "surrogatepass")


def name_of(definition: Node) -> str:
    """The name of a function or class."""
    name = definition.child_by_field_name("name")
    return text_of(name) if name is not None else ""


def statements(body: Node) -> list[Node]:
    """The statements of a module or block, without comments."""
    return [child for child in body.named_children if child.type != "comment"]


def decorators(definition: Node) -> list[str]:
    """The decorators as written, without `@` and without arguments, outermost first."""
    parent = definition.parent
    if parent is None or parent.type != "decorated_definition":
        return []
    found = [child.named_children[0] for child in parent.children if child.type == "decorator"]
    return [text_of(child.child_by_field_name("function") or child) for child in found]


def walk_scope(node: Node) -> Iterator[Node]:
    """All nodes of a node's own scope, in source order; inner definitions are yielded, not entered."""
    waiting = node.children[::-1]
    while waiting:
        child = waiting.pop()
        yield child
        if child.type not in SCOPES:
            waiting.extend(child.children[::-1])


def has_docstring(body: Node) -> bool:
    """Whether the first statement is a plain string, as Python sees it."""
    first = next(iter(statements(body)), None)
    if first is None or first.type != "expression_statement" or first.named_child_count != 1:
        return False
    value = first.named_children[0]
    while value.type == "parenthesized_expression":
        value = next((child for child in value.named_children if child.type != "comment"), value.children[0])
    parts = value.children if value.type == "concatenated_string" else [value]
    strings = [part for part in parts if part.type != "comment"]
    return all(part.type == "string" and not prefix_of(part) & set("fbt") for part in strings)


def prefix_of(string: Node) -> set[str]:
    """The letters before a string's opening quote, in lower case."""
    return set(text_of(string.children[0]).lower().rstrip("\"'"))
