"""Finds calls that a model wrote as text in a form that it was trained on, as servers without a parser pass them on.

The forms come from the chat templates of the models: Hermes and Qwen (`<tool_call>`, `<function=…>`), Kimi and
DeepSeek (marks such as `<|tool_call_begin|>`), DeepSeek's later ones (`<|DSML|invoke name="…">`), Mistral
(`[TOOL_CALLS]`), and plain JSON. Each is one row in `FORMS` with one reader, which says where the form ends.

Only a form that names an offered tool is a call, and what stands in code fences or backticks is a quotation. A fence
or a line of JSON counts where the reply ends with one: then it is what the model does, not what it shows.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

from .findings import Fault, Findings, WrittenCall
from .signatures import Signature
from .strict_json import NotJson, decode, decode_all
from .written_json import calls_in, has_arguments, names_offered
from .written_marks import read_marked, read_mistral, read_numbered, read_tool_call
from .written_pieces import Piece, Source, source_of
from .written_tags import read_function, read_invoke

Reader = Callable[[Source, "re.Match[str]"], Piece | None]

_JSON = re.compile(r"\s*+(?:\[\s*+)?\{")
_MOST_FAULTS = 16
"""Faults after which the rest isn't read: each may take a search to the end of the text."""
_MOST_MISSES = 500
"""Marks that turned out to be text, after which the rest isn't read: Python counts the lines of each JSON error."""


def find_forms(text: str, signatures: Mapping[str, Signature], *, first_line: int = 1) -> Findings:
    """The calls of a reply's text, in linear time; never raises.

    Args:
        first_line: the number of the text's first line within the reply.
    """
    pieces = _counted(text, _pieces(source_of(text, signatures), _pattern()))
    starts, ends = [piece.start for piece in pieces], [piece.end for piece in pieces]
    return Findings(
        tuple(call for piece in pieces for call in piece.calls),
        tuple(Fault(first_line + text.count("\n", 0, piece.start), piece.fault) for piece in pieces if piece.fault),
        tuple(text[end:start] for end, start in zip([0, *ends], [*starts, len(text)], strict=True)),
    )


def _counted(text: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces without those that stand where nothing but a quotation stands."""
    last = next((piece for piece in reversed(pieces) if not piece.is_frame), None)
    ends = last is not None and last.must_end and not text[last.end :].strip()
    return [piece for piece in pieces if ends or not piece.must_end]


def _pieces(source: Source, forms: re.Pattern[str]) -> list[Piece]:
    pieces: list[Piece] = []
    at, faults, misses = 0, 0, 0
    while faults < _MOST_FAULTS and misses < _MOST_MISSES and (match := forms.search(source.folded, at)):
        piece = FORMS[match.lastgroup or ""][1](source, match)
        at = max(piece.end if piece else 0, match.end(), match.start() + 1)
        if piece is None or piece.is_text:
            misses += 1
        else:
            pieces.append(piece)
            faults += bool(piece.fault)
    return pieces


def _read_frame(source: Source, match: re.Match[str]) -> Piece:
    del source
    return Piece(match.start(), match.end(), is_frame=True)


def _read_line(source: Source, match: re.Match[str]) -> Piece:
    """JSON that begins on a line of its own."""
    try:
        value, end = decode(source.text, match.start())
        return Piece(match.start(), end, tuple(calls_in(value, source.signatures, is_marked=False)), must_end=True)
    except NotJson as error:
        name = names_offered(source.text, match.start(), source.signatures)
        is_whole = not source.text[: match.start()].strip()
        if name and is_whole and has_arguments(source.text):
            return Piece(match.start(), len(source.text), fault=_unread(name, error))
        return Piece(match.start(), error.at)


def _read_fence(source: Source, match: re.Match[str]) -> Piece:
    """A code fence: a quotation, unless it holds calls and nothing else."""
    mark = match["mark"]
    closing = re.compile(rf"^ {{0,3}}{mark[0]}{{{len(mark)},}}+[ \t]*\r?$", re.MULTILINE).search(
        source.text, match.end()
    )
    inner = source.text[match.end() : closing.start() if closing else len(source.text)]
    end = closing.end() if closing else len(source.text)
    calls, fault = _inside(inner, source.signatures)
    return Piece(match.start(), end, calls, fault, must_end=True)


def _inside(inner: str, signatures: Mapping[str, Signature]) -> tuple[tuple[WrittenCall, ...], str]:
    """The calls of a fence that holds nothing else, or what is wrong with them."""
    if _JSON.match(inner):
        return _inside_json(inner, signatures)
    pieces = _pieces(source_of(inner, signatures), _pattern("fence", "line"))
    rest = "".join(
        inner[end:start]
        for end, start in zip([0, *(p.end for p in pieces)], [*(p.start for p in pieces), len(inner)], strict=True)
    )
    if rest.strip():
        return (), ""
    return tuple(call for piece in pieces for call in piece.calls), "; ".join(p.fault for p in pieces if p.fault)


def _inside_json(inner: str, signatures: Mapping[str, Signature]) -> tuple[tuple[WrittenCall, ...], str]:
    try:
        found = [calls_in(value, signatures, is_marked=False) for value in decode_all(inner)]
    except NotJson as error:
        name = names_offered(inner, 0, signatures)
        return (), _unread(name, error) if name and has_arguments(inner) else ""
    return (tuple(call for calls in found for call in calls) if all(found) else ()), ""


def _unread(name: str, error: NotJson) -> str:
    return f"the call of `{name}` can't be read: {error}"


_BARE = r"""(?<![`"'])"""
"""Not what is quoted in running text."""
_NUMBERED = (
    r"""(?<![\w`"'.])functions\.(?P<numbered>[\w-]{1,100}):[0-9]{0,9}+\s*+"""
    r"(?:<\|tool_call_argument_begin\|>\s*+)?+(?=\{)"
)

FORMS: dict[str, tuple[str, Reader]] = {
    "fence": (r"^ {0,3}(?P<mark>`{3,}+(?=[^`\n]*+$)|~{3,}+)[^\n]*+", _read_fence),
    "tool_call": (_BARE + "<tool_call>", read_tool_call),
    "function_tag": (_BARE + r"<function=(?P<function>[\w.-]{1,100})>", read_function),
    "invoke_tag": (_BARE + r'<[^\s<>"=/]{0,30}invoke name="(?P<invoke>[\w.-]{1,100})"[ \t]*+>', read_invoke),
    "marked": (_BARE + r"<\|tool_call_begin\|>", read_marked),
    "mistral": (_BARE + r"\[TOOL_CALLS\]", read_mistral),
    "functions": (_NUMBERED, read_numbered),
    "line": (r"""^[ \t]*+(?=(?:\[\s*+)?\{\s*+["'])""", _read_line),
    "frame": (
        _BARE + r'(?:<\|tool_calls(?:_section)?_(?:begin|end)\|>|</?[^\s<>"=/]{0,30}(?:function|tool)_calls>)',
        _read_frame,
    ),
}
"""The forms, in the order in which they are tried at one place: its pattern, and what reads it."""


@functools.cache
def _pattern(*left_out: str) -> re.Pattern[str]:
    """Any form but those left out; its group is the form's name."""
    wanted = ((name, pattern) for name, (pattern, _) in FORMS.items() if name not in left_out)
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in wanted), re.MULTILINE)
