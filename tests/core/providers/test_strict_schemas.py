"""Tools as strict servers want them, and their calls back again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from orefactor.core.messages import ToolCall
from orefactor.core.providers.strict_schemas import strict_schema, strict_tool, without_nulls
from orefactor.core.tools import TOOL_SCHEMAS

STRING = {"type": "string"}


def an_object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


SCHEMAS: dict[str, tuple[Any, Any]] = {
    "all-required": (an_object(["a"], a=STRING), an_object(["a"], a=STRING)),
    "optional": ({"type": "object", "properties": {"a": STRING}}, an_object(["a"], a={"type": ["string", "null"]})),
    "constraints": (
        an_object(["a"], a={"type": "integer", "minimum": 1, "default": 3, "description": "d"}),
        an_object(["a"], a={"type": "integer", "description": "d"}),
    ),
    "a-property-named-as-a-constraint": (an_object(["format"], format=STRING), an_object(["format"], format=STRING)),
    "enum": (
        an_object([], a={"type": "string", "enum": ["x"]}),
        an_object(["a"], a={"type": ["string", "null"], "enum": ["x", None]}),
    ),
    "any-of": (
        an_object([], a={"anyOf": [STRING, {"type": "integer", "maximum": 3}]}),
        an_object(["a"], a={"anyOf": [STRING, {"type": "integer"}, {"type": "null"}]}),
    ),
    "null-already": (
        an_object([], a={"anyOf": [STRING, {"type": "null"}]}, b={"type": ["string", "null"]}, c={"type": "null"}),
        an_object(
            ["a", "b", "c"], a={"anyOf": [STRING, {"type": "null"}]}, b={"type": ["string", "null"]}, c={"type": "null"}
        ),
    ),
    "reference": (
        {**an_object([], a={"$ref": "#/$defs/x"}), "$defs": {"x": {"type": "object", "properties": {"b": STRING}}}},
        {
            **an_object(["a"], a={"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]}),
            "$defs": {"x": an_object(["b"], b={"type": ["string", "null"]})},
        },
    ),
    "nested": (
        an_object(["a"], a={"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"b": STRING}}}),
        an_object(["a"], a={"type": "array", "items": an_object(["b"], b={"type": ["string", "null"]})}),
    ),
    "no-properties": ({"type": "object"}, an_object([])),
    "any": (True, True),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), SCHEMAS.values(), ids=SCHEMAS.keys())
def test_a_strict_schema(schema: Any, expected: Any) -> None:
    before = json.dumps(schema)
    assert strict_schema(schema) == expected
    assert json.dumps(schema) == before


@pytest.mark.parametrize("tool", TOOL_SCHEMAS, ids=lambda tool: tool["function"]["name"])
def test_our_own_tools_can_be_strict(tool: dict[str, Any]) -> None:
    function = strict_tool(tool)["function"]
    parameters = function["parameters"]
    assert function["strict"] is True
    assert (
        list(parameters["properties"]) == parameters["required"] == list(tool["function"]["parameters"]["properties"])
    )


def test_a_tool_without_parameters() -> None:
    assert strict_tool({"type": "function", "function": {"name": "t"}}) == {
        "type": "function",
        "function": {"name": "t", "parameters": an_object([]), "strict": True},
    }


TOOL = {
    "type": "function",
    "function": {
        "name": "t",
        "parameters": {
            "type": "object",
            "properties": {
                "a": STRING,
                "b": STRING,
                "c": {"type": ["string", "null"]},
                "d": {"anyOf": [STRING, {"type": "null"}]},
                "e": {"type": "array", "items": {"type": "object", "properties": {"f": STRING}}},
                "g": {"type": "array"},
            },
            "required": ["a"],
        },
    },
}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"a": "x",  "b": "y"}', '{"a": "x",  "b": "y"}'),
        ('{"a": "x", "b": null}', '{"a": "x"}'),
        ('{"a": null}', '{"a": null}'),
        ('{"c": null, "d": null}', '{"c": null, "d": null}'),
        ('{"zzz": null}', '{"zzz": null}'),
        ('{"e": [{"f": null}, null, 1]}', '{"e": [{}, null, 1]}'),
        ('{"g": [{"f": null}]}', '{"g": [{"f": null}]}'),
        ('{"a": "é null", "b": null}', '{"a": "é null"}'),
        ('{"a": null', '{"a": null'),
        ("null", "null"),
        ("[" * 100_000 + "null", "[" * 100_000 + "null"),
    ],
)
def test_nulls_that_only_strictness_asked_for(arguments: str, expected: str) -> None:
    (call,) = without_nulls([ToolCall("c", "t", arguments)], [TOOL])
    assert call == ToolCall("c", "t", expected)
    (other,) = without_nulls([ToolCall("c", "unknown", arguments)], [TOOL])
    assert other.arguments == arguments
