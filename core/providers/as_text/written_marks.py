"""Calls as JSON behind marks: `<tool_call>`, the special tokens of Kimi and DeepSeek, and Mistral's `[TOOL_CALLS]`.

Servers often drop special tokens, so that a missing one at the end is no fault where the JSON is whole; the end of
`<tool_call>` is no special token, and a reply without it was cut.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .findings import WrittenCall, quoted
from .strict_json import NotJson, decode, skip_blank
from .written_json import calls_in, names_offered
from .written_pieces import Piece, Source
from .written_tags import read_function

_FUNCTION = re.compile(r"\s*+<function=(?P<function>[\w.-]{1,100})>")
_JSON_FENCE = re.compile(r"\s*+(?:```(?:json)?+)?+")
_TOOL_CALL_END = re.compile(r"\s*+(?:```\s*+)?</tool_call>")
_HEAD = re.compile(
    r"\s*+(?:function\s*+<\|tool_sep\|>\s*+)?+(?:functions\.)?+(?P<name>[\w-]{1,100}+)(?::[0-9]{1,9})?+\s*+"
    r"(?:<\|tool_sep\|>|<\|tool_call_argument_begin\|>)?+\s*+(?:```(?:json)?+)?+"
)
_MARK_END = re.compile(r"\s*+(?:```\s*+)?(?:<\|tool_call_end\|>)?")
_MISTRAL = re.compile(r"\s*+(?P<name>[\w.-]{1,100}+)\s*+(?:\[CALL_ID\][\w-]{1,100}+)?(?:\[ARGS\])?\s*+(?=\{)")


def read_tool_call(source: Source, match: re.Match[str]) -> Piece | None:
    """`<tool_call>`, then JSON or a `<function=…>` form, then `</tool_call>`."""
    if function := _FUNCTION.match(source.text, match.end()):
        # That form takes the end of this one with it.
        piece = read_function(source, function)
        return piece and replace(piece, start=match.start())
    fence = _JSON_FENCE.match(source.text, match.end())
    piece = _read_value(source, match, fence.end() if fence else match.end(), "</tool_call>")
    closing = _TOOL_CALL_END.match(source.text, piece.end) if piece else None
    if piece and piece.calls and closing is None:
        return replace(piece, calls=(), fault=f"the call of {quoted(piece.calls[0].name)} has no `</tool_call>`")
    return replace(piece, end=closing.end()) if piece and closing else piece


def read_mistral(source: Source, match: re.Match[str]) -> Piece | None:
    """`[TOOL_CALLS]`, then a list of calls, or a name and its arguments."""
    head = _MISTRAL.match(source.text, match.end())
    if head:
        return _read_arguments(source, match, head["name"], head.end(), "\n")
    return _read_value(source, match, match.end(), "\n")


def read_marked(source: Source, match: re.Match[str]) -> Piece | None:
    """`<|tool_call_begin|>`, then a name and its arguments in one of three ways."""
    head = _HEAD.match(source.folded, match.end())
    if head is None:
        return None
    piece = _read_arguments(source, match, head["name"], head.end(), "<|tool_call_end|>")
    closing = _MARK_END.match(source.folded, piece.end) if piece and piece.calls else None
    return replace(piece, end=closing.end()) if piece and closing else piece


def read_numbered(source: Source, match: re.Match[str]) -> Piece | None:
    """`functions.NAME:0` and the arguments, as Kimi's calls look without their special tokens."""
    return _read_arguments(source, match, match["numbered"], match.end(), "\n")


def _read_value(source: Source, match: re.Match[str], at: int, end_mark: str) -> Piece | None:
    """Calls whose JSON names the tool."""
    try:
        value, end = decode(source.text, at)
        return Piece(match.start(), end, tuple(calls_in(value, source.signatures, is_marked=True)))
    except NotJson as error:
        name = names_offered(source.text, at, source.signatures)
        return _broken(source, match.start(), at, end_mark, name, error) if name else None


def _read_arguments(source: Source, match: re.Match[str], name: str, at: int, end_mark: str) -> Piece | None:
    """A call whose JSON is its arguments alone."""
    if name not in source.signatures:
        return None
    try:
        value, end = decode(source.text, at)
    except NotJson as error:
        return _broken(source, match.start(), at, end_mark, name, error)
    if not isinstance(value, dict):
        return Piece(match.start(), end, fault=f"the arguments of `{name}` must be a JSON object")
    return Piece(match.start(), end, (WrittenCall(name, value),))  # pyright: ignore[reportUnknownArgumentType]


def _broken(source: Source, start: int, at: int, end_mark: str, name: str, error: NotJson) -> Piece:
    found = source.folded.find(end_mark, skip_blank(source.text, at))
    end = len(source.text) if found < 0 else found + len(end_mark)
    return Piece(start, end, fault=f"the call of `{name}` can't be read: {error}")
