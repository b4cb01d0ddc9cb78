"""One provider's habits as one typed row, and how a user's own words change a row.

The rows themselves are in `quirks`; which models can't call tools is in `capabilities`. A row says how to talk to a
server, never what is said.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

ToolChoice = Literal["auto", "never"]
IdForm = Literal["any", "nine"]
StrictSchemas = Literal["never", "always", "beta"]
MaxTokensField = Literal["max_tokens", "max_completion_tokens"]
ResponseFormat = Literal["json_schema", "json_object", "text"]

REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "extra_content")
"""All fields in which servers send reasoning; the last one holds the signatures of single calls."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """How to talk to one provider's OpenAI-compatible API.

    Attributes:
        base_url: where the API is; None where only the user knows.
        key_variable: the environment variable that holds the key.
        default_model: used where the user names none; None where only the user knows.
        hosts: further hosts that mean it; with a dot in front all below it, with a port only that one.
        models: beginnings of model names that mean it.
        key_needed: whether it refuses requests without a key; servers on one's own machine don't.
        tool_choice: sent with tools; None leaves it out unless the request has one, `never` leaves it out always.
        named_results: whether a tool's message may name the tool; some refuse it as unknown.
        null_content: whether an assistant message with calls and without text has `content: null`; else `""`.
        id_form: what ids of calls look like: anything, or nine letters and digits.
        reasoning_back: fields of reasoning that go back with the message that they came in, unchanged.
        reasoning_needed: the field that every assistant message with calls must have; empty where none.
        strict_schemas: whether tools are sent with `strict`; `beta`: where the address ends in `/beta`.
        cached_tokens: where the usage says how many tokens were cached, with dots; known places are read after it.
        stream_usage: whether it takes `stream_options`, which some refuse as unknown.
        max_tokens_field: how the ceiling of a reply is spelled.
        response_format: how a form of the last reply is asked for beside tools; `text` doesn't ask.
        concurrency: requests that it serves at the same time; None where it queues them itself.
    """

    name: str
    base_url: str | None
    key_variable: str
    default_model: str | None
    hosts: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    key_needed: bool = True
    tool_choice: ToolChoice | None = None
    named_results: bool = True
    null_content: bool = False
    id_form: IdForm = "any"
    reasoning_back: tuple[str, ...] = REASONING_FIELDS
    reasoning_needed: str = ""
    strict_schemas: StrictSchemas = "never"
    cached_tokens: str = "prompt_tokens_details.cached_tokens"
    stream_usage: bool = True
    max_tokens_field: MaxTokensField = "max_tokens"
    response_format: ResponseFormat = "text"
    concurrency: int | None = None


def _boolean(text: str) -> bool:
    # The words that git knows.
    known = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if (value := known.get(text.lower())) is None:
        raise ValueError("must be true or false")
    return value


def _one_of(kind: Any) -> Callable[[str], str]:  # noqa: ANN401 - a Literal is no type to the type checkers
    names = get_args(kind)

    def read(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(f"must be one of {', '.join(names)}")
        return text.lower()

    return read


def _tool_choice(text: str) -> str | None:
    return None if text.lower() == "none" else _one_of(ToolChoice)(text)


def _reasoning(text: str) -> tuple[str, ...]:
    names = tuple(text.lower().replace(",", " ").split())
    if names and all(name in REASONING_FIELDS for name in names):
        return names
    try:
        return REASONING_FIELDS if _boolean(text) else ()
    except ValueError:
        raise ValueError(f"must be true, false, or some of {', '.join(REASONING_FIELDS)}") from None


def _count(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise ValueError("must be a number; 0 is no limit")
    return int(text) or None


def _word(text: str) -> str:
    if not text or any(character.isspace() or not character.isprintable() for character in text):
        raise ValueError("must be one word")
    return text


_READERS: dict[str, Callable[[str], Any]] = {
    "base_url": _word,
    "key_variable": _word,
    "default_model": _word,
    "key_needed": _boolean,
    "tool_choice": _tool_choice,
    "named_results": _boolean,
    "null_content": _boolean,
    "id_form": _one_of(IdForm),
    "reasoning_back": _reasoning,
    "strict_schemas": _one_of(StrictSchemas),
    "cached_tokens": _word,
    "stream_usage": _boolean,
    "max_tokens_field": _one_of(MaxTokensField),
    "response_format": _one_of(ResponseFormat),
    "concurrency": _count,
}


def _spelled(field: str) -> str:
    """The field as git's configuration spells it: no underscores, capitals inside."""
    if field == "default_model":
        return "model"
    first, *rest = field.split("_")
    return first + "".join(part.capitalize() for part in rest)


_FIELDS = {_spelled(field.name).lower(): field.name for field in fields(Quirks) if field.name in _READERS}

OVERRIDES = tuple(map(_spelled, _READERS))
"""The names that `with_overrides` takes, as git's configuration spells them."""


def with_overrides(row: Quirks, overrides: Mapping[str, str]) -> Quirks:
    """The row with a user's values in place of its own.

    Args:
        row: the row.
        overrides: text by field, such as `{"nullContent": "true"}`; letters' case doesn't matter.

    Raises:
        ValueError: an unknown field or a bad value; the text says which, and what it may be.
    """
    changed: dict[str, Any] = {}
    for name, text in overrides.items():
        field = _FIELDS.get(name.replace("_", "").lower())
        if field is None:
            near = difflib.get_close_matches(name.lower(), _FIELDS, n=1)
            known = f"did you mean `{_spelled(_FIELDS[near[0]])}`?" if near else f"known are {', '.join(OVERRIDES)}"
            raise ValueError(f"a provider has no setting `{name}`; {known}")
        try:
            changed[field] = _READERS[field](text.strip())
        except ValueError as error:
            raise ValueError(f"`{_spelled(field)}` {error}, not `{text}`") from None
    return replace(row, **changed)
