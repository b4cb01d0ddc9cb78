"""What the paths of a check are: which of them are files now, and what a check looks at at one tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.patch import Change

from ..errors import ToolError
from .catalogue import PYTHON_SUFFIXES, is_python
from .check import Check
from .command import CheckRequest
from .result import ChangedFiles

_MOST_FILES = 2000


def has_ruff_config(root: Root, paths: Sequence[str]) -> bool:
    """Whether a folder of the paths or one above configures ruff."""
    folders = {str(parent) for path in paths for parent in (PurePosixPath(path), *PurePosixPath(path).parents)}
    return any(_configures_ruff(root, folder) for folder in sorted(folders))


def _configures_ruff(root: Root, folder: str) -> bool:
    try:
        if any(root.kind(f"{folder}/{name}") == "file" for name in ("ruff.toml", ".ruff.toml")):
            return True
        return b"[tool.ruff" in root.read(f"{folder}/pyproject.toml").data
    except Refused:
        return False


def validated_targets(root: Root, paths: Sequence[str]) -> list[str]:
    """Those paths that are regular files of the tree now."""
    kept: list[str] = []
    for path in paths:
        try:
            if root.kind(path) == "file":
                kept.append(root.normalize(path))
        except Refused:
            continue
    return kept


def changed_files(root: Root, changes: Sequence[Change]) -> ChangedFiles:
    """The changed files that exist now, with where each stood in the base."""
    there = [change for change in changes if change.kind != "deleted"]
    kept = set(validated_targets(root, [change.path for change in there]))
    before = {c.path: c.old_path or c.path for c in there if c.path in kept and c.kind != "added"}
    return ChangedFiles(tuple(c.path for c in there if c.path in kept), before)


def whole_request(check: Check, root: Root, paths: Sequence[str]) -> CheckRequest | None:
    """What a check looks at at a tree: the project, or those of the paths that are Python files.

    Returns:
        None where there is nothing to look at.
    """
    if check.covers_project(root):
        return CheckRequest(check.name)
    python = tuple(path for path in paths if is_python(path))
    return CheckRequest(check.name, python) if python else None


def validated_request(root: Root, request: CheckRequest) -> CheckRequest:
    """A model's request with its paths checked against the tree, and folders expanded where the check can't.

    Raises:
        ToolError: a path isn't there, is a link, or a folder without a Python file.
    """
    paths = [_existing(root, path, request.check) for path in request.paths]
    nodes = [(_existing(root, path, "pytest"), node) for path, node in request.nodes]
    files = tuple(name for path in paths for name in _expand(root, request.check, path))
    return replace(request, paths=files, nodes=tuple(nodes))


def there(root: Root, request: CheckRequest) -> CheckRequest | None:
    """The request without the paths that another tree doesn't have; None where none is left."""

    def is_there(path: str) -> bool:
        try:
            return root.kind(path) in ("file", "directory")
        except Refused:
            return False

    paths = tuple(filter(is_there, request.paths))
    nodes = tuple(node for node in request.nodes if is_there(node[0]))
    if (request.paths or request.nodes) and not (paths or nodes):
        return None
    return replace(request, paths=paths, nodes=nodes)


def _existing(root: Root, path: str, check: str) -> str:
    name = root.normalize(path)
    kind = root.kind(name)
    if kind == "link":
        raise ToolError(f"`{path}` is a symbolic link; name what it points to")
    if kind not in ("file", "directory"):
        raise ToolError(f"`{path}` does not exist; name a file or folder to run {check} on")
    return name


def _expand(root: Root, check: str, path: str) -> list[str]:
    if check != "py_compile" or root.kind(path) == "file":
        return [path]
    found = [name for name in root.walk(path, limit=_MOST_FILES) if name.endswith(PYTHON_SUFFIXES)]
    if not found:
        raise ToolError(f"`{path}` holds no Python file")
    return found
