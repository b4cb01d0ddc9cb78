"""What every tool has: a name, an effect, typed arguments, and the workspace that it acts on.

A tool raises `ToolError` or `Refused` with words for the model; `registry.Toolbox` turns both into `ERROR: …`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from orefactor.sandbox.files import Root

from ..code.edits import Edit
from ..errors import ToolError
from ..result_limits import RESULT_LIMIT

if TYPE_CHECKING:
    from ..index.symbol_index import SymbolIndex

Effect = Literal["observe", "mutate", "verify"]
Need = Literal["index", "sections"]
"""What only some runs have: the index of symbols, sections of the project's conventions."""

A = TypeVar("A", bound="Arguments")

INSTANT = "instant"
"""The cost of a tool that reads or writes one file or folder."""


class Arguments(BaseModel):
    """The arguments of a tool: strict types, nothing undeclared.

    What a field is for is its `description`: to find docstrings pydantic would look through every loaded module.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Scope:
    """The paths that may change, relative to the root; empty means all."""

    paths: tuple[str, ...] = ()

    def allows(self, path: str) -> bool:
        """Whether the path is one of the scope's or lies below one."""
        if not self.paths or "." in self.paths:
            return True
        return any(path == allowed or path.startswith(allowed + "/") for allowed in self.paths)


class CheckRunner(Protocol):
    """Runs one check command of the model."""

    def run(self, command: str) -> str:
        """Run it and give its report, whose first line says passed or failed.

        Raises:
            ToolError: the command is not one of the accepted forms, or can't run here.
        """
        ...


@dataclass(slots=True)
class Workspace:
    """What the tools of one run share.

    Attributes:
        root: the only way to files.
        scope: the paths that may change.
        checks: runs the checks; None where none can run.
        may_change: asked with a path before its first change; raises `ToolError` to refuse it.
        cancelled: asked by long work whether to stop.
        index: gives the symbols of the tree as it is now, changes included; None where nothing is indexed.
        skip_ignored: whether grep leaves ignored files out (a user's own folder has many; a worktree none).
    """

    root: Root
    scope: Scope = Scope()
    checks: CheckRunner | None = None
    may_change: Callable[[str], None] = lambda _path: None
    skip_ignored: bool = False
    cancelled: Callable[[], bool] = lambda: False
    index: Callable[[], SymbolIndex] | None = None
    touched: dict[str, bytes | None] = field(default_factory=dict[str, "bytes | None"])
    """Each changed path with the bytes that it had at first; None where it was not there."""
    edits: dict[str, list[Edit]] = field(default_factory=dict[str, list[Edit]])
    """What was written to each path, in order; so that it can be proven that nothing else changed."""
    _seen: set[str] = field(default_factory=set[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mark_seen(self, path: str) -> None:
        """Note that the model has read this file; calls that only observe run side by side."""
        with self._lock:
            self._seen.add(path)

    def require_changeable(self, path: str) -> None:
        """Refuse a path outside the scope or one that may not change.

        Raises:
            ToolError: with the scope.
        """
        if not self.scope.allows(path):
            allowed = ", ".join(self.scope.paths)
            raise ToolError(f"`{path}` is outside the scope of this task; only these may change: {allowed}")
        if path not in self.touched:
            self.may_change(path)

    def require_seen(self, path: str) -> None:
        """Refuse to change a file that the model has not read.

        Raises:
            ToolError: with the call that comes first.
        """
        if path not in self._seen:
            raise ToolError(f"read `{path}` before you change it: call read_file or ast_outline on it first")

    def require_index(self) -> SymbolIndex:
        """The symbols of the tree as it is now.

        Raises:
            ToolError: nothing is indexed here.
        """
        if self.index is None:
            raise ToolError("this tree has no index of symbols; use grep and ast_outline")
        return self.index()

    def note_touched(self, path: str, before: bytes | None, edit: Edit | None = None) -> None:
        """Remember a change; the model knows the new content, since it wrote it.

        Args:
            before: the file's bytes until now; None where it was not there.
            edit: what was written; None where the file went.
        """
        self.touched.setdefault(path, before)
        self._seen.add(path)
        if edit is not None:
            self.edits.setdefault(path, []).append(edit)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool.

    Attributes:
        name: as the model calls it, `[a-zA-Z0-9_-]{1,64}`.
        arguments: the model of its arguments, whose docstring is the description that the model reads.
        run: does it and says what came of it; raises `ToolError` or `Refused` with words for the model.
        cost: the time that a call usually takes, in words.
        result_limit: the most bytes that an answer has.
        needs: what there must be for it to be offered; None where it always is.
    """

    name: str
    effect: Effect
    arguments: type[A]
    run: Callable[[A, Workspace], str]
    cost: str = INSTANT
    result_limit: int = RESULT_LIMIT
    needs: Need | None = None

    @property
    def result_size(self) -> str:
        """The most that an answer has, in words."""
        return f"{self.result_limit // 1024} KB"


AnyTool = Tool[Any]
