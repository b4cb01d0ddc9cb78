"""The rows that can be measured, by the name that `--row` takes. What they promise stands with each."""

from __future__ import annotations

from bench_request import Measure
from starting import commands, size, start
from tasks import refactorings, whole_task
from trees import repository_map, search_tree, tools, worktrees

ROWS: dict[str, Measure] = {
    "start": start,
    "task": whole_task,
    "help": commands,
    "size": size,
    "map": repository_map,
    "tools": tools,
    "worktree": worktrees,
    "grep": search_tree,
    "refactorings": refactorings,
}
