"""Derives what a model is told of a tool from the model of its arguments."""

from __future__ import annotations

import inspect
from typing import Any

from .base import AnyTool, Arguments

_KEPT = ("type", "description", "enum", "items", "minimum", "maximum")


def function_schema(tool: AnyTool) -> dict[str, Any]:
    """The tool in the OpenAI function-calling form.

    A parameter with a default is optional; one whose type can't be told is a string.
    """
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": " ".join((inspect.getdoc(tool.arguments) or "").split()),
            "parameters": parameters_schema(tool.arguments),
        },
    }


def parameters_schema(arguments: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments: a closed object without titles or references."""
    derived = arguments.model_json_schema()
    properties = {name: _plain(schema) for name, schema in derived.get("properties", {}).items()}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if derived.get("required"):
        schema["required"] = derived["required"]
    return {**schema, "additionalProperties": False}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    # `int | None` is an optional integer: leaving it out says None.
    options: list[dict[str, Any]] = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    schema = schema | (options[0] if options else {})
    kept = {key: schema[key] for key in _KEPT if key in schema}
    return kept if "type" in kept else {"type": "string", **kept}
