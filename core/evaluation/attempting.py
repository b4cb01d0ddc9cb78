"""Makes one attempt: a throwaway repository, the main job in it, and the task's own checks on what came of it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.line_counts import count_lines
from orefactor.sandbox.made_repository import repository_at, repository_of_files, write_tree_to
from orefactor.sandbox.repository import Repository

from ..book import Surroundings
from ..errors import UserError
from ..messages import Provider, RunFacts
from ..request import RunRequest
from ..result import RefactorResult
from ..run import run
from .faults import faulty
from .measuring import measured
from .task import Arm, Attempt, Source, Task, Verdict


@dataclass(frozen=True, slots=True)
class Attempting:
    """What all attempts have in common.

    Attributes:
        folder: where runs are kept, one folder each.
        user_settings: whether the environment's and the user's git settings count below an arm's.
        max_cost: USD that is left for the attempt; None for no ceiling.
    """

    folder: Path
    user_settings: bool = True
    max_cost: float | None = None
    cancelled: Callable[[], bool] = lambda: False


def attempt(task: Task, arm: Arm, repeat: int, common: Attempting) -> Attempt:
    """Run a task once in one arm.

    Raises:
        UserError: the arm's settings are wrong, or the task's files can't be had.
    """
    with private_folder("eval-") as place:
        repository = _made(place / "repository", task.source)
        assert repository.top is not None
        started = time.monotonic()
        result = run(_request(task, arm, repository.top, common), Surroundings(cancelled=common.cancelled))
        seconds = time.monotonic() - started
        kept = common.folder / f"{task.name}-{_plain(arm.name)}-{repeat}" / result.run_id
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(result.trace_path.parent, kept)
        verdicts, lines = _judged(task, repository, result, place)
    relative = kept.relative_to(common.folder.parent)
    return measured(task.name, arm.name, repeat, result.trace, verdicts, lines, seconds=seconds, place=str(relative))


def _made(folder: Path, source: Source) -> Repository:
    if source.files is not None:
        return repository_of_files(folder, source.files)
    if source.repository is None:
        raise UserError("the task has neither files nor a repository", hint="mend the suite")
    return repository_at(folder, source.repository, source.revision)


def _request(task: Task, arm: Arm, top: Path, common: Attempting) -> RunRequest:
    options = {"reuse": False, **arm.options}
    if task.contract:
        options.setdefault("contract", task.contract)
    if task.checks is not None:
        options.setdefault("checks", task.checks)
    if common.max_cost is not None:
        options["max_cost"] = min(common.max_cost, float(options.get("max_cost", common.max_cost)))
    return RunRequest(
        task.text,
        top,
        task.paths,
        options,
        provider=_provider(task, arm, top),
        user_settings=common.user_settings,
        system=arm.system,
    )


def _provider(task: Task, arm: Arm, top: Path) -> Provider | None:
    """The oracle, with its faults, where the arm plays one."""
    if arm.oracle is None:
        return None
    if task.oracle is None:
        raise UserError(f"nobody knows the right calls for the task `{task.name}`", hint="leave its arm out")
    oracle = task.oracle(RunFacts(task.text, task.paths), top)
    return faulty(oracle, arm.oracle, arm.rate, arm.seed) if arm.oracle else oracle


def _judged(
    task: Task, repository: Repository, result: RefactorResult, place: Path
) -> tuple[Mapping[str, Verdict], int]:
    """What the task's own checks say, and how many lines changed; nothing where nothing was delivered."""
    tree, base = result.trace.tree, result.trace.base
    if result.status != "completed" or tree is None or base is None or not result.files_changed:
        return {}, 0
    counts = count_lines(repository.git, base.tree, tree)
    lines = sum((each.added or 0) + (each.removed or 0) for each in counts)
    before, after = place / "before", place / "after"
    write_tree_to(repository.git, base.tree, before)
    write_tree_to(repository.git, tree, after)
    return {name: _asked(check, before, after) for name, check in task.success.items()}, lines


def _asked(check: Callable[[Path, Path], Verdict], before: Path, after: Path) -> Verdict:
    try:
        return check(before, after)
    except (UserError, OSError, ValueError) as error:
        return Verdict(None, f"the check could not say: {error}")


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._=-" else "_" for letter in name)[:80]
