"""Makes tasks from a repository's history: a commit's message is the task, its tests are the check.

The material is any repository on this disk, under its own licence; nothing is fetched. A commit becomes a task only
where tests of it fail before and pass with it, which is found out by running them, isolated, with the project's Python:
so the dependencies of the project and pytest have to be installed there. That takes time, so what was found is kept.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.errors import Refused
from orefactor.sandbox.git import Git
from orefactor.sandbox.made_repository import write_tree_to
from orefactor.sandbox.objects import read_blobs
from orefactor.sandbox.repository import Repository, find_repository

from ..checks.under_test import InstalledCopy
from ..errors import ToolError, UserError
from .command_check import CommandCheck, refuse
from .commit_tests import CommitTests, CommitTestsCheck, passing
from .commits import Candidate, candidates
from .known_change import KnownChange
from .made_material import folder_for_material
from .task import Source, Suite, Task

_HINT = "name a repository with tests that pytest runs, and an environment that has what they need: `--python PATH`"


@dataclass(frozen=True, slots=True)
class Mining:
    """How far to look.

    Attributes:
        revision: where to begin.
        tasks: at most.
        commits: to look at, newest first; merges don't count.
        tries: candidates whose tests are run, at most.
        seconds: for all of it.
        seconds_a_run: for the tests of one commit, at one tree.
        python: the project's interpreter; None to find it.
    """

    revision: str = "HEAD"
    tasks: int = 10
    commits: int = 1000
    tries: int = 60
    seconds: float = 1200.0
    seconds_a_run: float = 120.0
    python: Path | None = None


class _Found(BaseModel):
    """One commit that is a task, as it is kept."""

    model_config = ConfigDict(extra="forbid", strict=True)

    commit: Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
    required: list[str]
    """Node ids of the tests that passed with it; some of them failed before."""


class _Kept(BaseModel):
    """What mining found, and for which question."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    found: list[_Found]


def load_history(path: Path, *, into: Path | None = None, mining: Mining | None = None) -> Suite:
    """Mine a repository's history for tasks, or take what was mined there before with the same question.

    Args:
        path: the repository's top folder; it is only read.
        into: a folder for what is kept; None for one in the user's cache.
        mining: where to begin and how far to look.

    Raises:
        UserError: it is no repository, has no such commit, or nothing in it became a task; or `into` can't be written.
    """
    mining = mining or Mining()
    repository = find_repository(path)
    name = "history-" + re.sub(r"[^A-Za-z0-9_.-]+", ".", repository.place.name)
    start = _commit(repository.git, mining.revision)
    question = ascii((start, mining, str(repository.place)))
    kept = folder_for_material(into) / f"{name}-{hashlib.sha256(question.encode()).hexdigest()[:16]}.json"
    known = _read(kept, question)
    by_id = {each.commit: each for each in candidates(repository.git, start, mining.commits)}
    if known is None:
        known = list(_mined(repository, by_id.values(), mining)) if by_id else []
        _write(kept, _Kept(question=question, found=known))
    tasks = tuple(_task(repository, by_id[each.commit], each, mining) for each in known if each.commit in by_id)
    if not tasks:
        raise refuse(f"no commit of `{path}` has tests that fail before it and pass with it", _HINT)
    return Suite(name, tasks)


def _mined(repository: Repository, found: Iterable[Candidate], mining: Mining) -> Iterator[_Found]:
    ends = time.monotonic() + mining.seconds
    count = 0
    for tried, candidate in enumerate(found):
        left = ends - time.monotonic()
        if tried >= mining.tries or count >= mining.tasks or left <= 0:
            return
        how = _how(repository, mining, min(left, mining.seconds_a_run))
        required = _required(repository.git, candidate, how)
        if required:
            count += 1
            yield _Found(commit=candidate.commit, required=sorted(required))


def _required(git: Git, candidate: Candidate, how: CommandCheck) -> frozenset[str]:
    """The tests that pass with the commit; none where all of them pass before, or where they can't be run."""
    try:
        tests = _tests(git, candidate, how)
        with private_folder("mine-") as folder:
            write_tree_to(git, candidate.commit, folder / "after")
            good = passing(tests.run(folder / "after"))
            if not good:
                return good
            write_tree_to(git, candidate.parent, folder / "before")
            ran = tests.run(folder / "before")
    except InstalledCopy as error:
        raise UserError(str(error), hint=_HINT) from None
    except (ToolError, Refused):
        return frozenset()
    return frozenset() if ran.outcome == "timeout" or good <= passing(ran) else good


def _tests(git: Git, candidate: Candidate, how: CommandCheck) -> CommitTests:
    contents = read_blobs(git, list(candidate.tests.values()))
    return CommitTests({path: data or b"" for path, data in zip(candidate.tests, contents, strict=True)}, how)


def _how(repository: Repository, mining: Mining, seconds: float) -> CommandCheck:
    return CommandCheck((), seconds, repository.place, mining.python)


def _task(repository: Repository, candidate: Candidate, found: _Found, mining: Mining) -> Task:
    git = repository.git
    tests = _tests(git, candidate, _how(repository, mining, mining.seconds_a_run))
    blobs = [git.line("rev-parse", f"{candidate.commit}:{path}") for path in candidate.paths]
    wanted = {path: data or b"" for path, data in zip(candidate.paths, read_blobs(git, blobs), strict=True)}
    return Task(
        f"commit-{candidate.commit[:12]}",
        candidate.text,
        Source(repository=repository.place, revision=candidate.parent),
        candidate.paths,
        ("any",),
        success={"tests": CommitTestsCheck(tests, frozenset(found.required), candidate.lines)},
        oracle=KnownChange(wanted),
        licence="the repository's own",
    )


def _commit(git: Git, revision: str) -> str:
    found = git.result("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", ok=(0, 1, 128))
    if found.returncode != 0:
        raise refuse(f"`{revision}` is no commit", "see `git log --oneline`")
    return found.stdout.decode().strip()


def _read(path: Path, question: str) -> list[_Found] | None:
    """What was found before; None where nothing was kept, or for another question."""
    try:
        kept = _Kept.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    return kept.found if kept.question == question else None


def _write(path: Path, kept: _Kept) -> None:
    try:
        path.write_text(kept.model_dump_json(indent=1), encoding="utf-8")
    except OSError as error:
        raise UserError(f"`{path}` can't be written: {error.strerror}", hint="name another folder") from error
