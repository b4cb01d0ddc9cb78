"""Inputs of strangers: bytes, text and JSON that were real once and were changed since, and odd ones from nothing.

What is changed comes from what a border takes in earnest, so that most of it gets past the first check.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, cast

from hypothesis import strategies as st

KEY = "sk-" + "f1" * 20
"""A secret that must never come out; it has the shape of one."""

_ODD_TEXT = (
    *("", "\0", "\x1b[2J", "\ud83d", "\u202e\u2028", "..", "../x", "/etc/passwd", ".git/config", "</script>"),
    *("{}", "[]", "null", "-0", "\r\n", "é" * 70, "a" * 9000, KEY, "[REDACTED:environment]", "::set-env name=x::y"),
)
_ODD_NUMBERS = (0, 1, -1, 2**31, 2**53, -(2**63), 10**30, 1.5, -0.0, 1e308, float("inf"), float("nan"))
_TOKENS = (
    *(b"", b"\0", b"\n", b"\r", b"\r\n", b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",", b"\xff", b"\xed\xa0\xbd"),
    *(b"-", b"+", b" ", b"@@ -1 +1 @@\n", b"9999999999", b"NaN", b"1e999", b"```\n", b"<", b"</", b"\x1b[31m"),
    *(b"[" * 3000, b'{"a":' * 3000, b"a" * 5000, b"diff --git a/x b/x\n", b"--- a/x\n", b"../", KEY.encode()),
)

odd_text = st.sampled_from(_ODD_TEXT) | st.text(max_size=12)
odd_values = st.recursive(
    st.none() | st.booleans() | st.sampled_from(_ODD_NUMBERS) | odd_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_text, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def mutated_bytes(draw: st.DrawFn, seeds: Sequence[bytes], tokens: Sequence[bytes] = ()) -> bytes:
    """One of the seeds after one to four changes.

    Args:
        tokens: what the format knows, to be put in beside what is odd anywhere.
    """
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(begin + draw(st.integers(0, 40)), len(data))
        put = draw(st.sampled_from((*tokens, *_TOKENS)) | st.binary(max_size=6) | _pieces(seeds))
        match draw(st.integers(0, 4)):
            case 0:
                data = data[:begin] + put + data[begin:]
            case 1:
                data = data[:begin] + put + data[end:]
            case 2:
                data = data[:begin] + data[end:]
            case 3:
                data = data[:end] + data[begin:end] * draw(st.integers(1, 3)) + data[end:]
            case _:
                data = _lines_moved(data, begin)
    return data


def _pieces(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    lines = [line for seed in seeds for line in seed.splitlines(keepends=True)]
    return st.sampled_from(lines or [b""])


def _lines_moved(data: bytes, at: int) -> bytes:
    """The line at a place goes behind the next one."""
    lines = data.splitlines(keepends=True)
    place = data.count(b"\n", 0, at)
    lines[place : place + 2] = reversed(lines[place : place + 2])
    return b"".join(lines)


@st.composite
def repeated_bytes(draw: st.DrawFn, seeds: Sequence[bytes], size: int = 60_000) -> bytes:
    """A seed in which one piece comes again and again: where time that isn't linear shows."""
    data = draw(st.sampled_from(seeds))
    begin = draw(st.integers(0, max(len(data) - 1, 0)))
    end = begin + draw(st.integers(1, 50))
    piece = data[begin:end] or b"x"
    tail = data[end:] if draw(st.booleans()) else b""
    return data[:begin] + piece * (size // len(piece)) + tail


def mutated_text(seeds: Sequence[str], tokens: Sequence[str] = ()) -> st.SearchStrategy[str]:
    """The same of text; halves of surrogate pairs come in where bytes are broken."""
    changed = mutated_bytes([_bytes(seed) for seed in seeds], [_bytes(token) for token in tokens])
    return changed.map(lambda data: data.decode("utf-8", "surrogateescape"))


def repeated_text(seeds: Sequence[str], size: int = 60_000) -> st.SearchStrategy[str]:
    """The same of text."""
    return repeated_bytes([_bytes(seed) for seed in seeds], size).map(lambda data: data.decode("utf-8", "replace"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@st.composite
def mutated_json(draw: st.DrawFn, seeds: Sequence[Any]) -> Any:
    """One of the values after one to three changes: another value in a place, less, or one from elsewhere."""
    value = copy.deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(value))
        if not places:
            return draw(odd_values)
        holder, key = draw(st.sampled_from(places))
        match draw(st.integers(0, 3)):
            case 0 | 1:
                holder[key] = draw(odd_values)
            case 2:
                del holder[key]
            case _:
                other, at = draw(st.sampled_from(places))
                holder[key] = copy.deepcopy(other[at]) if _has(other, at) else None
    return value


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Each place in a value, as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    pending: list[Any] = [value]
    while pending:
        holder: Any = pending.pop()
        items: Any = ()
        if isinstance(holder, dict):
            items = cast("dict[str, Any]", holder).items()
        elif isinstance(holder, list):
            items = enumerate(cast("list[object]", holder))
        for key, item in items:
            found.append((cast("Any", holder), key))
            pending.append(item)
    return found


def as_json(value: Any) -> bytes:
    """The value as a server may write it, odd numbers and halves of surrogate pairs included."""
    return json.dumps(value).encode()


def is_unicode(text: str) -> bool:
    """Whether the text can be written in UTF-8."""
    return text.encode("utf-8", "replace").decode() == text
