"""Reads a suite from a folder: `suite.toml` and `tasks/NAME/task.toml`, as `docs/evaluation.md` describes it.

A suite is a stranger's: everything in it lies below its folder and is no link, but for repositories, which are only
cloned. What a task wants run is run isolated by `command_check.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from ..errors import UserError
from .command_check import SCRIPT_LIMIT, CommandCheck, refuse, script_check
from .suite_format import HINT, NAME, SourceTable, SuccessTable, SuiteTable, TaskTable, read_table, require_one
from .task import Source, SuccessCheck, Suite, Task

_MOST_TASKS = 10_000
_MOST_FILES = 100_000
"""Entries in one task's files."""
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/]+@[^/]+:")


def load_suite(path: Path, *, python: Path | None = None) -> Suite:
    """Read a suite.

    Args:
        path: its folder.
        python: the interpreter that the tasks' own checks run with; None to find the project's.

    Raises:
        UserError: it isn't as the format asks; the message names the file.
    """
    root = Root(path)
    head = read_table(root, "suite.toml", SuiteTable)
    names = _task_names(root)
    return Suite(head.name, tuple(_task(root, name, head, python) for name in names))


def _task_names(root: Root) -> list[str]:
    try:
        entries = root.list("tasks")
    except Refused as error:
        raise refuse(f"the folder `tasks` of the suite can't be read: {error}", HINT) from None
    for entry in entries:
        if entry.kind != "directory" or not NAME.fullmatch(entry.name) or entry.name in (".", ".."):
            raise refuse(f"`tasks/{entry.name}` is no folder of a task", f"use letters, digits, `_`, `.`, `-`; {HINT}")
    if not 0 < len(entries) <= _MOST_TASKS:
        raise refuse(f"the suite has {len(entries):,} tasks, not 1 to {_MOST_TASKS:,}", HINT)
    return [entry.name for entry in entries]


def _task(root: Root, name: str, head: SuiteTable, python: Path | None) -> Task:
    place = f"tasks/{name}"
    table = read_table(root, f"{place}/task.toml", TaskTable)
    source = _source(root, place, table.source)
    paths = tuple(_inside(root, each, f"`paths` of `{place}/task.toml`") for each in table.paths)
    return Task(
        name,
        table.text,
        source,
        paths,
        tuple(table.contract),
        None if table.checks is None else tuple(table.checks),
        {"own": _success(root, place, table.success, source.repository, python)},
        licence=table.licence or head.licence,
    )


def _success(root: Root, place: str, table: SuccessTable, tree: Path | None, python: Path | None) -> SuccessCheck:
    if error := require_one(table, "command", "python", f"`[success]` of `{place}/task.toml`"):
        raise error
    if table.python is None:
        return CommandCheck(tuple(table.command or ()), table.seconds, tree, python)
    name = _inside(root, table.python, f"`python` of `{place}/task.toml`")
    return script_check(_script(root, f"{place}/{name}"), table.seconds, tree, python)


def _script(root: Root, path: str) -> str:
    try:
        if root.kind(path) != "file":
            raise refuse(f"the suite has no file `{path}`", HINT)
        text = root.read(path, limit=SCRIPT_LIMIT).data.decode()
    except (Refused, UnicodeDecodeError) as error:
        raise refuse(f"the script `{path}` can't be read: {error}", HINT) from None
    if "\0" in text:
        raise refuse(f"the script `{path}` is binary", HINT)
    return text


def _source(root: Root, place: str, table: SourceTable) -> Source:
    where = f"`[source]` of `{place}/task.toml`"
    if error := require_one(table, "files", "repository", where):
        raise error
    if table.files is None:
        return _repository(root, table, where)
    if table.revision is not None:
        raise refuse(f"{where} has a `revision` without a `repository`", HINT)
    name = f"{place}/{_inside(root, table.files, where)}"
    try:
        is_folder = root.kind(name) == "directory"
    except Refused as error:
        raise refuse(f"`{name}` of the suite can't be used: {error}", HINT) from None
    if not is_folder:
        raise refuse(f"the suite has no folder `{name}`", HINT)
    _require_plain(root.path / name, name)
    return Source(files=root.path / name)


def _repository(root: Root, table: SourceTable, where: str) -> Source:
    named = table.repository or ""
    if _REMOTE.match(named) or "\0" in named:
        raise refuse(f"{where} names `{named}`, which is no path on this disk", f"clone it first; {HINT}")
    folder = root.path / named
    if not folder.is_dir():
        raise refuse(f"{where} names the repository `{named}`, which isn't there", HINT)
    revision = table.revision or "HEAD"
    if revision.startswith("-") or not revision.isprintable():
        raise refuse(f"`revision` in {where} is none", HINT)
    return Source(repository=Path(os.path.normpath(folder)), revision=revision)


def _inside(root: Root, name: str, where: str) -> str:
    """A name below a folder, spelled plainly."""
    try:
        return root.normalize(name)
    except Refused as error:
        raise refuse(f"{where} names what may not be named: {error}", HINT) from None


def _require_plain(folder: Path, shown: str) -> None:
    """Make sure that a task's files are files and folders, and not endlessly many.

    Raises:
        UserError: another kind of entry, too many, or one that can't be looked at.
    """
    count = 0
    waiting = [str(folder)]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif not entry.is_file(follow_symlinks=False):
                        raise refuse(f"`{entry.name}` in `{shown}` is a link or no file", "put plain files there")
                    if count > _MOST_FILES:
                        raise refuse(f"`{shown}` holds more than {_MOST_FILES:,} files", "make it smaller")
    except OSError as error:
        raise UserError(f"`{shown}` can't be read: {error.strerror}", hint=HINT) from error
