"""What the paths of a check are: which of them are files now, and whether the project configures ruff for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root


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


def validated_targets(root: Root, paths: list[str]) -> list[str]:
    """Those paths that are regular files of the tree now."""
    kept: list[str] = []
    for path in paths:
        try:
            if root.kind(path) == "file":
                kept.append(root.normalize(path))
        except Refused:
            continue
    return kept
