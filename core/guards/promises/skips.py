"""What keeps a test from running or from counting: skips, expected failures, `__test__ = False`, collection hooks.

Each is a mark with a key; a change may not have more of a key than there was. Names are followed through imports, so
that `from pytest import skip as later` hides nothing, and `reader.skip(3)` isn't one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cases import PythonFile
from .forms import Canonical, Form, form, text_of
from .parts import Definition, Part, Parts

if TYPE_CHECKING:
    from tree_sitter import Node

_MAY_MARK = re.compile(
    rb"skip|Skip|xfail|expectedFailure|__test__|collect_ignore|\bexit\b|\bdel\b|[tT]est\w{0,200}\s{0,20}="
)
_ALWAYS = frozenset(
    ["skipif", "xfail", "importorskip", "skipIf", "skipUnless", "skipTest", "expectedFailure", "SkipTest"]
)
_OF_A_TEST_TOOL = frozenset(["skip", "exit"])
_HOLDERS = frozenset(["pytest", "unittest", "mark", "case", "nose"])
_CONDITIONAL = frozenset(["skipif", "xfail", "skipIf", "skipUnless", "importorskip"])
_HOOKS = frozenset(
    [
        "pytest_collect_file",
        "pytest_collection",
        "pytest_collection_modifyitems",
        "pytest_deselected",
        "pytest_ignore_collect",
        "pytest_pycollect_makeitem",
        "pytest_pycollect_makemodule",
        "pytest_pyfunc_call",
        "pytest_report_teststatus",
        "pytest_runtest_call",
        "pytest_runtest_makereport",
        "pytest_runtest_protocol",
        "pytest_runtestloop",
        "pytest_sessionfinish",
    ]
)
_MAX_NAME = 120
"""Bytes of a dotted name that are looked at, from its end."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that keeps tests from counting.

    Attributes:
        key: what two marks must share to be the same one.
        line: counted from 1.
        text: as people would name it.
    """

    key: Form
    line: int
    text: str


def skip_marks(file: PythonFile, canonical: Canonical) -> list[Mark]:
    """The marks of a Python source, in file order.

    Args:
        file: the source, taken apart; by its path it is known whether tests may stand there.
        canonical: makes names the same that a renaming made of each other.
    """
    source, aliases = file.source, _aliases(file.source)
    is_conftest = posixpath.basename(file.path) == "conftest.py"
    found = [mark for definition in source.definitions for mark in _hook(definition, canonical)]
    is_any_name_odd = any(_is_mark(full) and alias != full.rpartition(".")[2] for alias, full in aliases.items())
    for part in source.parts:
        if not is_any_name_odd and not _MAY_MARK.search(part.node.text or b""):
            continue
        found += _named_marks(part, aliases, canonical)
        found += _switched_off(part, canonical, is_conftest=is_conftest)
        if file.is_test_file and (part.owner is None or part.owner.kind == "class"):
            found += _overwritten(part, canonical)
    return sorted(found, key=lambda mark: mark.line)


def _hook(definition: Definition, canonical: Canonical) -> Iterator[Mark]:
    if definition.kind == "function" and definition.name in _HOOKS:
        text = f"the hook {definition.name}, new or changed"
        yield Mark(("hook", *form(definition.node, canonical)), definition.line, text)


def _aliases(source: Parts) -> dict[str, str]:
    """What names from test tools are called here."""
    found: dict[str, str] = {}
    for part in source.parts:
        if part.node.type not in ("import_statement", "import_from_statement"):
            continue
        module_node = part.node.child_by_field_name("module_name")
        module = text_of(module_node)
        for name in part.node.children_by_field_name("name"):
            called, alias = text_of(name.child_by_field_name("name") or name), name.child_by_field_name("alias")
            full = f"{module}.{called}" if module else called
            if full.split(".")[0] in _HOLDERS and (alias or module):
                found[text_of(alias) if alias else called] = full
    return found


def _named_marks(part: Part, aliases: Mapping[str, str], canonical: Canonical) -> Iterator[Mark]:
    if part.node.type in ("import_statement", "import_from_statement"):
        return
    pending: list[tuple[Node, Node | None]] = [(part.node, None)]
    while pending:
        node, call = pending.pop()
        if node.type in ("attribute", "identifier"):
            name = _full_name(node, aliases)
            if _is_mark(name):
                key = ("mark", name, part.decorates, *_assigned_to(part.node), *_condition(name, call, canonical))
                key += () if part.decorates else tuple(str(head.form(canonical)) for head in part.heads)
                yield Mark(key, node.start_point.row + 1, name)
        if node.type == "attribute":
            holder = node.child_by_field_name("object")
            pending += [(holder, None)] if holder else []
        elif node.type == "call":
            function = node.child_by_field_name("function")
            pending += reversed([(child, node if child == function else None) for child in node.named_children])
        elif node.type == "keyword_argument":
            # The name of an argument is no mark, its value may be.
            pending += [(child, None) for child in node.named_children[1:]]
        else:
            pending += reversed([(child, None) for child in node.named_children])


def _full_name(node: Node, aliases: Mapping[str, str]) -> str:
    if node.type == "identifier":
        return aliases.get(name := text_of(node), name)
    name = text_of(node.child_by_field_name("attribute"))
    if name not in _ALWAYS and name not in _OF_A_TEST_TOOL:
        return ""
    if node.end_byte - node.start_byte > _MAX_NAME:
        return f"….{name}"
    first, _, rest = "".join(text_of(node).split()).partition(".")
    return f"{aliases.get(first, first)}.{rest}"


def _is_mark(name: str) -> bool:
    holder, _, last = name.rpartition(".")
    return last in _ALWAYS or (last in _OF_A_TEST_TOOL and holder.split(".")[-1] in _HOLDERS)


def _assigned_to(node: Node) -> tuple[str, ...]:
    inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
    return (text_of(inner.child_by_field_name("left")),) if inner.type == "assignment" else ()


def _condition(name: str, call: Node | None, canonical: Canonical) -> Form:
    """The conditions of a mark; its reason may change."""
    arguments = call.child_by_field_name("arguments") if call else None
    if arguments is None or name.rpartition(".")[2] not in _CONDITIONAL:
        return ()
    counted = [
        argument
        for number, argument in enumerate(arguments.named_children)
        if text_of(argument.child_by_field_name("name")) != "reason" and (number == 0 or argument.type != "string")
    ]
    return tuple(piece for argument in counted for piece in form(argument, canonical))


def _switched_off(part: Part, canonical: Canonical, *, is_conftest: bool) -> Iterator[Mark]:
    inner = part.node.named_children[0] if part.node.type == "expression_statement" else part.node
    left = text_of(inner.child_by_field_name("left"))
    if (
        inner.type == "assignment"
        and left.endswith("__test__")
        and text_of(inner.child_by_field_name("right")) != "True"
    ):
        owner = part.owner.qualified_name if part.owner else ""
        yield Mark(("off", canonical(owner), left), part.line, "`__test__` is switched off")
    if is_conftest and b"collect_ignore" in (part.node.text or b""):
        yield Mark(("ignored", *form(part.node, canonical)), part.line, "collect_ignore, new or changed")


def _overwritten(part: Part, canonical: Canonical) -> Iterator[Mark]:
    """Tests that an assignment or `del` takes away again."""
    inner = part.node.named_children[0] if part.node.type == "expression_statement" else part.node
    names: list[str] = []
    if inner.type == "assignment":
        names = [text_of(inner.child_by_field_name("left"))]
    elif inner.type == "delete_statement":
        names = [text_of(inner).removeprefix("del").strip(" ()")]
    for name in names:
        last = name.rpartition(".")[2]
        if last.startswith(("test_", "Test")):
            yield Mark(("overwritten", canonical(name)), part.line, f"{last} is overwritten or deleted")
