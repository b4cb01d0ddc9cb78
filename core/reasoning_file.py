"""Keeps the whole reasoning of a run in its folder, so that a resumed run can send it back where the server wants it.

The trace tells only its length and digest: reasoning is long, and a trace is passed on. Here it stands whole, redacted,
one JSON line a round, in a file that only its owner can read. It is read with the same care as all else in the folder,
which may come with a download: a line that breaks the form, or that could not be sent again, is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, TextIO, cast

from .json_text import json_text
from .messages import Reasoning
from .redact import Redactor, printable
from .trace import RunFolder

REASONING = "reasoning.jsonl"
_LARGEST = 32 << 20
"""Bytes of the whole file; `RunFolder.read` takes twice as much, and nothing larger."""


def digest(reasoning: Reasoning) -> str:
    """Sha256 (hex) of the reasoning's text in UTF-8."""
    return hashlib.sha256(printable(reasoning.text).encode()).hexdigest()


class ReasoningFile:
    """Appends the reasoning of each round and flushes; makes the file when the first comes, mode 0600."""

    def __init__(self, folder: RunFolder, redactor: Redactor) -> None:
        self._path = folder.path / REASONING
        self._redactor = redactor
        self._file: TextIO | None = None
        self._size = 0

    def add(self, round: int, reasoning: Reasoning) -> None:  # noqa: A002 - what the line calls it
        """Write the reasoning of one round, unless the file would become larger than 32 MiB.

        Raises:
            OSError: the file can't be opened or written.
        """
        line = self._line(round, reasoning)
        if self._file is None:
            opened = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
            self._file = os.fdopen(opened, "w", encoding="utf-8")
            self._size = os.fstat(opened).st_size
        size = len(line.encode())
        if self._size + size <= _LARGEST:
            self._file.write(line)
            self._file.flush()
            self._size += size

    def close(self) -> None:
        """Close the file, where one was made."""
        if self._file is not None:
            self._file.close()

    def _line(self, number: int, reasoning: Reasoning) -> str:
        text = self._redactor.text(reasoning.text)
        try:
            fields = self._redactor.value(dict(reasoning.fields))
            return json_text({"round": number, "text": text, "fields": fields}) + "\n"
        except RecursionError:
            # A server may nest its fields as deep as it likes; people can still read the text.
            return json_text({"round": number, "text": text, "fields": {}}) + "\n"


def read_reasoning(folder: RunFolder) -> dict[int, Reasoning]:
    """The reasoning of each round that has some; a cut last line is left out, the later of two lines counts."""
    lines = (folder.read(REASONING) or b"").splitlines()
    read = (found for line in lines if (found := _entry(line)) is not None)
    return dict(read)


def _entry(line: bytes) -> tuple[int, Reasoning] | None:
    try:
        entry = json.loads(line)
        if not isinstance(entry, dict):
            return None
        # Halves of surrogate pairs and numbers that JSON doesn't know can't be sent.
        clean: Mapping[str, Any] = Redactor({}).value(entry)
        json.dumps(clean, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    number, text, fields = clean.get("round"), clean.get("text"), clean.get("fields")
    if type(number) is not int or number < 1 or not isinstance(text, str) or not isinstance(fields, dict):
        return None
    return number, Reasoning(text, cast("dict[str, Any]", fields))
