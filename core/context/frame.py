"""What type of task a text asks for, what kind of change that type promises, and which checks it runs.

The contract itself is read from the whole text, in `promise.py`; here stands the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..checks.catalogue import DEFAULT_CHECKS
from .promise import ANY, promised

TaskName = Literal[
    "document", "annotate", "rename", "extract", "inline", "move", "simplify", "modernize", "fix", "test", "general"
]
_MAX_TEXT = 10_000
"""Characters of a task that are looked through for key words."""


@dataclass(frozen=True, slots=True)
class TaskType:
    """One type of task.

    Attributes:
        words: a pattern of what a text says that asks for it.
        contract: the kinds of contract that it promises where a text asks for nothing else, as `--contract` takes them.
        checks: the required checks that it runs by default.
    """

    name: TaskName
    words: str
    contract: tuple[str, ...] = ANY
    checks: tuple[str, ...] = DEFAULT_CHECKS


_ROWS = (
    TaskType("document", r"doc ?strings?|document(?:s|ed|ing|ation)?|comments?", ("docstrings",)),
    TaskType("annotate", r"type ?hints?|annotat\w+|typing", ("annotations",)),
    TaskType("rename", r"renam\w+", ("rename",)),
    TaskType("extract", r"extract\w*|factor(?:ing)? out|pull(?:ing)? out|split\w*"),
    TaskType("inline", r"inlin\w+"),
    TaskType("move", r"mov(?:e[sd]?|ing)|relocat\w+", ("move",)),
    TaskType("simplify", r"simplif\w+|clean\w*|tid(?:y|ied)|refactor\w*|unused|dead code|sort\w*|(?:re)?format\w*"),
    TaskType("modernize", r"moderni[sz]\w+|upgrad\w+|migrat\w+|port(?:ing)?|convert\w*|python ?[23][\d.]*"),
    TaskType("fix", r"fix\w*|repair\w*|bugs?|solv\w+|broken|fail\w*|crash\w*"),
    TaskType("test", r"(?:unit ?)?tests?|testing|coverage"),
    TaskType("general", r"(?!)"),
)
TASK_TYPES: Mapping[TaskName, TaskType] = {row.name: row for row in _ROWS}
_OF_CONTRACT: Mapping[str, TaskName] = {
    "docstrings": "document",
    "comments": "document",
    "annotations": "annotate",
    "rename": "rename",
    "move": "move",
    "imports": "simplify",
    "formatting": "simplify",
}
_PATTERN = re.compile("|".join(rf"(?P<{row.name}>\b(?:{row.words})\b)" for row in _ROWS), re.IGNORECASE)
_NAMES: Mapping[str, TaskName] = {row.name: row.name for row in _ROWS}


def task_type(text: str) -> TaskType:
    """The type of a task: what it promises decides, else its first key word; `general` where it has none."""
    kinds = promised(text)
    if kinds != ANY:
        return TASK_TYPES[_OF_CONTRACT[kinds[0].partition(":")[0]]]
    found = _PATTERN.search(text[:_MAX_TEXT])
    return TASK_TYPES[_NAMES[found.lastgroup or "general"] if found else "general"]


def contract_for(text: str) -> tuple[str, ...]:
    """The contract of a task where the user names none (`auto`): `("any",)` unless the whole text is understood."""
    return promised(text)
