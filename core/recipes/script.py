"""The whole conversation of the offline provider: look around, read, change, check, and say what was done."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .base import Options, Recipe
from .conversation import MAX_CALLS, Call, Reading, Script, ask, problem_of, read_files
from .edits import REDACTION, count_hunks, edits_between
from .python_source import parse
from .report import Report, report_text
from .request import Chosen
from .survey import survey
from .tidying import tidied

_ATTEMPTS = 2
_MANY_EDITS = 20
"""In one file: more are one `write_file`, since a run has few rounds."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to one file: calls that are to be made in order; none where nothing changes."""

    path: str
    calls: tuple[Call, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Tally:
    """What came of the changes: served calls by path, and problems by path."""

    edits: Mapping[str, int]
    problems: Mapping[str, str]


def perform(chosen: Chosen, paths: Sequence[str], tools: Collection[str]) -> Script[str]:
    """Do a task.

    Args:
        chosen: what to do.
        paths: the run's scope.
        tools: names of the tools on offer.

    Returns:
        The final answer: a commit subject, an empty line, and a short body.

    Raises:
        ProviderFailed: ruff took too long.
    """
    found = yield from survey(_narrowed(paths, chosen.paths))
    options = replace(
        found.options,
        import_rules=chosen.import_rules,
        public_only=chosen.public_only,
        target_version=chosen.target_version or found.options.target_version,
    )
    tally = yield from _change(found.files, chosen.recipes, options)
    changed = sorted(tally.edits)
    checked = yield from _check(changed, tools)
    report = Report(chosen, len(found.files), tally.edits, {**found.problems, **tally.problems}, checked)
    return report_text(report)


def _narrowed(scope: Sequence[str], named: Sequence[str]) -> Sequence[str]:
    """The paths that the task names, where they lie in the run's scope; else the scope."""
    folders = [path.rstrip("/") for path in scope]
    within = all(any(folder in (".", name) or name.startswith(f"{folder}/") for folder in folders) for name in named)
    return named if named and (within or not scope) else scope


def plan(path: str, text: str, recipes: Iterable[Recipe], options: Options) -> Change:
    """Work out what to do to one file, as calls."""
    after = text
    for recipe in recipes:
        after = recipe.apply(after, replace(options, path=path))
    after = tidied(text, after, replace(options, path=path))
    if after == text:
        return Change(path, problem="it has syntax that can't be parsed" if parse(text) is None else "")
    whole = Call("write_file", {"path": path, "content": after})
    if not text:
        return Change(path, (whole,))
    if count_hunks(text, after) > _MANY_EDITS and REDACTION not in text + after:
        return Change(path, (whole,))
    found = edits_between(text, after, path)
    calls = [Call("edit_file", {"path": path, "old_string": edit.old, "new_string": edit.new}) for edit in found.edits]
    return Change(
        path,
        tuple(calls),
        f"{found.dropped} change(s) beside redacted text or broken syntax" if found.dropped else "",
    )


def _change(paths: Sequence[str], recipes: Sequence[Recipe], options: Options) -> Script[_Tally]:
    edits: dict[str, int] = {}
    problems: dict[str, str] = {}
    waiting: Collection[str] = paths
    for _ in range(_ATTEMPTS):
        readings = yield from read_files(waiting)
        changes = [_planned(path, reading, recipes, options) for path, reading in readings.items()]
        problems |= {change.path: change.problem for change in changes}
        failed = yield from _apply(changes, edits)
        problems |= failed
        waiting = failed
    return _Tally(edits, {path: problem for path, problem in problems.items() if problem})


def _planned(path: str, reading: Reading, recipes: Sequence[Recipe], options: Options) -> Change:
    return Change(path, problem=reading.problem) if reading.problem else plan(path, reading.text, recipes, options)


def _apply(changes: Sequence[Change], edits: dict[str, int]) -> Script[dict[str, str]]:
    """Make the calls, count the served ones in `edits`, and give each failed file's problem."""
    calls = [(change.path, call) for change in changes for call in change.calls]
    answers = yield from ask([call for _path, call in calls])
    failed: dict[str, str] = {}
    for (path, _call), answer in zip(calls, answers, strict=True):
        if problem := problem_of(answer):
            failed[path] = problem
        else:
            edits[path] = edits.get(path, 0) + 1
    return failed


def _check(paths: Sequence[str], tools: Collection[str]) -> Script[str]:
    """Compile what has changed; the first line of the answer, or nothing where it wasn't asked."""
    if not 0 < len(paths) <= MAX_CALLS or "run_check" not in tools:
        return ""
    command = " ".join(["py_compile", *map(shlex.quote, paths)])
    answers = yield from ask([Call("run_check", {"command": command})])
    return problem_of(answers[0]) or answers[0].partition("\n")[0]
