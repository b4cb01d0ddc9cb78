"""Reads single values of a server's answer, whatever form they have: text, arguments, usage, errors.

What a server sends is as long, as deep and as odd as it likes; what these give can be sent, stored and shown.
"""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any, cast

from ..messages import Usage
from ..redact import printable

Json = dict[str, Any]

_LARGEST_COUNT = 2**53 - 1
_LONGEST = 300
"""Characters of what a server says of an error."""

# Controls, marks of direction, tags and what has no width: they drive a terminal, or show something else than there is.
_UNSEEN = ("Cc", "Cf", "Zl", "Zp")


def as_text(value: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The string; empty in place of nothing or of any other value."""
    return printable(value) if isinstance(value, str) else ""


def plain_text(content: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The text of a message's content: a string, nothing, or a list of parts."""
    parts = (as_text(part.get("text")) for part in as_objects(content) if part.get("type") in ("text", "output_text"))
    return as_text(content) or "".join(parts)


def arguments_text(arguments: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The arguments as JSON text: a string, an object, or nothing."""
    if arguments is None:
        return ""
    return as_text(arguments) if isinstance(arguments, str) else dumped(arguments)


def dumped(value: Any) -> str:  # noqa: ANN401 - whatever the server sent
    """The value as JSON text."""
    try:
        return json.dumps(value)
    except RecursionError:
        # Deeper than can be written; no JSON, so that nobody takes it for any.
        return "…"


def can_be_sent(value: Any) -> Any:  # noqa: ANN401 - whatever the server sent
    """The value as it can be sent back: no halves of surrogate pairs, no numbers that JSON lacks; None if too deep."""
    try:
        text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(text, parse_constant=lambda _name: None)
    except (RecursionError, ValueError):
        return None


def read_usage(usage: Any, cached_at: str = "") -> Usage | None:  # noqa: ANN401 - whatever the server sent
    """The tokens that the server reports; None where it reports none.

    Args:
        usage: the object.
        cached_at: where the cached ones are read first, with dots.
    """
    read = as_object(usage)
    if _count(read.get("prompt_tokens"), None) is None:
        return None
    prompt = _count(read["prompt_tokens"])
    places = (cached_at, "prompt_tokens_details.cached_tokens", "prompt_cache_hit_tokens", "num_cached_tokens",
              "cached_tokens")  # fmt: skip
    cached = next((count for place in places if (count := _count(_at(read, place)))), 0)
    # Some count the tokens of reasoning in the total only (seen at Gemini and xAI); they are paid for all the same.
    answer = max(_count(read.get("completion_tokens")), _count(read.get("total_tokens")) - prompt)
    return Usage(prompt, min(cached, prompt), answer, 1)


def _at(read: Json, place: str) -> Any:  # noqa: ANN401 - whatever the server sent
    *above, last = place.split(".")
    for name in above:
        read = as_object(read.get(name))
    return read.get(last)


def _count(value: Any, default: Any = 0) -> Any:  # noqa: ANN401 - whatever the server sent
    """The value as a count; no real one passes what JSON readers count exactly."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return default
    return int(min(max(value, 0), _LARGEST_COUNT))


def error_text(body: Json) -> str:
    """What an error object says, in any of its forms; as long as the server likes."""
    error = body.get("error") or body
    if not isinstance(error, dict):
        return as_text(error)
    found = cast("Json", error)
    said = found.get("message") or found.get("detail") or found.get("error") or found.get("msg") or ""
    text = as_text(said) if isinstance(said, str) else dumped(said)
    # OpenRouter says what the server behind it said in a place of its own.
    return ": ".join(filter(None, (text, as_text(as_object(found.get("metadata")).get("raw")))))


def one_line(text: str, longest: int = _LONGEST) -> str:
    """The text on one line of bounded length, without anything that a terminal would obey."""
    # Cut before the rest is done: an error may be megabytes long.
    cut = printable(text[: longest * 8])
    line = " ".join("".join(" " if unicodedata.category(c) in _UNSEEN else c for c in cut).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def as_object(value: Any) -> Json:  # noqa: ANN401 - whatever the server sent
    """The value, where it is an object; an empty one in place of anything else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[Json]:  # noqa: ANN401 - whatever the server sent
    """The objects among the items of a list; none where it is no list."""
    items: list[Any] = value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
    return [cast("Json", item) for item in items if isinstance(item, dict)]
