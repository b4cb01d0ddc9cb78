"""Which part of the picture a file belongs to: who uses the targets, the targets, what they use, tests, documents.

A file is drawn once, so the strongest of its items decides. Reasons say what a task is about; links say who uses whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

from ..context.pack import PackedItem
from ..context.selection import Link
from ..guards.promises.cases import is_test_file

Role = Literal["users", "centre", "used", "tests", "documents"]

_CENTRE = ("target", "named ", "one of ")
_USING = ("calls ", "imports ", "uses ", "inherits ")
_DOCUMENTS = frozenset({".md", ".markdown", ".rst", ".txt", ".adoc", ".toml", ".cfg", ".ini", ".editorconfig"})


def is_central(item: PackedItem) -> bool:
    """Whether the task is about this item, and not about something near it."""
    return any(reason.startswith(_CENTRE) for reason in item.why)


def roles_of(items: Sequence[PackedItem], links: Sequence[Link]) -> dict[str, Role]:
    """The role of each path, in the items' order."""
    files: dict[str, list[PackedItem]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    roles: dict[str, Role | None] = {path: _own_role(path, held) for path, held in files.items()}
    if items and "centre" not in roles.values():
        roles[items[0].path] = "centre"
    leaning = _leaning({item.node_id: item.path for item in items}, roles, links)
    return {path: role or _side(leaning[path], files[path]) for path, role in roles.items()}


def _own_role(path: str, held: Sequence[PackedItem]) -> Role | None:
    """The role that a file has whatever it is linked with."""
    is_document = PurePosixPath(path).suffix.lower() in _DOCUMENTS or any("#" in item.node_id for item in held)
    reasons = [reason for item in held for reason in item.why]
    if any(reason.startswith("target") for reason in reasons):
        return "centre"
    if is_document:
        return "documents"
    if is_test_file(path):
        return "tests"
    return "centre" if any(map(is_central, held)) else None


def _leaning(
    path_of: Mapping[str, str], roles: Mapping[str, Role | None], links: Sequence[Link]
) -> dict[str, tuple[int, int]]:
    """How much more a file uses than it is used: by its links with the centre, and by all of them."""
    counts = {path: [0, 0] for path in roles}
    for link in links:
        source, target = path_of.get(link.source), path_of.get(link.target)
        if source is None or target is None or source == target:
            continue
        for path, other, step in ((source, target, 1), (target, source, -1)):
            counts[path][0] += step if roles[other] == "centre" else 0
            counts[path][1] += step
    return {path: (centre, every) for path, (centre, every) in counts.items()}


def _side(leaning: tuple[int, int], held: Sequence[PackedItem]) -> Role:
    lean = leaning[0] or leaning[1]
    if not lean:
        return "users" if any(reason.startswith(_USING) for item in held for reason in item.why) else "used"
    return "users" if lean > 0 else "used"
