"""What a model is told of a tool follows from the model of its arguments."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import Field

from orefactor.core.tools import TOOL_SCHEMAS
from orefactor.core.tools.base import AnyTool, Arguments, Tool, Workspace
from orefactor.core.tools.schema import function_schema, parameters_schema


class Sample(Arguments):
    """Do a sample."""

    plain: str
    """What it is."""
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
