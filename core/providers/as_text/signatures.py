"""What a tool's schema says, as plain values: its parameters and their types, and how a written value is read by them.

Calls that are written as text name values without saying whether `12` is a number or a word; the schema says it.
Whether a call fits its tool is not judged here: the tool itself does that, and tells the model in its own terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...messages import ToolSchema
from ..values import as_object, as_objects, as_text
from .strict_json import NotJson, decode_all

_INTEGER = re.compile(r"[+-]?[0-9]{1,400}")
_ARTICLES = {"integer": "an", "array": "an", "object": "an"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    Attributes:
        types: the names that JSON Schema has for them; none where everything is allowed.
        choices: the values that are allowed; none where the schema doesn't say.
    """

    name: str
    types: tuple[str, ...] = ()
    is_required: bool = False
    choices: tuple[Any, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A tool as a model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Parameter]


def read_signatures(tools: Sequence[ToolSchema]) -> dict[str, Signature]:
    """The tools by name; what isn't in the OpenAI function-calling form is left out."""
    functions = (as_object(tool.get("function")) for tool in tools)
    return {name: _signature(name, function) for function in functions if (name := as_text(function.get("name")))}


def _signature(name: str, function: Mapping[str, Any]) -> Signature:
    schema = as_object(function.get("parameters"))
    required = schema.get("required") or ()
    parameters = {
        key: _parameter(key, as_object(value), key in required)
        for key, value in as_object(schema.get("properties")).items()
    }
    return Signature(name, as_text(function.get("description")), parameters)


def _parameter(name: str, schema: Mapping[str, Any], is_required: bool) -> Parameter:
    enum = schema.get("enum")
    choices: list[Any] = enum if isinstance(enum, list) else []  # pyright: ignore[reportUnknownVariableType]
    return Parameter(
        name,
        tuple(dict.fromkeys(_types(schema))),
        is_required,
        tuple(choices),
        as_text(schema.get("description")),
    )


def _types(schema: Mapping[str, Any]) -> list[str]:
    """The schema's own types, and those of its alternatives."""
    own = schema.get("type")
    names = [own] if isinstance(own, str) else [as_text(name) for name in own or ()]
    for alternative in as_objects(schema.get("anyOf") or schema.get("oneOf")):
        names += _types(alternative)
    return names


def read_value(text: str, types: Sequence[str], *, is_quoted: bool = False) -> Any:  # noqa: ANN401 - JSON
    """The value that the text spells for a parameter of these types; a string is the text as it stands.

    Args:
        is_quoted: the text is a string beyond doubt where one is allowed, even if it reads `null`.

    Raises:
        ValueError: it spells none; the exception's text names the types, with their articles.
    """
    word = text.strip()
    is_text = "string" in types or not types
    if "null" in types and word == "null" and not (is_text and is_quoted):
        return None
    if is_text:
        return text
    if "integer" in types and _INTEGER.fullmatch(word):
        return int(word)
    if "boolean" in types and word.lower() in ("true", "false"):
        return word.lower() == "true"
    value = _read_json(word)
    if _kind(value) in types:
        return value
    raise ValueError(" or ".join(f"{_ARTICLES.get(name, 'a')} {name}" for name in types if name != "null"))


def _read_json(word: str) -> Any:  # noqa: ANN401 - JSON
    try:
        values = decode_all(word)
    except NotJson:
        return None
    return values[0] if len(values) == 1 else None


def _kind(value: object) -> str:
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case int() | float() if not isinstance(value, bool):
            return "number"
        case _:
            return "other"
