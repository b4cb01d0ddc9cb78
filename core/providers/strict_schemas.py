"""Tools as strict servers want them, and their calls as the tools themselves want them.

A strict server writes each property in every call, so an optional one may be null there; and it knows no constraints,
which the tools check for themselves. https://api-docs.deepseek.com/guides/tool_calls and
https://platform.openai.com/docs/guides/structured-outputs say what such a schema may have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ..messages import ToolCall, ToolSchema
from .values import Json, as_object, as_objects

_CONSTRAINTS = frozenset((
    "default", "examples", "format", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems",
    "minProperties", "maxProperties", "patternProperties", "propertyNames", "unevaluatedProperties",
))  # fmt: skip
_NULL = {"type": "null"}


def strict_tool(tool: ToolSchema) -> Json:
    """The tool with `strict` and a schema without constraints, whose every property is required."""
    function = dict(as_object(tool.get("function")))
    function["parameters"] = strict_schema(function.get("parameters") or {"type": "object", "properties": {}})
    return {**tool, "function": {**function, "strict": True}}


def strict_schema(schema: Any) -> Any:  # noqa: ANN401 - a schema is an object or a boolean
    """One schema, and all inside it."""
    if not isinstance(schema, dict):
        return schema
    given = cast("Json", schema)
    strict = {name: _inside(name, value) for name, value in given.items() if name not in _CONSTRAINTS}
    if given.get("type") == "object" or "properties" in given:
        required = _names(given.get("required"))
        properties = as_object(strict.get("properties"))
        strict["properties"] = {
            name: value if name in required else _or_null(value) for name, value in properties.items()
        }
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    return strict


def _inside(name: str, value: Any) -> Any:  # noqa: ANN401 - any keyword's value
    if name in ("properties", "$defs", "definitions"):
        return {key: strict_schema(item) for key, item in as_object(value).items()}
    if name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        return [strict_schema(item) for item in cast("list[Any]", value)]
    return strict_schema(value) if name == "items" else value


def _or_null(schema: Any) -> Any:  # noqa: ANN401 - as above
    given = as_object(schema)
    kind = given.get("type")
    if isinstance(kind, str) and kind != "null":
        choices = {"enum": [*given["enum"], None]} if "enum" in given else {}
        return {**given, "type": [kind, "null"], **choices}
    if isinstance(given.get("anyOf"), list):
        return given if _NULL in given["anyOf"] else {**given, "anyOf": [*given["anyOf"], _NULL]}
    if isinstance(kind, list) or kind == "null":
        return given
    return {"anyOf": [given, _NULL]}


def without_nulls(calls: Sequence[ToolCall], tools: Sequence[ToolSchema]) -> tuple[ToolCall, ...]:
    """The calls without the nulls that only strictness asked for; all else is as the model wrote it."""
    schemas = {function.get("name"): function.get("parameters") for function in map(_function, tools)}
    return tuple(replace(call, arguments=_relaxed(call.arguments, schemas.get(call.name))) for call in calls)


def _function(tool: ToolSchema) -> Mapping[str, Any]:
    return as_object(tool.get("function"))


def _relaxed(arguments: str, schema: Any) -> str:  # noqa: ANN401 - as above
    if "null" not in arguments:
        return arguments
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    relaxed = _without(given, as_object(schema))
    return arguments if relaxed == given else json.dumps(relaxed, ensure_ascii=False)


def _without(value: Any, schema: Json) -> Any:  # noqa: ANN401 - any JSON
    # As deep as the schema is, which is ours; what the model nests deeper stays untouched.
    if isinstance(value, list):
        items = as_object(schema.get("items"))
        return [_without(item, items) for item in value] if items else value  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, dict):
        return value
    properties, required = as_object(schema.get("properties")), _names(schema.get("required"))
    return {
        name: _without(item, as_object(properties.get(name)))
        for name, item in cast("Json", value).items()
        if not (item is None and name in properties and name not in required and not _takes_null(properties[name]))
    }


def _takes_null(schema: Any) -> bool:  # noqa: ANN401 - as above
    given = as_object(schema)
    kinds: list[Any] = given["type"] if isinstance(given.get("type"), list) else [given.get("type")]
    return "null" in kinds or any(_takes_null(item) for item in as_objects(given.get("anyOf")))


def _names(required: Any) -> list[str]:  # noqa: ANN401 - as above
    return cast("list[str]", required) if isinstance(required, list) else []
