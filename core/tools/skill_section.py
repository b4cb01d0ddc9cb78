"""`skill_section`: one section of the project's own conventions, whose ids and titles the model is shown at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ToolError
from .base import Arguments, Tool, Workspace

if TYPE_CHECKING:
    from ..context.conventions import Section

_MOST_KNOWN = 40
_LONGEST = 16 * 1024
"""Bytes; a section can't be asked for in parts, and is cut at 16,000 characters."""


class SkillSection(Arguments):
    """One section of the project's conventions."""

    rule_id: str


def run(arguments: SkillSection, workspace: Workspace) -> str:
    """The section's text, subsections included; long ones are cut."""
    from ..context.conventions import section_text, sections_of

    index = workspace.require_index()
    rule_id = arguments.rule_id.strip().strip("`")
    text = section_text(index, rule_id)
    if text is None:
        raise ToolError(_unknown(rule_id, sections_of(index, workspace.scope.paths)))
    return text


def _unknown(rule_id: str, known: tuple[Section, ...]) -> str:
    if not known:
        return "this project has no conventions that are known; go on without"
    from .places import one_line, quoted

    listed = "; ".join(one_line(f"{section.rule_id} ({section.title})") for section in known[:_MOST_KNOWN])
    more = f"; and {len(known) - _MOST_KNOWN} more" if len(known) > _MOST_KNOWN else ""
    return f"there is no section {quoted(rule_id)}; the sections are: {listed}{more}"


TOOL = Tool("skill_section", "observe", SkillSection, run, result_limit=_LONGEST, needs="sections")
