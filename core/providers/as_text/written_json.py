"""Tells which JSON values are calls of an offered tool, in any of the spellings that models were trained on.

JSON that merely looks like one stays data: the name must be an offered tool's, and a quoted tool schema is no call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from ..values import Json, as_object
from .findings import WrittenCall, quoted
from .signatures import Signature
from .strict_json import NotJson, decode_all

_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_BROKEN = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*+:\s*+["']([^"'\n]{1,100})["']""")
_BROKEN_ARGUMENTS = re.compile(r"""["'](?:arguments|parameters|args|input)["']\s*+:""")
_WINDOW = 400
"""Characters from its start in which broken JSON must name its tool to be taken for a call."""
_MISSING = object()


def calls_in(value: Any, signatures: Mapping[str, Signature], *, is_marked: bool) -> list[WrittenCall]:  # noqa: ANN401
    """The calls that a JSON value is: an object, a list of them, or an object that holds a list of them.

    Args:
        is_marked: something around the value says that it is a call; else it must have arguments.

    Returns:
        None at all unless every part is a call, and at least one of an offered tool.

    Raises:
        NotJson: it is a call to an offered tool whose arguments are no object.
    """
    items: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    if len(items) == 1 and isinstance(inner := as_object(items[0]).get("tool_calls"), list):
        items = inner  # pyright: ignore[reportUnknownVariableType]
    read = [_named_arguments(as_object(item)) for item in items]
    named = [(name, arguments) for name, arguments in read if name and (is_marked or arguments is not _MISSING)]
    if len(named) < len(read) or not any(_is_call(signatures.get(name), arguments) for name, arguments in named):
        return []
    return [WrittenCall(name, _object(name, arguments)) for name, arguments in named]


def names_offered(text: str, at: int, signatures: Mapping[str, Signature]) -> str:
    """The offered tool that broken JSON seems to call; empty where it names none."""
    match = _BROKEN.search(text, at, at + _WINDOW)
    return match[1] if match and match[1] in signatures else ""


def has_arguments(text: str) -> bool:
    """Whether broken JSON has what a call's arguments are called by."""
    return _BROKEN_ARGUMENTS.search(text, 0, _WINDOW) is not None


def _named_arguments(item: Json) -> tuple[str, Any]:
    """The name of the tool that an object calls, and the arguments as they are given."""
    inner = item.get("function")
    found = cast("Json", inner) if isinstance(inner, dict) else item
    name = next((found[key] for key in _NAMES if isinstance(found.get(key), str)), "")
    return name, next((found[key] for key in _ARGUMENTS if key in found), _MISSING)


def _is_call(signature: Signature | None, arguments: Any) -> bool:  # noqa: ANN401
    """Whether it calls an offered tool; the tool's own schema has `parameters` as well."""
    if signature is None:
        return False
    return "properties" in signature.parameters or "properties" not in as_object(arguments)


def _object(name: str, arguments: Any) -> Json:  # noqa: ANN401
    if arguments is _MISSING or arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        try:
            values = decode_all(arguments)
        except NotJson as error:
            raise NotJson(f"the arguments of {quoted(name)} are no valid JSON: {error}") from None
        arguments = values[0] if len(values) == 1 else None
    if not isinstance(arguments, dict):
        raise NotJson(f"the arguments of {quoted(name)} must be a JSON object")
    return cast("Json", arguments)
