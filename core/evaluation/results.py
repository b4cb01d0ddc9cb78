"""Keeps what attempts came to in a folder, line by line, so that an evaluation goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from ..errors import UserError
from ..json_text import json_text
from ..outputs.page_parts import write_whole
from .task import Arm, Attempt, Suite

HEAD, RESULTS, RUNS = "evaluation.json", "results.jsonl", "runs"
_LARGEST = 256 << 20
_LONGEST_LINE = 1 << 20


class Results:
    """The attempts of one evaluation. Any thread may add."""

    def __init__(self, folder: Path) -> None:
        """Look at a folder; nothing is written yet."""
        self.folder = folder
        self._lock = threading.Lock()

    @property
    def runs(self) -> Path:
        """Where the runs' own folders are kept."""
        return self.folder / RUNS

    def begin(self, suite: Suite, arms: Sequence[Arm], version: str) -> None:
        """Begin, or go on with the same evaluation.

        Raises:
            UserError: the folder holds another one, or can't be written.
        """
        head = {"suite": suite.name, "tasks": [task.name for task in suite.tasks], "arms": [told(arm) for arm in arms]}
        known = self.head()
        if known is not None and {key: known.get(key) for key in ("suite", "arms")} != {
            "suite": suite.name,
            "arms": head["arms"],
        }:
            raise UserError(
                f"`{self.folder}` holds another evaluation",
                hint="name another folder with `--out`, or the same suite and arms to go on",
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"can't write to `{self.folder}`: {error.strerror}", hint="name another folder") from None
        write_whole(self.folder / HEAD, json_text({**head, "version": version}, indent=1) + "\n", "evaluation")

    def head(self) -> dict[str, Any] | None:
        """What was evaluated; None where the folder holds nothing of the kind."""
        try:
            found: Any = json.loads((self.folder / HEAD).read_bytes()[:_LARGEST])
        except (OSError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType]

    def read(self) -> tuple[Attempt, ...]:
        """What has been done; a cut last line and lines of another form are left out, of several the last counts."""
        adapter = TypeAdapter(Attempt)
        found: dict[tuple[str, str, int], Attempt] = {}
        try:
            data = (self.folder / RESULTS).read_bytes()[:_LARGEST]
        except OSError:
            return ()
        for line in data.split(b"\n"):
            if not 0 < len(line) <= _LONGEST_LINE:
                continue
            try:
                attempt = adapter.validate_json(line)
            except ValidationError:
                continue
            found[attempt.task, attempt.arm, attempt.repeat] = attempt
        return tuple(sorted(found.values(), key=self._place()))

    def _place(self) -> Callable[[Attempt], tuple[int, int, int]]:
        """Where an attempt stands: tasks and arms in the order of the evaluation, whichever ended first."""
        head = self.head() or {}
        tasks, arms = _places(head.get("tasks")), _places(_names(head.get("arms")))
        return lambda each: (tasks.get(each.task, len(tasks)), arms.get(each.arm, len(arms)), each.repeat)

    def add(self, attempt: Attempt) -> None:
        """Keep what came of an attempt."""
        line = json_text(asdict(attempt)) + "\n"
        with self._lock, open(self.folder / RESULTS, "ab") as file:
            # A line that a kill has cut must not swallow this one.
            cut = file.tell() > 0 and not _ends_whole(self.folder / RESULTS)
            file.write((b"\n" if cut else b"") + line.encode())


def told(arm: Arm) -> dict[str, Any]:
    """An arm as it is kept: its system text by digest."""
    system = None if arm.system is None else hashlib.sha256(arm.system.encode()).hexdigest()
    kept: dict[str, Any] = json.loads(json_text({**asdict(arm), "system": system}))
    return kept


def _names(arms: object) -> list[object]:
    listed = cast("list[object]", arms) if isinstance(arms, list) else []
    return [cast("dict[str, object]", arm).get("name") for arm in listed if isinstance(arm, dict)]


def _places(names: object) -> dict[str, int]:
    listed = cast("list[object]", names) if isinstance(names, list) else []
    return {str(name): place for place, name in enumerate(listed)}


def _ends_whole(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"
