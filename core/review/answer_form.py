"""The form that a review's answer is asked for in, and its JSON Schema.

The schema is closed, without references, and without constraints, which not all servers that promise to keep to a
schema know; sizes stand in its words, and `answer.py` holds the model to them. Reading is strict on what decides
(types, kinds, required keys) and patient with what models do besides: they add keys, leave out what may be null, and
suggest in words. Such a suggestion is no exact edit, so it goes and the finding stays.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ..messages import ResponseSchema
from ..redact import printable
from .finding import Severity, Verdict

_KEPT = ("type", "description", "enum")
_Json = dict[str, Any]


def _spelled(value: Any) -> Any:  # noqa: ANN401 - any JSON
    # Halves of surrogate pairs, which pydantic takes for no text.
    return printable(value) if isinstance(value, str) else value


def _edit_or_none(value: Any, read: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - any JSON
    try:
        return read(value)
    except ValidationError:
        return None


_Words = Annotated[str, BeforeValidator(_spelled)]


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, use_attribute_docstrings=True)


class AnswerSuggestion(_Form):
    """An exact edit."""

    old_string: str
    """Text that stands exactly once in the new file, copied with its white space."""
    new_string: str
    """The text in its place, complete."""


class AnswerFinding(_Form):
    """One finding on the change."""

    rule: _Words
    """What it is about, in a word or two, such as bug, security, performance, or the id of a rule."""
    severity: Severity
    """error: must be mended; warning: should be; note: worth knowing."""
    path: _Words
    """The changed file, relative to the repository's top."""
    start_line: int
    """First line in the new file, counted from 1; it must lie in the diff."""
    end_line: int | None = None
    """Last line, included; null for one line."""
    message: _Words
    """What is wrong and why, at most 2,000 characters."""
    suggestion: Annotated[AnswerSuggestion | None, WrapValidator(_edit_or_none)] = None
    """The edit of this file that mends it; null where there is no simple one."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    """How sure you are, from 0 to 1."""


class ReviewAnswer(_Form):
    """The review of a change."""

    verdict: Verdict
    """The judgement on the whole."""
    summary: _Words = ""
    """The review in a few sentences, at most 2,000 characters."""
    # JSON has lists only, which a strict tuple doesn't take.
    findings: tuple[AnswerFinding, ...] = Field(strict=False)
    """At most 200, only on lines of the diff; empty where there is nothing to say."""


def review_schema() -> ResponseSchema:
    """The form as a JSON Schema that strict servers take: closed objects, every property required."""
    derived = ReviewAnswer.model_json_schema()
    return ResponseSchema("review", _plain(derived, derived["$defs"]))


def _plain(schema: _Json, named: _Json) -> _Json:
    """The schema with what it refers to in its place, and without titles, defaults and constraints."""
    if "$ref" in schema:
        schema = {**named[schema["$ref"].rpartition("/")[2]], **schema}
    plain = {key: schema[key] for key in _KEPT if key in schema}
    if "anyOf" in schema:
        options = [_plain(option, named) for option in schema["anyOf"]]
        is_simple = all(option.keys() == {"type"} for option in options)
        plain |= {"type": [option["type"] for option in options]} if is_simple else {"anyOf": options}
    if "items" in schema:
        plain["items"] = _plain(schema["items"], named)
    if "properties" in schema:
        properties = {name: _plain(inner, named) for name, inner in schema["properties"].items()}
        plain |= {"properties": properties, "required": list(properties), "additionalProperties": False}
    return plain
