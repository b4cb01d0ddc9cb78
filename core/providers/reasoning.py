"""Collects what a model thought, from any of the fields in which servers send it.

`reasoning_content` and `reasoning` are text. `reasoning_details` are objects, some of them signed or encrypted, which
come in pieces with an index and go back unchanged; their form is OpenRouter's. Mistral sends parts of the content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..messages import Reasoning
from .values import Json, as_objects, as_text, can_be_sent, plain_text

_TEXTS = ("reasoning_content", "reasoning")
_JOINED = ("text", "summary", "data")
"""Fields of a detail that come in pieces; all others come whole."""


@dataclass(slots=True)
class _Detail:
    values: Json = field(default_factory=dict[str, Any])
    pieces: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, item: Json) -> None:
        for name, value in item.items():
            if name in _JOINED and isinstance(value, str):
                self.pieces.setdefault(name, []).append(value)
                self.values[name] = ""
            elif value is not None or name not in self.values:
                self.values[name] = value

    def whole(self) -> Json:
        return {name: "".join(self.pieces[name]) if name in self.pieces else value
                for name, value in self.values.items()}  # fmt: skip


class Thoughts:
    """Collects the reasoning of one reply."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._fields: dict[str, list[str]] = {}
        self._details: list[_Detail] = []
        self._open: dict[tuple[Any, Any], _Detail] = {}

    def add(self, delta: Json, *, whole: bool) -> str:
        """Take what a delta or a whole message holds; its text, as people read it."""
        texts = {name: text for name in _TEXTS if (text := as_text(delta.get(name)))}
        for name, text in texts.items():
            self._fields.setdefault(name, []).append(text)
        details = [item for item in map(can_be_sent, as_objects(delta.get("reasoning_details"))) if item]
        for item in details:
            self._add_detail(item, whole=whole)
        # The same thoughts may come in several fields; they are read once.
        read = next(iter(texts.values()), "") or "".join(map(_detail_text, details)) or _thinking(delta.get("content"))
        if read:
            self._text.append(read)
        return read

    def _add_detail(self, item: Json, *, whole: bool) -> None:
        index, kind = item.get("index"), as_text(item.get("type"))
        key = (index if isinstance(index, int) else None, kind)
        known = None if whole else self._open.get(key)
        if known is None or _differ(known.values.get("id"), item.get("id")):
            known = self._open[key] = _Detail()
            self._details.append(known)
        known.add(item)

    def finish(self, signed: list[Json]) -> Reasoning | None:
        """All of it; None where there was none.

        Args:
            signed: signatures of single calls, with the calls' ids.
        """
        fields: dict[str, Any] = {name: "".join(self._fields[name]) for name in _TEXTS[:1] if name in self._fields}
        if not fields:
            fields = {name: "".join(texts) for name, texts in self._fields.items()}
        if self._details:
            fields["reasoning_details"] = [detail.whole() for detail in self._details]
        if signed:
            fields["extra_content"] = signed
        text = "".join(self._text)
        return Reasoning(text, fields) if text or fields else None


def _differ(one: Any, other: Any) -> bool:  # noqa: ANN401 - whatever the server sent
    return one is not None and other is not None and one != other


def _detail_text(item: Json) -> str:
    return as_text(item.get("text")) or as_text(item.get("summary"))


def _thinking(content: Any) -> str:  # noqa: ANN401 - whatever the server sent
    parts = (part.get("thinking") for part in as_objects(content) if part.get("type") == "thinking")
    return "".join(map(plain_text, parts))
