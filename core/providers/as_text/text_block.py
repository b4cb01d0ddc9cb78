"""Reads one call in our own text format: its parameters and values, or everything that is wrong with it.

Where calls stand in a reply is `text_format`'s question. The parser is strict, since a lenient one would guess where
a value ends, and a wrong guess ends up in somebody's file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .findings import Fault, WrittenCall, quoted
from .signatures import Signature, read_value
from .text_render import KEEPS_LINE_END, NO_LINE_END

END = "</call>"
MOST_FAULTS = 64
"""Faults after which the rest isn't read: no message could name them."""
_CALL = re.compile(r"<call(?=[\s>]|\Z)")
_HEAD = re.compile(r'<call tool="([^"<>]+)">\s*')
_PARAMETER = re.compile(r"([\w.-]+):(.*)", re.DOTALL)
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text, and what counts as a call in it.

    Attributes:
        first: the number of the first line within the reply.
        is_strict: every block is a call; else only those that name one of the tools.
    """

    texts: Sequence[str]
    signatures: Mapping[str, Signature]
    first: int = 1
    is_strict: bool = True

    def starts_call(self, index: int) -> bool:
        """Whether a call begins on a line."""
        if index >= len(self.texts) or not _CALL.match(self.texts[index]):
            return False
        head = _HEAD.fullmatch(self.texts[index])
        return self.is_strict or (head is not None and head[1] in self.signatures)


@dataclass(frozen=True, slots=True)
class Block:
    """What was read of one call.

    Attributes:
        call: None where there are faults.
        end: index of the first line behind it.
        is_closed: whether its end was found.
    """

    call: WrittenCall | None
    faults: tuple[Fault, ...]
    end: int
    is_closed: bool


def read_block(lines: Lines, start: int) -> Block:
    """The call that begins on a line."""
    first = lines.texts[start]
    head = _HEAD.fullmatch(first)
    reader = _Reader(lines, start, lines.signatures.get(head[1]) if head else None)
    if head is None:
        reader.add_fault(start, f'{quoted(first)} must be `<call tool="NAME">`, alone on its line')
    is_closed = (head is None and END in first) or reader.read_body()
    call = WrittenCall(head[1], reader.arguments) if head and not reader.faults else None
    return Block(call, tuple(reader.faults), reader.at, is_closed)


@dataclass(slots=True)
class _Reader:
    """Goes through the lines of one call.

    Attributes:
        start: index of the line that opens it.
        at: index of the next line.
        stray: index of the last line that had no place in the call.
    """

    lines: Lines
    start: int
    signature: Signature | None
    at: int = field(init=False)
    stray: int = -1
    is_cut: bool = False
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    faults: list[Fault] = field(default_factory=list[Fault])

    def __post_init__(self) -> None:
        self.at = self.start + 1

    def add_fault(self, index: int, text: str) -> None:
        """Note what is wrong on a line."""
        self.faults.append(Fault(self.lines.first + index, text))

    def read_body(self) -> bool:
        """Read the parameters, and say whether the call's end was found."""
        while self.at < len(self.lines.texts) and len(self.faults) < MOST_FAULTS:
            line = self.lines.texts[self.at]
            if self.lines.starts_call(self.at):
                opened = self.lines.first + self.start
                self.add_fault(self.at, f"a call begins inside the call of line {opened}: end that one with `{END}`")
                return False
            self.at += 1
            if line.startswith(END):
                if line.rstrip() != END:
                    self.add_fault(self.at - 1, f"nothing may follow `{END}` on its line")
                return True
            if line.strip():
                self._read_parameter(line)
        if self.at == len(self.lines.texts) and not self.is_cut:
            self.add_fault(self.start, f"this call is never closed: end it with a line `{END}`")
        return False

    def _read_parameter(self, line: str) -> None:
        index = self.at - 1
        match = _PARAMETER.fullmatch(line)
        if match is None:
            self._add_stray(index, line)
            return
        name, rest = match[1], match[2].strip()
        fence = _FENCE.fullmatch(rest or self._next_line())
        if rest and fence is None:
            self._keep(index, name, rest, is_quoted=False)
        elif fence is None:
            self.add_fault(index, f"{quoted(name)} has no value: write it behind the colon, or in a fence below")
        else:
            if rest:
                self.add_fault(index, f"the fence of {quoted(name)} must begin on the next line")
            self.at += not rest
            value = self._read_fence(fence[1] or fence[2], name == KEEPS_LINE_END)
            if value is not None:
                self._keep(index, name, value, is_quoted=True)

    def _next_line(self) -> str:
        return self.lines.texts[self.at] if self.at < len(self.lines.texts) else ""

    def _add_stray(self, index: int, line: str) -> None:
        """One fault for a run of lines: they are most often a value without its fence, or the rest of one."""
        if self.stray != index - 1:
            self.add_fault(
                index,
                f"{quoted(line)} is no `name: value`; a value of several lines goes into a fence below `name:`, "
                "and one that holds ``` into a longer fence such as ````",
            )
        self.stray = index

    def _read_fence(self, fence: str, keeps_line_end: bool) -> str | None:
        """The lines up to the fence's end; None where it has none."""
        texts, opened = self.lines.texts, self.at - 1
        start = self.at
        while self.at < len(texts) and texts[self.at].rstrip() != fence:
            self.at += 1
        if self.at == len(texts):
            self.add_fault(opened, f"this fence is never closed: end it with a line of exactly {fence[:20]}")
            self.is_cut = True
            return None
        value = "\n".join(texts[start : self.at])
        has_lines = self.at > start
        self.at += 1
        if self._next_line().rstrip() == NO_LINE_END:
            self.at += 1
            return value
        return f"{value}\n" if keeps_line_end and has_lines else value

    def _keep(self, index: int, name: str, text: str, *, is_quoted: bool) -> None:
        if name in self.arguments:
            self.add_fault(index, f"{quoted(name)} is given twice")
            return
        parameter = self.signature.parameters.get(name) if self.signature else None
        try:
            value = read_value(text, parameter.types if parameter else (), is_quoted=is_quoted)
        except ValueError as error:
            self.add_fault(index, f"{quoted(name)} must be {error}, not {quoted(text)}")
            value = None
        self.arguments[name] = value
