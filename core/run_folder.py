"""One run's folder, and what is read from it and written to it; `trace` makes and finds such folders.

A git directory may come with a download, so what is read here counts as a stranger's: no link is followed, nothing but
a regular file of a sane size is opened, and what breaks the form is no trace.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .json_text import json_text
from .trace_model import Trace

RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{6}")
SHARDS = "shards"
"""The folder in a run's that holds those of its shards."""
EVENTS, TRACE, PATCH, REJECTED, DIFFERENCE = (
    "events.jsonl",
    "trace.json",
    "result.patch",
    "rejected.patch",
    "base.patch",
)
_LARGEST_TEXT = 64 << 20
_LARGEST_PATCH = 512 << 20
"""Bytes; larger files aren't ours."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run."""

    path: Path

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.path.name

    def write(self, name: str, data: bytes) -> Path:
        """Write one file whole, or not at all."""
        target, part = self.path / name, self.path / f"{name}.part"
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(data)
        part.replace(target)
        return target

    def write_trace(self, trace: Trace) -> Path:
        """Write `trace.json`."""
        text = json_text(trace.model_dump(mode="json", by_alias=True), indent=1)
        return self.write(TRACE, text.encode() + b"\n")

    def read_trace(self) -> Trace | None:
        """The trace; None where the run wrote none, or something that is none."""
        try:
            return Trace.model_validate_json(self.read(TRACE) or b"")
        except ValidationError:
            return None

    def read(self, name: str) -> bytes | None:
        """One file's bytes; None where there is no such file, or something else in its place."""
        largest = _LARGEST_PATCH if name.endswith(".patch") else _LARGEST_TEXT
        try:
            # A FIFO that nobody writes to would keep us waiting.
            opened = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            os.close(opened)
            return None
        with open(opened, "rb") as file:
            return file.read(largest)

    def read_events(self) -> Iterator[dict[str, Any]]:
        """The events that were written, a cut last line left out."""
        for line in (self.read(EVENTS) or b"").splitlines():
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event  # pyright: ignore[reportUnknownVariableType]

    def remove(self) -> None:
        """Forget the run; the last one takes the folders that held it along."""
        shutil.rmtree(self.path)
        with suppress(OSError):
            self.path.parent.rmdir()
            self.path.parent.parent.rmdir()


def picked_file(tree: str) -> str:
    """The name of the patch that is kept of a choice of hunks which gives the tree."""
    return f"picked-{tree[:12]}.patch"
