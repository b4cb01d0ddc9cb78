"""The Python entry point."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .book import Surroundings
from .clock import Clock, SystemClock
from .events import Listener
from .messages import Provider
from .request import RunRequest
from .result import RefactorResult
from .run import run
from .settings import DEFAULT_MODEL


def refactor(
    task: str,
    root: str | os.PathLike[str],
    model: str = DEFAULT_MODEL,
    max_iterations: int = 25,
    *,
    paths: Sequence[str | os.PathLike[str]] = (),
    provider: str | Provider | None = None,
    base_url: str | None = None,
    base: str | None = None,
    branch: str | None = None,
    apply: bool = False,
    checks: Sequence[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    on_event: Listener | None = None,
    cancel: Callable[[], bool] | None = None,
    clock: Clock | None = None,
    **settings: Any,  # noqa: ANN401 - each by its own type in `Settings`
) -> RefactorResult:
    """Refactor code with a language model in a throwaway worktree.

    Args:
        task: what to do, in words.
        root: a folder of the repository; `paths` are relative to it.
        paths: files and folders that may change; all of the repository by default.
        provider: a provider's name, or a ready provider such as a scripted one.
        base: `worktree`, `index`, or a revision; by default `worktree` for a patch and `HEAD` for a branch.
        branch: commit on this new branch; `auto` names one.
        apply: also put the patch on the working tree.
        checks: required checks in place of the default ones; an empty sequence for none.
        output: also write the patch to this file.
        on_event: is given each `orefactor.core.events.Event` as it happens.
        cancel: asked between steps; the run ends with status `cancelled` when it says True.
        settings: any other setting by its name, such as `max_tokens=50_000` or `sandbox="none"`.

    Returns:
        The result. Limits, a failed gate, provider failures and cancellation come back as results with status,
        reason and message.

    Raises:
        UserError: bad input, said before the model was asked.
    """
    options: dict[str, Any] = {"max_iterations": max_iterations, **settings}
    named = {"base_url": base_url, "base": base, "checks": None if checks is None else tuple(checks)}
    options |= {name: value for name, value in named.items() if value is not None}
    if isinstance(provider, str):
        options["provider"] = provider
    # The default model belongs to the default provider: others know their own.
    if model != DEFAULT_MODEL or provider is None:
        options["model"] = model
    request = RunRequest(
        task,
        Path(root),
        tuple(os.fspath(path) for path in paths),
        options,
        provider=None if isinstance(provider, str) else provider,
        branch=branch,
        apply=apply,
        output=Path(output) if output is not None else None,
    )
    listeners = (on_event,) if on_event is not None else ()
    return run(request, Surroundings(listeners, cancel or (lambda: False), clock or SystemClock()))
