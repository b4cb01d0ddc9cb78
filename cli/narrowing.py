"""`--staged` and `--since`: the main job on what a commit or a push changes, and what to do with the result then."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from orefactor.core.json_text import json_text

from .errors import say
from .hook_words import require_task

if TYPE_CHECKING:
    from orefactor.core.changed_scope import ChangedScope
    from orefactor.core.result import RefactorResult


def narrowed(
    task: str | None,
    paths: Sequence[str],
    *,
    staged: bool,
    since: str | None,
    base: str | None,
    default_base: str,
    fresh: bool,
    as_json: bool,
) -> ChangedScope:
    """The base and the paths of the run; where there is nothing to do, this says so and ends the command.

    Raises:
        UserError: options that exclude each other, no task, or an unknown revision.
        typer.Exit: nothing to do, which is no failure.
    """
    from orefactor.core.changed_scope import scope_since, staged_scope
    from orefactor.core.errors import UserError
    from orefactor.sandbox.repository import find_repository

    if staged and (since is not None or base not in (None, "index")):
        other = "--since" if since is not None else "--base"
        raise UserError(f"`--staged` and `{other}` exclude each other", hint="what is staged is the index as it is")
    if staged:
        require_task(task)
    repository, here = find_repository(Path.cwd()), Path.cwd()
    if since is None:
        scope = staged_scope(repository, here, paths, task or "", fresh=fresh)
    else:
        scope = scope_since(repository, here, base or default_base, since, paths)
    if not scope.paths:
        _say_nothing_to_do(scope.why_empty, as_json=as_json)
        raise typer.Exit(0)
    return scope


def _say_nothing_to_do(why: str, *, as_json: bool) -> None:
    message = f"nothing to do: {why}"
    say("note", message)
    if as_json:
        said = {"run_id": None, "status": "completed", "reason": "nothing_to_do", "exit_code": 0, "message": message}
        print(json_text({**said, "hint": "", "patch": "", "patch_encoding": "utf-8", "files_changed": []}))


def say_next(result: RefactorResult, *, applied: bool) -> None:
    """Say what to do before committing or pushing again."""
    if result.status == "completed" and result.files_changed:
        take = "" if applied else f"take the change: `git orefactor apply {result.run_id}`, "
        say("hint", f"{take}`git add` what you keep, and go on")
