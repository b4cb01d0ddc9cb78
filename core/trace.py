"""Keeps a run: its folder in the common git directory, `events.jsonl` as things happen, `trace.json` at the end.

The folder holds text that is redacted already, and the patch, which is not: it must be exact. Both are readable by
their owner only. A git directory may come with a download, so what is read here counts as a stranger's: no link is
followed, nothing but a regular file of a sane size is opened, and what breaks the form is no trace.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from .errors import ExitCode, UserError
from .events import TRANSIENT, Event, to_json
from .json_text import json_text
from .redact import printable
from .run_folder import DIFFERENCE as DIFFERENCE
from .run_folder import EVENTS as EVENTS
from .run_folder import PATCH as PATCH
from .run_folder import REJECTED as REJECTED
from .run_folder import RUN_ID as RUN_ID
from .run_folder import SHARDS as SHARDS
from .run_folder import TRACE as TRACE
from .run_folder import RunFolder as RunFolder
from .run_folder import picked_file as picked_file
from .trace_model import Trace


def runs_folder(common_dir: Path) -> Path:
    """Where the runs of a repository are kept."""
    return common_dir / "orefactor" / "runs"


def make_run_folder(common_dir: Path, run_id: str) -> RunFolder:
    """Make the folder of a new run, mode 0700.

    Raises:
        UserError: the git directory can't be written to, or a link in it leads elsewhere.
    """
    path = runs_folder(common_dir) / run_id
    for folder in (path.parent.parent, path.parent):
        if folder.is_symlink():
            raise UserError(
                f"`{folder}` is a symbolic link, and runs are kept in the repository itself",
                hint="see where it leads, and remove it",
                exit_code=ExitCode.ENVIRONMENT,
            )
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.mkdir(mode=0o700)
    except OSError as error:
        raise _unwritable(path, error) from error
    return RunFolder(path)


def make_part_folder(whole: RunFolder, run_id: str) -> RunFolder:
    """Make the folder of a shard, or of a review of what it came to, in the folder of the run that it is a part of.

    Raises:
        UserError: it can't be written to.
    """
    path = whole.path / SHARDS / run_id
    try:
        path.parent.mkdir(exist_ok=True, mode=0o700)
        path.mkdir(mode=0o700)
    except OSError as error:
        raise _unwritable(path, error) from error
    return RunFolder(path)


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(
        f"can't write to the git directory: {error.strerror} ({path})",
        hint="check its permissions and the free space",
        exit_code=ExitCode.ENVIRONMENT,
    )


def list_runs(common_dir: Path) -> list[RunFolder]:
    """The kept runs, newest first; shards are parts of theirs."""
    folder = runs_folder(common_dir)
    return [] if folder.is_symlink() or folder.parent.is_symlink() else _listed(folder)


def find_kept(common_dir: Path, run_id: str) -> RunFolder | None:
    """The kept run of exactly that id, a shard too; None where there is none."""
    runs = list_runs(common_dir)
    return next((run for run in [*runs, *_parts(runs)] if run.run_id == run_id), None)


def _parts(runs: Sequence[RunFolder]) -> Iterator[RunFolder]:
    """The shards of runs."""
    for run in runs:
        folder = run.path / SHARDS
        if folder.is_dir() and not folder.is_symlink():
            yield from _listed(folder)


def _listed(folder: Path) -> list[RunFolder]:
    try:
        with os.scandir(folder) as entries:
            runs = [entry for entry in entries if entry.is_dir(follow_symlinks=False) and RUN_ID.fullmatch(entry.name)]
            # Of two runs that began in the same second the one that wrote last is the newer.
            runs.sort(key=lambda run: (run.name.partition("-")[0], run.stat().st_mtime_ns), reverse=True)
    except OSError:
        return []
    return [RunFolder(folder / run.name) for run in runs]


def find_run(common_dir: Path, name: str | None) -> RunFolder:
    """The run of that id or beginning of one; the newest for None.

    Raises:
        UserError: none, or several.
    """
    runs = list_runs(common_dir)
    if not runs:
        raise UserError("no run is kept in this repository", hint='start one: `git orefactor "add docstrings" FILE`')
    if name is None:
        return runs[0]
    found = [run for run in runs if run.run_id.startswith(name)] or [run for run in runs if run.run_id.endswith(name)]
    found = found or [run for run in _parts(runs) if run.run_id == name]
    if len(found) != 1:
        several = "several runs are" if found else "no run is"
        raise UserError(f"{several} called `{name}`", hint="see `git orefactor runs` for their ids")
    return found[0]


def find_change(common_dir: Path, name: str | None) -> RunFolder:
    """Like `find_run`, for a run that gives a patch: None means the newest one that is no review.

    The review of a main job's result is a run of its own, which began after it.

    Raises:
        UserError: none, several, or a review.
    """
    folder = find_run(common_dir, name)
    if name is None:
        folder = next((run for run in list_runs(common_dir) if not _is_review(run)), folder)
    trace = folder.read_trace()
    if trace is not None:
        require_change(trace)
    return folder


def _is_review(folder: RunFolder) -> bool:
    trace = folder.read_trace()
    return trace is not None and trace.review is not None


def require_change(trace: Trace) -> None:
    """Make sure that a run is one of those that give a patch.

    Raises:
        UserError: it is a review.
    """
    if trace.review is not None:
        run_id = printable(trace.run_id)[:60]
        raise UserError(
            f"the run {run_id} is a review; it has no patch",
            hint=f"see what it found: `git orefactor show {run_id}`, or name another run of `git orefactor runs`",
        )


class EventFile:
    """Appends each event as one line and flushes, so that a killed run's events are complete up to then."""

    def __init__(self, folder: RunFolder) -> None:
        opened = os.open(folder.path / EVENTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        self._file: TextIO = os.fdopen(opened, "w", encoding="utf-8")

    def listen(self, event: Event) -> None:
        """Write one event, unless it is only shown."""
        if not isinstance(event, TRANSIENT):
            self._file.write(json_text(to_json(event)) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
