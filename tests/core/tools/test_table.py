"""The table of tools is the folder of tools."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import orefactor.core.tools
from orefactor.core.tools import TOOLS

NAMED = ("read_file", "list_dir", "grep", "ast_outline", "edit_file", "write_file", "run_check")


def modules() -> set[str]:
    folder = Path(str(orefactor.core.tools.__file__)).parent
    return {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


def test_each_file_that_defines_a_tool_is_in_the_table() -> None:
    defining = {name for name in modules() if hasattr(import_module(f"orefactor.core.tools.{name}"), "TOOL")}
    assert defining == set(TOOLS)
    assert all(name == tool.name for name, tool in TOOLS.items())


@pytest.mark.traces("REQ-103-011", "REQ-103-012", "REQ-103-013", "REQ-103-014", "REQ-103-015", "REQ-103-016")
def test_the_tools_that_were_asked_for_are_there() -> None:
    assert set(NAMED) <= set(TOOLS)


@pytest.mark.traces("SEC-103-004")
def test_what_a_tool_may_do_is_said() -> None:
    effects = {name: tool.effect for name, tool in TOOLS.items()}
    assert effects == {
        "read_file": "observe", "list_dir": "observe", "grep": "observe", "ast_outline": "observe",
        "codebase_context": "observe", "find_references": "observe", "skill_section": "observe",
        "edit_file": "mutate", "write_file": "mutate", "delete_file": "mutate", "move_file": "mutate",
        "run_check": "verify",
    }  # fmt: skip
