"""A repository that keeps a run whose change is given by files, so that no model and no check has to run for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import Files, git, write_files

from orefactor.core.outputs.patch import with_header
from orefactor.core.trace import RunFolder
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.repository import Repository, find_repository

RUN = "20261130T101500-4f2a9c"


@dataclass(frozen=True)
class KeptChange:
    """The base is checked out; the change is known by the run's patch alone."""

    place: Path
    base: str
    tree: str
    patch: bytes

    @property
    def repository(self) -> Repository:
        return find_repository(self.place)

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.place / ".git" / "orefactor" / "runs" / RUN)

    def tell(self, **changed: Any) -> None:
        """Write the trace anew with other facts."""
        told = json.loads((self.folder.path / "trace.json").read_bytes()) | changed
        (self.folder.path / "trace.json").write_text(json.dumps(told))


def keep_change(
    place: Path, after: Files, change: Callable[[Path], object] = lambda _: None, **told: Any
) -> KeptChange:
    """Keep a run on HEAD.

    Args:
        after: files as the run leaves them; `change` does what can't be said so.
        told: facts of the trace that aren't the usual ones.
    """
    base = git(place, "rev-parse", "HEAD")
    change(place)
    write_files(place, after)
    git(place, "add", "-A")
    tree = git(place, "write-tree")
    git(place, "reset", "-q", "--hard", base)
    git(place, "clean", "-fdq")
    patch = with_header(write_patch(find_repository(place).git, base, tree), RUN, base, tree)
    kept = KeptChange(place, base, tree, patch)
    kept.folder.path.mkdir(parents=True)
    (kept.folder.path / "result.patch").write_bytes(patch)
    (kept.folder.path / "trace.json").write_text("{}")
    kept.tell(**(_trace(kept) | told))
    return kept


def _trace(kept: KeptChange) -> dict[str, Any]:
    tree = git(kept.place, "rev-parse", kept.base + "^{tree}")
    return {
        "schema": "orefactor.trace/1",
        "version": "1",
        "run_id": RUN,
        "task": "tidy",
        "paths": [],
        "settings": {"checks": ["py_compile", "ruff"]},
        "status": "completed",
        "reason": "delivered",
        "exit_code": 0,
        "message": "it passed",
        "verified": True,
        "files_changed": [],
        "iterations": 1,
        "summary": {"title": "Tidy", "body": ""},
        "tree": kept.tree,
        "base": {"source": "HEAD", "commit": kept.base, "tree": tree},
        "usage": {"prompt_tokens": 1, "cached_tokens": 0, "completion_tokens": 1, "requests": 1},
    }
