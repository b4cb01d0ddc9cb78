"""Checks the arguments of a call before anything runs, and says what is wrong in the model's own terms."""

from __future__ import annotations

import difflib
import json
from typing import Any, TypeVar

from pydantic import ValidationError

from ..errors import ToolError
from .base import Arguments

A = TypeVar("A", bound=Arguments)

_SYNONYMS = {
    "file_path": "path",
    "filepath": "path",
    "filename": "path",
    "file": "path",
    "directory": "path",
    "dir": "path",
    "old": "old_string",
    "old_str": "old_string",
    "old_text": "old_string",
    "search": "old_string",
    "new": "new_string",
    "new_str": "new_string",
    "new_text": "new_string",
    "replace": "new_string",
    "text": "content",
    "contents": "content",
    "regex": "pattern",
    "query": "pattern",
    "cmd": "command",
    "include": "glob",
    "start": "start_line",
    "end": "end_line",
    "destination": "new_path",
    "target": "new_path",
}


def parse_arguments(model: type[A], arguments: dict[str, Any] | str | None) -> A:
    """The typed arguments of a call.

    Args:
        arguments: an object, or the JSON text of one; nothing at all stands for an empty object.

    Raises:
        ToolError: not an object, or one that breaks the schema; the text names each fault.
    """
    read = load_object(arguments)
    try:
        return model.model_validate(read)
    except ValidationError as error:
        faults = "; ".join(_fault(model, dict(fault)) for fault in error.errors(include_url=False))
        raise ToolError(f"invalid arguments: {faults}") from None


def load_object(arguments: dict[str, Any] | str | None) -> dict[str, Any]:
    """The object that the arguments are or spell.

    Raises:
        ToolError: invalid JSON, or a value that is no object.
    """
    read: Any = arguments
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return {}
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            raise ToolError(f"the arguments are not valid JSON ({error}); send one JSON object") from None
    if not isinstance(read, dict):
        raise ToolError(f"the arguments must be one JSON object, not {_kind(read)}")
    return read  # pyright: ignore[reportUnknownVariableType]


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def _fault(model: type[Arguments], fault: dict[str, Any]) -> str:
    name = ".".join(str(part) for part in fault["loc"])
    match fault["type"]:
        case "missing":
            return f"`{name}` is missing"
        case "extra_forbidden":
            return f"`{name}` is not an argument of this tool{_suggestion(model, name)}"
        case _:
            wanted = str(fault["msg"]).removeprefix("Input should be ")
            return f"`{name}` must be {wanted}, not {_kind(fault['input'])}"


def _suggestion(model: type[Arguments], name: str) -> str:
    known = list(model.model_fields)
    synonym = _SYNONYMS.get(name.lower())
    near = [synonym] if synonym in known else difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else f"; it takes {', '.join(f'`{field}`' for field in known)}"
