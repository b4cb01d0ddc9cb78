"""Reads single values of a server's answer, whatever form they have: text, arguments, usage, errors."""

from __future__ import annotations

import json
from typing import Any, cast

from ..messages import Usage
from ..redact import printable

Json = dict[str, Any]


_LARGEST_COUNT = 2**53 - 1
_LONGEST = 300
"""Characters of what a server says of an error."""


def as_text(value: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The string; empty in place of nothing or of any other value."""
    return printable(value) if isinstance(value, str) else ""


def plain_text(content: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The text of a message's content: a string, nothing, or a list of parts."""
    parts = (as_text(part.get("text")) for part in as_objects(content) if part.get("type") == "text")
    return as_text(content) or "".join(parts)


def arguments_text(arguments: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The arguments as JSON text: a string, an object, or nothing."""
    if arguments is None:
        return ""
    return as_text(arguments) if isinstance(arguments, str) else json.dumps(arguments)


def read_usage(usage: Any) -> Usage | None:  # noqa: ANN401 - whatever the server sent
    """The tokens that the server reports; None where it reports none."""
    read = as_object(usage)
    if not isinstance(read.get("prompt_tokens"), int):
        return None
    details = as_object(read.get("prompt_tokens_details"))
    candidates = (
        details.get("cached_tokens"),
        read.get("prompt_cache_hit_tokens"),
        read.get("num_cached_tokens"),
        read.get("cached_tokens"),
    )
    cached = next((count for value in candidates if (count := _count(value)) > 0), 0)
    return Usage(_count(read["prompt_tokens"]), cached, _count(read.get("completion_tokens")), 1)


def _count(value: Any) -> int:  # noqa: ANN401 - whatever the server sent
    """The value as a count; no real one passes what JSON readers count exactly."""
    return min(max(value, 0), _LARGEST_COUNT) if isinstance(value, int) else 0


def error_text(body: Json) -> str:
    """What an error object says, in any of its forms, on one line."""
    error = body.get("error", body)
    if not isinstance(error, dict):
        return one_line(as_text(error))
    found = cast("Json", error)
    said = found.get("message") or found.get("detail") or found.get("error") or ""
    return one_line(said if isinstance(said, str) else json.dumps(said))


def one_line(text: str) -> str:
    """The text on one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def as_object(value: Any) -> Json:  # noqa: ANN401 - whatever the server sent
    """The value, where it is an object; an empty one in place of anything else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[Json]:  # noqa: ANN401 - whatever the server sent
    """The objects among the items of a list; none where it is no list."""
    items: list[Any] = value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
    return [cast("Json", item) for item in items if isinstance(item, dict)]
