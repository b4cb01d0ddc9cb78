"""Has the context built by a process of its own, beside the client's import and the worktree's making.

Both take as long as everything else until the first request, and a thread would only take turns with them. A file that
crashes its grammar ends that process and not the run, which then goes on without a pack and says so.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from orefactor.sandbox.program import Running, program_beside

from ..keys import secrets_of
from ..redact import printable

if TYPE_CHECKING:
    from ..request import Prepared
    from ..sharding.share import Share
    from .build import Context
    from .served import ContextServers

_SECONDS = 120.0
"""Wall time that a run waits for it; a first look at a huge repository is kept as far as it came."""
_SHARE = 0.2
"""Of the run's wall time."""
_TURN = 0.2
"""Seconds after which the caller is asked whether to go on."""
_WORKER = "orefactor.core.context.worker"
_FAILURE = "failure"
"""As the worker has it, which takes long to load."""


@dataclass(frozen=True, slots=True)
class Built:
    """What came of it.

    Attributes:
        context: None where it could not be built.
        failure: why not.
        duration_ms: how long the run waited for it at the end.
    """

    context: Context | None
    failure: str
    duration_ms: int


class ContextBeside:
    """The context of one run, on its way."""

    def __init__(self, running: Running, seconds: float) -> None:
        self._running = running
        self._seconds = seconds

    def result(self, cancelled: Callable[[], bool]) -> Built:
        """Wait for it. It never fails; without a context it says why."""
        started = time.monotonic()
        while (done := self._running.result(_TURN)) is None and not cancelled():
            if time.monotonic() - started > self._seconds:
                break
        waited = round((time.monotonic() - started) * 1000)
        if done is None:
            return Built(None, f"it was not done after {waited // 1000} seconds", waited)
        if done.returncode != 0:
            words = done.stderr.decode(errors="replace").strip().splitlines()
            return Built(None, printable(words[-1])[:300] if words else f"it ended with {done.returncode}", waited)
        from .build import context_from_json

        try:
            return Built(context_from_json(done.stdout), "", waited)
        except ValueError as error:
            return Built(None, f"its answer can't be read: {error}"[:300], waited)


class ContextLater:
    """The context of a shard: built when it is asked for, by a program that builds those of many."""

    def __init__(self, request: bytes, seconds: float, servers: ContextServers) -> None:
        self._request = request
        self._seconds = seconds
        self._servers = servers

    def result(self, cancelled: Callable[[], bool]) -> Built:
        """Have it built; see `ContextBeside.result`."""
        started = time.monotonic()
        answer = self._servers.ask(self._request, self._seconds, cancelled)
        waited = round((time.monotonic() - started) * 1000)
        if not answer:
            return Built(None, f"it did not come in {waited // 1000} seconds", waited)
        return _read(answer, waited)


def context_servers(most: int) -> ContextServers:
    """Programs that build the contexts of shards; they are to be closed."""
    from .served import ContextServers

    return ContextServers([sys.executable, "-I", "-m", _WORKER, "--many"], _environment(), most)


def _read(answer: bytes, waited: int) -> Built:
    from .build import context_from_json

    try:
        told = json.loads(answer)
        if isinstance(told, dict) and _FAILURE in told:
            return Built(None, printable(str(told[_FAILURE]))[:300], waited)  # pyright: ignore[reportUnknownArgumentType]
        return Built(context_from_json(answer), "", waited)
    except (ValueError, RecursionError) as error:
        return Built(None, printable(f"its answer can't be read: {error}")[:300], waited)


@contextmanager
def context_beside(prepared: Prepared, share: Share | None = None) -> Generator[ContextBeside | ContextLater | None]:
    """Start on the context of a run; nothing is left when the block ends.

    Args:
        share: what shards have together, where the run is one; its context is built when it is asked for.

    Yields:
        None where the run has no use for one: it is turned off, or nobody reads it.
    """
    settings = prepared.settings
    budget = min(settings.context_tokens, settings.max_tokens // 10)
    if budget == 0 or not any(getattr(choice.provider, "reads_context", True) for choice in prepared.choices):
        yield None
        return
    repository = prepared.repository
    request = {
        "git_dir": str(repository.git_dir),
        "common_dir": str(repository.common_dir),
        "top": None if repository.top is None else str(repository.top),
        "object_format": repository.object_format,
        "config": [asdict(entry) for entry in repository.config],
        "environment": dict(repository.git.environment),
        "tree": prepared.base.tree,
        "task": prepared.request.task,
        "targets": list(prepared.paths),
        "budget": budget,
    }
    command = [sys.executable, "-I", "-m", _WORKER]
    stdin = json.dumps(request).encode()
    seconds = min(_SECONDS, _SHARE * settings.max_seconds)
    if share is not None:
        yield ContextLater(stdin, seconds, share.contexts)
        return
    with program_beside(command, environment=_environment(), stdin=stdin) as running:
        yield ContextBeside(running, seconds)


def _environment() -> Mapping[str, str]:
    """As ours, without what is secret: it reads what strangers wrote."""
    secret = secrets_of(os.environ)
    return {name: value for name, value in os.environ.items() if name not in secret}
