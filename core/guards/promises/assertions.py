"""The assertions of a stretch of code: `assert`, `self.assert…`, `assert_…`, `pytest.raises` and their like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .forms import Canonical, Form, form, text_of
from .parts import Definition, Head, Part

if TYPE_CHECKING:
    from tree_sitter import Node

_MAY_ASSERT = re.compile(rb"assert|raises|warns|fail|deprecated_call")
_EXPECTING = frozenset(["raises", "warns", "deprecated_call", "fail"])
_EXITS = frozenset(["return_statement", "break_statement", "continue_statement"])
_TRUE = re.compile(r"assert(?:\s+|\s*\()(?:True|not\s+False|1|\"[^\"]+\"|'[^']+')\s*\)?\s*(?:,.*)?", re.DOTALL)
_EXACT_WORDS = """== is <= >= < > in assertEqual assertEquals assertIs assertIn assertDictEqual assertListEqual
    assert_called_once_with assert_called_with"""
_LOOSE_WORDS = "approx isclose allclose assertAlmostEqual assert_allclose ANY Exception BaseException or"
_EXACT, _LOOSE = (frozenset(f"={word}" for word in words.split()) for words in (_EXACT_WORDS, _LOOSE_WORDS))
_MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion.

    Attributes:
        line: counted from 1.
        text: its beginning, as written.
        form: what it asserts; the message of an `assert` isn't part of it.
        heads: what it stands under, and the same as forms.
        exits: how many statements before it, in the same function, may end the function or the loop.
    """

    line: int
    text: str
    form: Form
    heads: tuple[Head, ...]
    under: tuple[Form, ...]
    exits: int

    @property
    def key(self) -> tuple[Form, tuple[Form, ...]]:
        """What two assertions must share to promise the same."""
        return (self.form, self.under)


def assertions(parts: Iterable[Part], canonical: Canonical) -> list[Assertion]:
    """The assertions, in file order.

    Args:
        parts: statements of one or more functions.
        canonical: makes names the same that a renaming made of each other.
    """
    found: list[Assertion] = []
    exits: Counter[Definition | None] = Counter()
    for part in parts:
        if part.node.type in _EXITS or _yields(part.node):
            exits[part.owner] += 1
        for node, subject in _asserting(part.node):
            under = tuple(head.form(canonical) for head in part.heads)
            text = text_of(node)[:_MAX_TEXT]
            line = node.start_point.row + 1
            found.append(Assertion(line, text, form(subject, canonical), part.heads, under, exits[part.owner]))
    return found


def is_weaker(old: Assertion, new: Assertion) -> bool:
    """Whether the new one plainly lets more pass; where that isn't plain, it is merely another one."""
    if _TRUE.fullmatch(new.text):
        return True
    before, after = set(old.form), set(new.form)
    loosened = (after & _LOOSE) - before
    return bool(loosened) or bool(before & _EXACT and not after & _EXACT) or ("=match" in before - after)


def _yields(node: Node) -> bool:
    return node.type == "expression_statement" and node.child_count > 0 and node.children[0].type == "yield"


def _asserting(node: Node) -> Iterator[tuple[Node, Node]]:
    """Each asserting node and the part of it that says what is asserted."""
    if not _MAY_ASSERT.search(node.text or b""):
        return
    if node.type == "assert_statement" and node.named_children:
        yield node, node.named_children[0]
        return
    pending = [node]
    while pending:
        part = pending.pop()
        if part.type == "call" and _asserts(part):
            # What is asserted within it belongs to its form.
            yield part, part
        else:
            pending += reversed(part.named_children)


def _asserts(call: Node) -> bool:
    function = call.child_by_field_name("function")
    if function is None or function.type not in ("identifier", "attribute"):
        return False
    if function.type == "identifier":
        name, owner = text_of(function), "pytest"
    else:
        name = text_of(function.child_by_field_name("attribute"))
        holder = function.child_by_field_name("object")
        owner = text_of(holder) if holder and holder.type == "identifier" else ""
    return name.startswith("assert") or (name in _EXPECTING and owner in ("pytest", "self", "cls"))
