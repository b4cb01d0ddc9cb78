"""Syntax trees as comparable values: equal where only formatting differs.

White space, comments, redundant parentheses, trailing commas and the kind of quotes are left out; all else counts.
Nothing recurses, since a file may nest as deeply as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

Form = tuple[str, ...]
"""Leaves as `=text`, in between the types of the nodes that hold them."""

Canonical = Callable[[str], str]
"""The one name that stands for all that count as the same."""

_LEFT_OUT = frozenset(["comment", "line_continuation"])
_LISTS = frozenset(["argument_list", "parameters", "list", "dictionary", "set", "tuple"])
_CLOSING = frozenset([")", "]", "}"])
_NAME = re.compile(r"\w+")


def form(node: Node, canonical: Canonical = str) -> Form:
    """The node's form.

    Args:
        node: any node.
        canonical: applied to each identifier, and to each word within strings.
    """
    found: list[str] = []
    pending: list[Node | str] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            found.append(part)
        elif part.type == "parenthesized_expression":
            pending += reversed(part.named_children)
        elif part.type == "string":
            pending += reversed(["<string", *_string_parts(part, canonical), ">"])
        elif part.type in _LEFT_OUT:
            continue
        elif part.child_count == 0:
            found.append(f"={_leaf(part, canonical)}")
        else:
            pending += reversed([f"<{part.type}", *_children(part), ">"])
    return tuple(found)


def canonical_names(renames: Mapping[str, str]) -> Canonical:
    """Makes an old name and its new one the same, also over several steps and in circles."""

    def canonical(name: str) -> str:
        seen = [name]
        while (new := renames.get(seen[-1])) is not None:
            if new in seen:
                return min(seen[seen.index(new) :])
            seen.append(new)
        return seen[-1]

    return canonical if renames else str


def text_of(node: Node | None) -> str:
    """The node's source; empty for no node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def _leaf(node: Node, canonical: Canonical) -> str:
    text = text_of(node)
    return canonical(text) if node.type == "identifier" else text


def _children(node: Node) -> list[Node]:
    children = [child for child in node.children if child.type not in _LEFT_OUT]
    is_list = node.type in _LISTS and not (node.type == "tuple" and node.named_child_count < 2)
    if is_list and len(children) > 2 and children[-1].type in _CLOSING and children[-2].type == ",":
        del children[-2]
    return children


def _string_parts(node: Node, canonical: Canonical) -> list[Node | str]:
    parts: list[Node | str] = []
    is_raw = False
    for child in node.children:
        match child.type:
            case "string_start":
                prefix = text_of(child).rstrip("'\"").lower().replace("u", "")
                is_raw = "r" in prefix
                parts.append(f"={prefix}")
            case "string_content":
                text = text_of(child)
                plain = text if is_raw else text.replace('\\"', '"').replace("\\'", "'")
                # A text that names something may be renamed with it, or not.
                parts.append(
                    "=" + (_NAME.sub(lambda word: canonical(word[0]), plain) if canonical is not str else plain)
                )
            case "string_end":
                continue
            case _:
                parts.append(child)
    return parts
