"""Finds the repositories on this disk that one was cloned from or borrows objects from; they share what it needs.

Only their places are told, by files and settings that may have come with a download. Nobody may believe what lies there
for that: an index counts by its own seal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from orefactor.sandbox.repository import Repository

_MOST = 8
_MOST_BYTES = 1 << 16
_URL = re.compile(r"remote\..*\.url", re.DOTALL)


def lenders(repository: Repository) -> tuple[Path, ...]:
    """The common git directories of those repositories, the nearest first; at most 8, each once."""
    own = os.path.realpath(repository.common_dir)
    found: dict[str, Path] = {}
    for place in (*_alternates(repository.common_dir), *_remotes(repository)):
        common = _common_dir(place)
        if common is not None and (real := os.path.realpath(common)) != own:
            found.setdefault(real, common)
        if len(found) == _MOST:
            break
    return tuple(found.values())


def _alternates(common_dir: Path) -> Iterator[Path]:
    """As `gitrepository-layout` says: one object folder a line, relative ones from our own."""
    objects = common_dir / "objects"
    for line in _text(objects / "info" / "alternates").split("\n"):
        if line and not line.startswith(("#", '"')):
            yield Path(os.path.normpath(objects / line)).parent


def _remotes(repository: Repository) -> Iterator[Path]:
    for entry in repository.config:
        if _URL.fullmatch(entry.key):
            url = unquote(entry.value.removeprefix("file://")) if entry.value.startswith("file:///") else entry.value
            if os.path.isabs(url) and not url.startswith("//"):
                yield Path(url)


def _common_dir(place: Path) -> Path | None:
    """The common git directory of a working tree, a linked one, a bare repository, or a git directory."""
    for candidate in (place, place / ".git", place.with_name(f"{place.name}.git") if place.name else place):
        try:
            if (candidate / "objects").is_dir():
                return candidate
        except (OSError, ValueError):
            return None
    # A linked worktree's `.git` is a file, and its own git directory names the common one.
    linked = place / _text(place / ".git").removeprefix("gitdir: ").strip()
    shared = _text(linked / "commondir").strip()
    return Path(os.path.normpath(linked / shared)) if shared else None


def _text(path: Path) -> str:
    """A short regular file's text; empty where there is none."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""
