"""What is evaluated, as values: tasks, the settings that they are run with, and what came of each attempt.

`suite.py` reads the folder format, loaders make tasks from other material, `running.py` makes the attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..messages import RunFacts

if TYPE_CHECKING:
    from .oracle import Oracle


@dataclass(frozen=True, slots=True)
class Source:
    """Where a task's files come from: a folder of files, or a revision of a repository on this disk.

    Attributes:
        files: a folder whose files become the one commit of a new repository; None where there is a repository.
        repository: a git repository; it is cloned, never worked in.
        revision: the commit that the task begins at.
    """

    files: Path | None = None
    repository: Path | None = None
    revision: str = "HEAD"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a task's own check says of a result.

    Attributes:
        passed: None where it could not say.
        detail: why not, in one line.
        needed_lines: lines that a faithful change adds and removes; None where nobody knows.
    """

    passed: bool | None
    detail: str = ""
    needed_lines: int | None = None


class SuccessCheck(Protocol):
    """Decides whether a result does what the task asks; apart from the checks of the run itself."""

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Look at the tree before the change and at the tree after it; neither is changed.

        Nothing of the trees is executed outside of an isolation.
        """
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a suite.

    Attributes:
        name: unique in its suite, `[A-Za-z0-9_.-]{1,100}`.
        text: what is asked for, in words.
        paths: that may change, relative to the top.
        contract: as `--contract` takes it; empty for `auto`.
        checks: the required checks of the run; None for the usual ones.
        success: the task's own checks by name; the first one decides whether it passed.
        oracle: gives a provider that plays the right calls; None where nobody knows them.
        licence: of the material, as an SPDX expression.
    """

    name: str
    text: str
    source: Source
    paths: tuple[str, ...] = ()
    contract: tuple[str, ...] = ()
    checks: tuple[str, ...] | None = None
    success: Mapping[str, SuccessCheck] = field(default_factory=dict[str, SuccessCheck])
    oracle: Callable[[RunFacts, Path], Oracle] | None = None
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Tasks that belong together."""

    name: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of running every task of a suite.

    Attributes:
        name: unique in an evaluation.
        options: settings by the names of `Settings`, such as `model` or `context_tokens`.
        system: a system text in place of the usual one; None for that.
        oracle: play the task's oracle in place of a model, with faults of this kind (`""` for none, see `faults.py`).
        rate: the share of the oracle's calls that go wrong.
        seed: of the faults.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    system: str | None = None
    oracle: str | None = None
    rate: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one task in one arm, one time.

    Attributes:
        landed: whether a patch was delivered.
        passed: what the task's first own check says; None where nothing was delivered or it could not say.
        verdicts: of each of its checks.
        first_edit: whether the first edit was carried out; None where none was tried.
        edits: calls that edit, and of them `refused` by the first words of the answer.
        out_of_scope: calls that wanted to change what may not change.
        cost: in USD; None where a price isn't known.
        lines: added and removed; `beyond` how many of them a faithful change has no need of, None where unknown.
        trace: where the run's trace is kept.
    """

    task: str
    arm: str
    repeat: int
    run_id: str
    status: str
    reason: str
    exit_code: int
    landed: bool
    passed: bool | None
    verdicts: Mapping[str, bool | None]
    first_edit: bool | None
    edits: int
    refused: Mapping[str, int]
    out_of_scope: int
    rounds: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float
    lines: int
    beyond: int | None
    trace: str = ""
    detail: str = ""
