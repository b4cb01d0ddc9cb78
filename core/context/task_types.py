"""The types of task, what each promises and runs by default, and the table of the words that ask for them.

A table, not a model and not the place of a word in its sentence: what a text is taken for can be read off here. The
contract of a run is stricter: it is read from the whole text, in `promise.py`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..code.words import fold, tokens
from .promise import ANY

TaskName = Literal[
    "document", "annotate", "rename", "extract", "inline", "move", "simplify", "modernize", "fix", "test", "general"
]
# The catalogue's default ones, written out: to load it takes longer than to make a frame.
_CHECKS = ("py_compile", "ruff")


@dataclass(frozen=True, slots=True)
class TaskType:
    """One type of task.

    Attributes:
        contract: the kinds of contract that it promises where a text asks for nothing else, as `--contract` takes them.
        checks: the required checks that it runs by default.
    """

    name: TaskName
    contract: tuple[str, ...] = ANY
    checks: tuple[str, ...] = _CHECKS


_TYPES = (
    TaskType("document", ("docstrings",)),
    TaskType("annotate", ("annotations",)),
    TaskType("rename", ("rename",)),
    TaskType("extract"),
    TaskType("inline"),
    TaskType("move", ("move",)),
    TaskType("simplify"),
    TaskType("modernize"),
    TaskType("fix"),
    TaskType("test"),
    TaskType("general"),
)
TASK_TYPES: Mapping[TaskName, TaskType] = {row.name: row for row in _TYPES}
_NAMES: Mapping[str, TaskName] = {row.name: row.name for row in _TYPES}

_ROWS: tuple[tuple[TaskName, str], ...] = (
    ("document", "docstrings, docstring, doc strings, doc string"),
    ("annotate", "annotations, annotation, type hints, type hint, type annotations, annotate, annotates, annotating"),
    ("rename", "rename, renames, renaming"),
    ("extract", "extract, extracts, extracting, factor out, factoring out, pull out, split out"),
    ("inline", "inline, inlines, inlining"),
    ("move", "move, moves, moving, relocate, relocates, relocating"),
    ("document", "document, documents, documenting, documentation, docs, comments, comment"),
    ("modernize", "modernize, modernise, modernizing, modernising, upgrade, upgrading, migrate, migrating, f-strings"),
    ("simplify", "simplify, simplifies, simplifying, dead code, unused, deduplicate"),
    # What was done to a thing more often describes the thing than asks for it.
    ("rename", "renamed"),
    ("extract", "extracted"),
    ("inline", "inlined"),
    ("move", "moved, relocated"),
    ("document", "documented"),
    ("annotate", "annotated, typing"),
    ("modernize", "modernized, modernised, upgraded, migrated"),
    ("simplify", "simplified"),
    ("fix", "fix, fixes, fixed, fixing, repair, repairs, bug, bugs, solve, solves, broken"),
    ("fix", "fail, fails, failing, failure, crash, crashes, crashing"),
    ("simplify", "clean, cleans, cleaning, clean up, cleanup, tidy, refactor, refactoring, reformat, format, sort"),
    ("extract", "split, splits, splitting"),
    ("modernize", "convert, converting, port, porting"),
    ("test", "unit tests, unit test, tests, test, testing, coverage"),
)
SUBJECTS: Mapping[str, TaskName] = {key: name for name, keys in _ROWS for key in keys.split(", ")}
"""What asks for a type of task, the most telling first: as the subject of a payload, or as words of a text."""


def _joined(words: str) -> str:
    """Words as they are compared: folded, with nothing between, since `typehints` are `type hints` and `type-hints`."""
    return "".join(fold(token.text) for token in tokens(words))


_KEYS: Mapping[str, TaskName] = {**{_joined(key): name for key, name in SUBJECTS.items()}, **_NAMES}

_MOST_WORDS = max(len(key.split()) for key in SUBJECTS)


def classify(subject: str, text: str) -> TaskName:
    """The type that a payload's subject names, else the first of the table that stands in the text, else `general`."""
    named = _joined(subject)
    if known := _KEYS.get(named):
        return known
    words = [fold(token.text) for token in tokens(text)]
    said = {"".join(words[start : start + count]) for start in range(len(words)) for count in range(1, _MOST_WORDS + 1)}
    first = next((key for key in _KEYS if key in said), "general")
    return _KEYS[first]


def task_type(text: str) -> TaskType:
    """The type of a task by its text alone."""
    return TASK_TYPES[classify("", text)]


def checked(name: str) -> TaskName:
    """A type's name as somebody gave it.

    Raises:
        ValueError: there is no such type; the message tells the nearest name.
    """
    if name in _NAMES:
        return _NAMES[name]
    nearest = difflib.get_close_matches(name[:100], _NAMES, 1, 0)[0]
    raise ValueError(f"no task type {name[:100]!a}; the nearest is {nearest!r}")
