"""Keeps a run: its folder in the common git directory, `events.jsonl` as things happen, `trace.json` at the end.

The folder holds text that is redacted already, and the patch, which is not: it must be exact. Both are readable by
their owner only. A git directory may come with a download, so what is read here counts as a stranger's: no link is
followed, nothing but a regular file of a sane size is opened, and what breaks the form is no trace.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from .errors import ExitCode, UserError
from .events import TRANSIENT, Event, to_json
from .json_text import json_text
from .trace_model import Trace

RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{6}")
EVENTS, TRACE, PATCH, REJECTED, DIFFERENCE = (
    "events.jsonl",
    "trace.json",
    "result.patch",
    "rejected.patch",
    "base.patch",
)
_LARGEST_TEXT = 64 << 20
_LARGEST_PATCH = 512 << 20
"""Bytes; larger files aren't ours."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run."""

    path: Path

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.path.name

    def write(self, name: str, data: bytes) -> Path:
        """Write one file whole, or not at all."""
        target, part = self.path / name, self.path / f"{name}.part"
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(data)
        part.replace(target)
        return target

    def write_trace(self, trace: Trace) -> Path:
        """Write `trace.json`."""
        text = json_text(trace.model_dump(mode="json", by_alias=True), indent=1)
        return self.write(TRACE, text.encode() + b"\n")

    def read_trace(self) -> Trace | None:
        """The trace; None where the run wrote none, or something that is none."""
        try:
            return Trace.model_validate_json(self.read(TRACE) or b"")
        except ValidationError:
            return None

    def read(self, name: str) -> bytes | None:
        """One file's bytes; None where there is no such file, or something else in its place."""
        largest = _LARGEST_PATCH if name.endswith(".patch") else _LARGEST_TEXT
        try:
            # A FIFO that nobody writes to would keep us waiting.
            opened = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            os.close(opened)
            return None
        with open(opened, "rb") as file:
            return file.read(largest)

    def read_events(self) -> Iterator[dict[str, Any]]:
        """The events that were written, a cut last line left out."""
        for line in (self.read(EVENTS) or b"").splitlines():
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event  # pyright: ignore[reportUnknownVariableType]

    def remove(self) -> None:
        """Forget the run; the last one takes the folders that held it along."""
        shutil.rmtree(self.path)
        with suppress(OSError):
            self.path.parent.rmdir()
            self.path.parent.parent.rmdir()


def picked_file(tree: str) -> str:
    """The name of the patch that is kept of a choice of hunks which gives the tree."""
    return f"picked-{tree[:12]}.patch"


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
        raise UserError(
            f"can't write to the git directory: {error.strerror} ({path})",
            hint="check its permissions and the free space",
            exit_code=ExitCode.ENVIRONMENT,
        ) from error
    return RunFolder(path)


def list_runs(common_dir: Path) -> list[RunFolder]:
    """The kept runs, newest first."""
    folder = runs_folder(common_dir)
    if folder.is_symlink() or folder.parent.is_symlink():
        return []
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
    if len(found) != 1:
        several = "several runs are" if found else "no run is"
        raise UserError(f"{several} called `{name}`", hint="see `git orefactor runs` for their ids")
    return found[0]


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
