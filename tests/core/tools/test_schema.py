"""What a model is told of a tool follows from the model of its arguments."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import Field

from orefactor.core.tools import TOOL_SCHEMAS, TOOLS, offered
from orefactor.core.tools.base import AnyTool, Arguments, Tool, Workspace
from orefactor.core.tools.costs import cost_line, costs
from orefactor.core.tools.schema import function_schema, parameters_schema


class Sample(Arguments):
    """Do a sample."""

    plain: str = Field(description="What it is.")
    number: int = 5
    maybe: int | None = None
    ratio: float = 0.5
    flag: bool = False
    names: list[str] = Field(default_factory=list)
    choice: Literal["a", "b"] = "a"
    bounded: int = Field(default=1, ge=1, le=9)
    anything: Any = None


class Empty(Arguments):
    """Take nothing."""


def run(_arguments: Arguments, _workspace: Workspace) -> str:
    return ""


@pytest.mark.traces("REQ-103-010")
def test_each_kind_of_parameter() -> None:
    assert parameters_schema(Sample) == {
        "type": "object",
        "properties": {
            "plain": {"type": "string", "description": "What it is."},
            "number": {"type": "integer"},
            "maybe": {"type": "integer"},
            "ratio": {"type": "number"},
            "flag": {"type": "boolean"},
            "names": {"type": "array", "items": {"type": "string"}},
            "choice": {"type": "string", "enum": ["a", "b"]},
            "bounded": {"type": "integer", "minimum": 1, "maximum": 9},
            "anything": {"type": "string"},
        },
        "required": ["plain"],
        "additionalProperties": False,
    }


def test_a_tool_without_parameters() -> None:
    tool: AnyTool = Tool("empty", "observe", Empty, run)
    assert function_schema(tool) == {
        "type": "function",
        "function": {
            "name": "empty",
            "description": "Take nothing.",
            "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        },
    }


@pytest.mark.traces("REQ-103-010", "REQ-103-014")
def test_the_schema_that_the_specification_shows() -> None:
    [edit] = [schema for schema in TOOL_SCHEMAS if schema["function"]["name"] == "edit_file"]
    properties = edit["function"]["parameters"]["properties"]
    assert edit["function"]["description"] == "Replace ONE exact, unique occurrence of old_string with new_string."
    assert {name: value["type"] for name, value in properties.items()} == {
        "path": "string", "old_string": "string", "new_string": "string",
    }  # fmt: skip
    assert edit["function"]["parameters"]["required"] == ["path", "old_string", "new_string"]


def costing(name: str, cost: str = "instant", limit: int = 8192) -> AnyTool:
    return Tool(name, "observe", Empty, run, cost, limit)


@pytest.mark.parametrize(
    ("tools", "line"),
    [
        pytest.param([], "A call is instant and gives at most 8 KB.", id="none"),
        pytest.param([costing("a")], "A call is instant and gives at most 8 KB.", id="as-most"),
        pytest.param([costing("a"), costing("b", "a minute")],
                     "A call is instant and gives at most 8 KB; but b: a minute.", id="slow"),
        pytest.param([costing("a", "a minute"), costing("b", limit=4096), costing("c", "a minute"),
                      costing("d", "a minute", 16384)],
                     "A call is instant and gives at most 8 KB; but a, c: a minute; b: 4 KB; d: a minute, 16 KB.",
                     id="groups"),
    ],
)  # fmt: skip
def test_what_calls_cost(tools: list[AnyTool], line: str) -> None:
    assert cost_line(tools) == line


def test_every_tool_declares_its_cost_and_its_longest_answer() -> None:
    assert {name: costs(tool) for name, tool in TOOLS.items() if costs(tool) != "instant, up to 8 KB"} == {
        "read_file": "instant, up to 32 KB",
        "codebase_context": "about 1 s, up to 8 KB",
        "find_references": "about 1 s, up to 8 KB",
        "skill_section": "instant, up to 16 KB",
        "run_check": "seconds to minutes, up to 8 KB",
    }


def test_what_is_offered_where_something_is_missing() -> None:
    assert [name for name in TOOLS if name not in offered()] == ["codebase_context", "find_references", "skill_section"]
    assert [name for name in TOOLS if name not in offered("index")] == ["skill_section"]
    assert offered("index", "sections") == TOOLS
