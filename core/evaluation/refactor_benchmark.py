"""Loads aider's refactor benchmark: 89 tasks of one Python file each, "make this method a top-level function".

From `Aider-AI/refactor-benchmark` at GitHub, Apache-2.0; its files come from ansible, django, home-assistant,
matplotlib, pandas, pytorch, scikit-learn, spyder and tensorflow, under their own licences. Nothing is fetched: a path
to the repository's `.tar.gz` or to a folder of it is asked for.

Each task's test only calls `verify_refactor`, which the archive doesn't hold, with four values. So the values are read
from the test as a syntax tree and judged here: a stranger's code that needn't be run isn't, and a verdict takes
milliseconds. A test of another form is refused.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from ..errors import UserError
from .archive import read_material
from .command_check import one_line, refuse
from .made_material import folder_for_material
from .method_move import Move, read_move
from .moved_method import Counts, counted_fault, needed_lines, strict_fault
from .oracle import move_oracle
from .python_trees import parsed
from .suite_format import NAME
from .task import Source, SuccessCheck, Suite, Task, Verdict

_INSTRUCTIONS = ".docs/instructions.md"
_HINT = "name the archive or a clone of `Aider-AI/refactor-benchmark`"
_LICENCE = "Apache-2.0"
_VALUES = ("method", "method_children", "class_name", "class_children")


@dataclass(frozen=True, slots=True)
class OwnCheck:
    """The benchmark's own check: counts of nodes, within ten percent."""

    file: str
    move: Move
    counts: Counts

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Judge the file after the change."""

        def fault(_old: ast.Module, new: ast.Module) -> str:
            return counted_fault(new, self.move, self.counts)

        return _verdict(self.file, self.move, before, after, fault)


@dataclass(frozen=True, slots=True)
class StrictCheck:
    """Ours: the same code but for the move, as a syntax tree."""

    file: str
    move: Move

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Compare the file before with the one after."""

        def fault(old: ast.Module, new: ast.Module) -> str:
            return strict_fault(old, new, self.move)

        return _verdict(self.file, self.move, before, after, fault)


def load_refactor_benchmark(path: Path, *, into: Path | None = None, strict: bool = True) -> Suite:
    """Read the benchmark.

    Args:
        path: the `.tar.gz`, or a folder that holds the tasks or `refactor-benchmark`.
        into: a folder for the tasks' files, one folder for each task; None for one in the user's cache.
        strict: whether our check decides, or the benchmark's own; the other one is told beside it.

    Raises:
        UserError: it isn't the benchmark, or its files can't be written.
    """
    tasks = _by_task(read_material(path))
    if not tasks:
        raise refuse(f"`{path}` holds no task with `{_INSTRUCTIONS}`", _HINT)
    place = folder_for_material(into) / "refactor-benchmark"
    made = tuple(_task(name, files, place, strict=strict) for name, files in sorted(tasks.items()))
    return Suite("refactor-benchmark", made)


def _by_task(material: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """The files of each task by their path in its folder."""
    folders = {name.removesuffix(_INSTRUCTIONS) for name in material if name.endswith(f"/{_INSTRUCTIONS}")}
    found: dict[str, dict[str, bytes]] = {}
    for folder in folders:
        name = folder.rstrip("/").rpartition("/")[2]
        if name in found or not NAME.fullmatch(name):
            raise refuse(f"`{name}` is no name of one task", _HINT)
        found[name] = {}
    for path, data in material.items():
        # A task's files lie in its folder or one below; what lies deeper is none of the benchmark's.
        for above in (1, 2):
            *parts, last = path.rsplit("/", above)
            top = parts[0] if parts else ""
            if f"{top}/" in folders:
                found[top.rpartition("/")[2]]["/".join([*parts[1:], last])] = data
    return found


def _task(name: str, files: Mapping[str, bytes], into: Path, *, strict: bool) -> Task:
    text = files[_INSTRUCTIONS].decode("utf-8", "replace").strip()
    sources = [path for path in files if path.endswith(".py") and "/" not in path and not path.endswith("_test.py")]
    move = read_move(text)
    if move is None or len(sources) != 1:
        raise refuse(f"the task `{name}` isn't about one method of one file", _HINT)
    file = sources[0]
    try:
        counts = _counts(files.get(file.removesuffix(".py") + "_test.py", b""), move)
    except ValueError as error:
        raise refuse(f"the task `{name}` can't be judged: {error}", _HINT) from None
    checks: dict[str, SuccessCheck] = {"strict": StrictCheck(file, move), "own": OwnCheck(file, move, counts)}
    ordered = checks if strict else dict(reversed(checks.items()))
    folder = _written(into, name, file, files[file])
    return Task(name, text, Source(files=folder), (file,), success=ordered, oracle=move_oracle, licence=_LICENCE)


def _counts(test: bytes, move: Move) -> Counts:
    """What the task's test hands to `verify_refactor`.

    Raises:
        ValueError: it does something else.
    """
    values: dict[str, object] = {}
    called = False
    for node in ast.walk(parsed(test)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            values |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
        called |= isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "verify_refactor"
    method, method_nodes, owner, owner_nodes = (values.get(name) for name in _VALUES)
    is_known = called and (method, owner) == (move.method, move.owner)
    if not (is_known and isinstance(method_nodes, int) and isinstance(owner_nodes, int)):
        raise ValueError("its test isn't one of the benchmark's")
    if not 0 < method_nodes < owner_nodes:
        raise ValueError("its test has impossible counts")
    return Counts(method_nodes, owner_nodes)


def _written(into: Path, name: str, file: str, data: bytes) -> Path:
    """The folder that holds a task's file alone; its name tells the content, so that it never has to change."""
    folder = into / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    try:
        if not (folder / file).exists():
            folder.mkdir(parents=True, exist_ok=True)
            Root(folder).create(file, data)
    except (OSError, Refused) as error:
        raise UserError(f"the task's files can't be written to `{folder}`: {error}", hint="check the folder") from None
    return folder


def _verdict(
    file: str, move: Move, before: Path, after: Path, find: Callable[[ast.Module, ast.Module], str]
) -> Verdict:
    """The verdict on one file; only where the file before has no such method, nothing can be said."""
    try:
        old = parsed(Root(before).read(file).data)
        lines = needed_lines(old, move)
    except (ValueError, Refused) as error:
        return Verdict(None, one_line(f"{file} before the change: {error}"))
    try:
        fault = find(old, parsed(Root(after).read(file).data))
    except (ValueError, Refused) as error:
        fault = one_line(f"{file}: {error}")
    return Verdict(not fault, fault, lines)
