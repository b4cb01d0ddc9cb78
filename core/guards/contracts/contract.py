"""The values of a contract: what may differ, and the first thing that differs although it mayn't.

Here is no comparison and no reading of options; they are in `compare.py` and `parsing.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ...redact import printable

KindName = Literal["auto", "any", "docstrings", "comments", "annotations", "imports", "formatting", "rename", "move"]
KIND_NAMES: tuple[KindName, ...] = get_args(KindName)
ALONE = frozenset[KindName](["auto", "any"])
"""Kinds that promise nothing about others, so that they stand alone."""

_MAX_QUOTE = 80
"""Characters of the source in a message."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What kinds of change are promised; together they allow all that any of them allows.

    Attributes:
        kinds: in the order of the table, each once.
        renames: the new name for each old one; empty where `rename` finds them in the change itself.
    """

    kinds: tuple[KindName, ...]
    renames: Mapping[str, str] = field(default_factory=dict[str, str])

    def allows(self, kind: KindName) -> bool:
        """Whether a kind is among the promised ones."""
        return kind in self.kinds

    @property
    def is_open(self) -> bool:
        """Whether every change is allowed."""
        return not ALONE.isdisjoint(self.kinds)

    @property
    def label(self) -> str:
        """The contract as `--contract` takes it."""
        named = ",".join(f"rename:{old}={new}" for old, new in self.renames.items())
        return ",".join(named if kind == "rename" and named else kind for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Breach:
    """The first difference that a contract doesn't allow.

    Attributes:
        contract: the contract's label.
        path: the file, after the change.
        line: from 1, after the change; 0 where the file as a whole differs.
        symbol: the dotted name of the enclosing class or function; empty at the top of a module.
        detail: one line that says what differs.
        line_before: from 1, before the change; 0 where nothing stood there.
    """

    contract: str
    path: str
    line: int
    symbol: str
    detail: str
    line_before: int = 0

    def __str__(self) -> str:
        place = f"{printable(self.path)}:{self.line}" if self.line else printable(self.path)
        inside = f" in {self.symbol}" if self.symbol else ""
        return f"{place}{inside}: {self.detail}; the contract `{self.contract}` doesn't allow it"


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference within one file; lines as in `Breach`."""

    line: int
    symbol: str
    detail: str
    line_before: int = 0

    def breach(self, contract: Contract, path: str) -> Breach:
        """The fault with its file and contract."""
        return Breach(contract.label, path, self.line, self.symbol, self.detail, self.line_before)


def quoted(source: bytes, other: bytes = b"") -> str:
    """Source in one line between backticks, cut to the part where it differs from another one."""
    text, against = (_one_line(part) for part in (source, other))
    if len(text) > _MAX_QUOTE and against:
        same = next((at for at, (a, b) in enumerate(zip(text, against, strict=False)) if a != b), 0)
        start = max(0, same - _MAX_QUOTE // 3)
        text = f"\u2026{text[start:]}" if start else text
    return f"`{text[:_MAX_QUOTE]}\u2026`" if len(text) > _MAX_QUOTE else f"`{text}`"


def became(old: bytes, new: bytes, what: str = "") -> str:
    """What happened to a piece of source; one of both may be nothing."""
    if old and new:
        return f"{what}{quoted(old, new)} became {quoted(new, old)}"
    return f"{what}{quoted(new or old)} was {'added' if new else 'removed'}"


def _one_line(source: bytes) -> str:
    # A line of a megabyte needn't be decoded for a message of eighty characters.
    text = " ".join(source[:20_000].decode("utf-8", "replace").split())
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
