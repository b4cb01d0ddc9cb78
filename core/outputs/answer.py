"""The form of the model's last reply: what it is asked for, and how it is read.

A model that can be held to a JSON Schema gets this one; others are told of it in words. Whatever comes is a stranger's:
an answer that isn't in the form is no error, its text is used as it is.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from ..messages import ResponseSchema

_FENCED = re.compile(r"\A\s*(?:```|~~~)[A-Za-z]*[ \t]*\n(?P<inner>.*?)\n?(?:```|~~~)\s*\Z", re.DOTALL)
_LARGEST = 100_000
"""Characters; a longer reply is no summary."""


class Answer(BaseModel):
    """What the change does."""

    # Names that models use although they were told others.
    model_config = ConfigDict(frozen=True)

    title: str = Field(
        validation_alias=AliasChoices("title", "subject", "commit_subject"),
        description="Commit subject of at most 72 characters that says what changed.",
    )
    summary: str = Field(
        default="",
        validation_alias=AliasChoices("summary", "body", "description"),
        description="Short text on what was done and why.",
    )
    follow_ups: tuple[str, ...] = Field(
        default=(),
        validation_alias=AliasChoices("follow_ups", "follow-ups", "followUps"),
        description="What remains to be done; mostly nothing.",
    )


def answer_schema() -> ResponseSchema:
    """The form as a JSON Schema that strict servers take: closed, every property required, no titles."""
    derived = Answer.model_json_schema(by_alias=False)
    properties = {name: _plain(schema) for name, schema in derived["properties"].items()}
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return ResponseSchema("change_summary", schema)


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in ("type", "description", "items") if key in schema}


def read_answer(text: str) -> Answer | None:
    """The answer in the form; None where the text is something else.

    A fence around the object is taken off, and so is text before or after it.
    """
    if len(text) > _LARGEST or "{" not in text:
        return None
    fenced = _FENCED.match(text)
    try:
        found: Any = json.JSONDecoder().raw_decode((fenced["inner"] if fenced else text).lstrip())[0]
    except (ValueError, RecursionError):
        found = _last_object(text)
    if not isinstance(found, dict):
        return None
    try:
        return Answer.model_validate(found)
    except ValidationError:
        return None


def _last_object(text: str) -> Any:  # noqa: ANN401 - JSON
    """The object that the text ends with, where words stand before it."""
    for match in re.finditer(r"^(?:```[a-z]*\s*)?\{", text, re.MULTILINE):
        try:
            return json.JSONDecoder().raw_decode(text[match.end() - 1 :])[0]
        except (ValueError, RecursionError):
            return None
    return None
