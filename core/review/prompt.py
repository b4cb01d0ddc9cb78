"""What the model of a review is told first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..checks.result import CheckResult
from ..context.conventions import Section
from ..context.rendering import one_line
from ..messages import Message
from ..patch_hunks import PatchFile
from ..prompts import fixed
from ..prompts import told as text
from ..result_limits import RESULT_LIMIT
from ..tools.base import AnyTool
from ..tools.paging import cap
from .check_tools import told
from .diff_text import diff_text
from .tools import tool_list


def opening(
    source: str,
    files: Sequence[PatchFile],
    checks: Iterable[CheckResult],
    tools: Iterable[AnyTool],
    rules: Iterable[Section],
) -> tuple[Message, Message]:
    """The first two messages; the first one is always the same, so that caches hold it.

    Args:
        source: what is reviewed, in words.
        files: the change.
        checks: what has run before.
        tools: those that are offered; none where none are.
        rules: the sections of the project's conventions that can be asked for.
    """
    listed = list(tools)
    shown = f"\n## Available tools\n\n{tool_list(listed)}\n" if listed else ""
    known = "\n".join(f"- {one_line(rule.rule_id)}: {one_line(rule.title)}" for rule in rules)
    ruled = f"\n## The project's rules (skill_section gives their text)\n\n{known}\n" if known else ""
    facts = {
        "source": one_line(source),
        "checks": "\n".join(map(_ran, checks)) or "none",
        "tools": shown,
        "rules": ruled,
        "diff": diff_text(files),
    }
    return Message("system", fixed("review_system")), Message("user", text("review_task", **facts))


def _ran(check: CheckResult) -> str:
    """A check as one item; what it printed is a stranger's, so no line of that begins like one of ours."""
    return cap(told(check), RESULT_LIMIT, "the rest is left out").replace("\n", "\n  ")
