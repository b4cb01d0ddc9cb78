"""Says what calls cost, from what the tools declare, so that the words can't differ from the table.

A request holds every word of it in each round: what most tools cost is said once, and then the exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..result_limits import RESULT_LIMIT
from .base import INSTANT, AnyTool


def costs(tool: AnyTool) -> str:
    """One tool's cost and its longest answer, in words."""
    return f"{tool.cost}, up to {tool.result_size}"


def cost_line(tools: Iterable[AnyTool]) -> str:
    """What a call of each of the tools costs and the most that it answers, in one line."""
    groups: dict[str, list[str]] = {}
    for tool in tools:
        unlike = _unlike_most(tool)
        if unlike:
            groups.setdefault(unlike, []).append(tool.name)
    exceptions = "; ".join(f"{', '.join(names)}: {unlike}" for unlike, names in groups.items())
    usual = f"A call is {INSTANT} and gives at most {RESULT_LIMIT // 1024} KB"
    return f"{usual}; but {exceptions}." if exceptions else f"{usual}."


def _unlike_most(tool: AnyTool) -> str:
    cost = tool.cost if tool.cost != INSTANT else ""
    size = tool.result_size if tool.result_limit != RESULT_LIMIT else ""
    return ", ".join(filter(None, (cost, size)))
