"""What a run would show the model first, told without a run: no model call, no worktree, no run folder.

The input is read as a run reads it, with the same settings, base and paths, so that the pack is the run's.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orefactor.sandbox.base import Base, take_base
from orefactor.sandbox.repository import Repository, find_repository

from .context.frame import TASK_TYPES, TaskName
from .errors import UserError
from .keys import whole_environment
from .scope_paths import scope_paths
from .setting_sources import from_environment, from_git, from_pyproject, policy_from_git
from .settings import OPTION, Settings, Source, resolve

if TYPE_CHECKING:
    from .context.build import Context

REQUESTER = "human"


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What is asked for.

    Attributes:
        root: a folder of the repository; `paths` are relative to it.
        options: settings that the caller names, by the names of `Settings`: `base`, `context_tokens`.
        task_type: one of `TASK_TYPES` in place of the one that the task's words mean.
    """

    task: str
    root: Path
    paths: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    task_type: str | None = None


@dataclass(frozen=True, slots=True)
class ContextFound:
    """A context and what it was made of. `paths` are relative to the repository's top."""

    task: str
    paths: tuple[str, ...]
    base: Base
    context: Context


def find_context(request: ContextRequest) -> ContextFound:
    """Build the context of a task.

    Raises:
        UserError: no task, an unknown type, wrong settings, no repository, an unknown revision, a path outside of it
            or not in it.
    """
    if not request.task.strip():
        raise UserError("the task is empty", hint='say what it is about: `git orefactor context "add docstrings" FILE`')
    task_type = _task_type(request.task_type)
    repository = find_repository(request.root)
    users = [Source(OPTION, request.options), *from_environment(whole_environment()), *from_git(repository.config)]
    policy = policy_from_git(repository.config)
    early = resolve(users, policy=policy)
    paths = scope_paths(repository, request.root, request.paths)
    base = take_base(repository, early.base or "worktree", paths)
    settings = resolve(users, repository=from_pyproject(_pyproject(repository, base)), policy=policy)
    return ContextFound(request.task, paths, base, _build(request.task, task_type, paths, repository, base, settings))


def _task_type(name: str | None) -> TaskName | None:
    for known in TASK_TYPES:
        if name == known:
            return known
    if name is None:
        return None
    near = difflib.get_close_matches(name, TASK_TYPES, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(TASK_TYPES)}"
    raise UserError(f"there is no type of task `{name}`", hint=hint)


def _pyproject(repository: Repository, base: Base) -> bytes:
    found = repository.git.result("cat-file", "blob", f"{base.commit}:pyproject.toml", ok=(0, 128))
    return found.stdout if found.returncode == 0 else b""


def _build(
    task: str,
    task_type: TaskName | None,
    paths: tuple[str, ...],
    repository: Repository,
    base: Base,
    settings: Settings,
) -> Context:
    from .context.build import build_context
    from .index.stored_index import open_index

    return build_context(
        task,
        targets=paths,
        index=open_index(repository, base.tree),
        budget=settings.context_tokens,
        requester=REQUESTER,
        task_type=task_type,
    )
