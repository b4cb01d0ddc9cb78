"""The tools that a model may call. What it may do is this table; a new tool is one file and one line here."""

from __future__ import annotations

from typing import Any

from . import (
    ast_outline,
    codebase_context,
    delete_file,
    edit_file,
    find_references,
    grep,
    list_dir,
    move_file,
    read_file,
    run_check,
    skill_section,
    write_file,
)
from .base import AnyTool, Need
from .schema import function_schema

TOOLS: dict[str, AnyTool] = {
    "read_file": read_file.TOOL,
    "list_dir": list_dir.TOOL,
    "grep": grep.TOOL,
    "ast_outline": ast_outline.TOOL,
    "codebase_context": codebase_context.TOOL,
    "find_references": find_references.TOOL,
    "skill_section": skill_section.TOOL,
    "edit_file": edit_file.TOOL,
    "write_file": write_file.TOOL,
    "delete_file": delete_file.TOOL,
    "move_file": move_file.TOOL,
    "run_check": run_check.TOOL,
}

TOOL_SCHEMAS: list[dict[str, Any]] = [function_schema(tool) for tool in TOOLS.values()]
"""Every tool in the OpenAI function-calling form."""


def offered(*there: Need) -> dict[str, AnyTool]:
    """The tools that can do something where only these needs are met; the others would only say that they can't."""
    return {name: tool for name, tool in TOOLS.items() if tool.needs is None or tool.needs in there}
