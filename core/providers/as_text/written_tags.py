"""Calls as tags with one tag a parameter, as Qwen3-Coder and DeepSeek's and Anthropic's templates have them.

A value stands between its tags as it is. It ends at the closing tag that the next tag follows, since code may well
hold such a closing tag itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .findings import WrittenCall, quoted
from .signatures import Signature, read_value
from .strict_json import NotJson, decode, skip_blank
from .written_pieces import Piece, Source


@dataclass(frozen=True, slots=True)
class _Tags:
    """The tags of one form.

    Attributes:
        parameter: opens a value; its group is the name.
        value_end: closes a value, where the next tag follows.
        end: closes the call.
        name: of the closing tag, for messages.
        trims: whether one line end on either side of a value belongs to the form.
    """

    parameter: re.Pattern[str]
    value_end: re.Pattern[str]
    end: re.Pattern[str]
    name: str
    trims: bool


_FUNCTION = _Tags(
    re.compile(r"\s*+<parameter=([\w.-]{1,100})>"),
    re.compile(r"</parameter>(?=\s*+(?:<parameter=|</function>))"),
    re.compile(r"\s*+</function>(?:\s*+</tool_call>)?"),
    "</function>",
    trims=True,
)
_ANY = r'[^\s<>"=/]{0,30}'
_INVOKE = _Tags(
    re.compile(rf'\s*+<{_ANY}parameter name="([\w.-]{{1,100}})"[^<>\n]{{0,100}}>'),
    re.compile(rf"</{_ANY}parameter>(?=\s*+(?:<{_ANY}parameter name=|</{_ANY}invoke>))"),
    re.compile(rf"\s*+</{_ANY}invoke>"),
    "</invoke>",
    trims=False,
)


def read_function(source: Source, match: re.Match[str]) -> Piece | None:
    """`<function=NAME>`, then JSON or `<parameter=…>` tags, then `</function>`."""
    signature = source.signatures.get(match["function"])
    if signature is None:
        return None
    if source.text.startswith("{", skip_blank(source.text, match.end())):
        return _read_object(source, match, signature)
    return _read_parameters(source, match, signature, _FUNCTION)


def read_invoke(source: Source, match: re.Match[str]) -> Piece | None:
    """`<invoke name="NAME">` with any prefix, then `<parameter name="…">` tags, then `</invoke>`."""
    signature = source.signatures.get(match["invoke"])
    return _read_parameters(source, match, signature, _INVOKE) if signature else None


def _read_object(source: Source, match: re.Match[str], signature: Signature) -> Piece:
    try:
        arguments, at = decode(source.text, match.end())
    except NotJson as error:
        at = source.text.find(_FUNCTION.name, match.end())
        end = len(source.text) if at < 0 else at + len(_FUNCTION.name)
        return Piece(match.start(), end, fault=f"the arguments of `{signature.name}` are no valid JSON: {error}")
    closing = _FUNCTION.end.match(source.text, at)
    if closing is None:
        return _unclosed(match.start(), at, signature, _FUNCTION)
    return Piece(match.start(), closing.end(), (WrittenCall(signature.name, arguments),))


def _read_parameters(source: Source, match: re.Match[str], signature: Signature, tags: _Tags) -> Piece:
    arguments: dict[str, Any] = {}
    faults: list[str] = []
    at = match.end()
    while parameter := tags.parameter.match(source.folded, at):
        closing = tags.value_end.search(source.folded, parameter.end())
        if closing is None:
            return Piece(
                match.start(),
                len(source.text),
                fault=f"the value of {quoted(parameter[1])} in the call of `{signature.name}` is never closed",
            )
        value = source.text[parameter.end() : closing.start()]
        faults += _keep(arguments, signature, parameter[1], _trimmed(value) if tags.trims else value)
        at = closing.end()
    end = tags.end.match(source.folded, at)
    if end is None:
        return _unclosed(match.start(), at, signature, tags)
    if faults:
        return Piece(match.start(), end.end(), fault=f"in the call of `{signature.name}`: {'; '.join(faults)}")
    return Piece(match.start(), end.end(), (WrittenCall(signature.name, arguments),))


def _unclosed(start: int, end: int, signature: Signature, tags: _Tags) -> Piece:
    return Piece(start, end, fault=f"the call of `{signature.name}` doesn't end with `{tags.name}`")


def _trimmed(value: str) -> str:
    return value.removeprefix("\n").removesuffix("\n")


def _keep(arguments: dict[str, Any], signature: Signature, name: str, text: str) -> list[str]:
    """Keep a value, and give what is wrong with it."""
    if name in arguments:
        return [f"{quoted(name)} is given twice"]
    parameter = signature.parameters.get(name)
    try:
        arguments[name] = read_value(text, parameter.types if parameter else ())
    except ValueError as error:
        return [f"{quoted(name)} must be {error}, not {quoted(text)}"]
    return []
