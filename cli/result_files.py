"""The files in which CI systems want a run told: `--sarif`, `--junit`, `--summary`, `--annotations`.

Asked for before the run, so that a wrong path costs no model call; written after it, whatever came of it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from orefactor.core.errors import UserError
from orefactor.core.json_text import json_text

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """Where each goes; None for those that nobody asked for."""

    sarif: Path | None = None
    junit: Path | None = None
    summary: Path | None = None
    annotations: Path | None = None

    def require_folders(self) -> None:
        """Make sure that each can be written.

        Raises:
            UserError: a path is a folder, or its folder isn't there.
        """
        for name, path in self._asked().items():
            if path.is_dir() or not os.access(path.absolute().parent, os.W_OK | os.X_OK):
                raise UserError(f"can't write to `{path}`", hint=f"name a file in an existing folder: `--{name} FILE`")

    def write(self, trace_path: Path) -> None:
        """Write those that were asked for.

        Args:
            trace_path: where the run's trace is kept.
        """
        asked = self._asked()
        if not asked:
            return
        from orefactor.core.reporting import read_run
        from orefactor.core.trace import RunFolder

        run = reviewed_files_at_hand(read_run(RunFolder(trace_path.parent)))
        for name, path in asked.items():
            path.write_bytes(_content(name, run))

    def _asked(self) -> dict[str, Path]:
        paths = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: path for name, path in paths.items() if path is not None}


def reviewed_files_at_hand(run: ReportedRun) -> ReportedRun:
    """The run of the repository here; of a review, with the files that it is about."""
    if run.trace.review is None:
        return run
    from orefactor.core.reviewed_source import with_source
    from orefactor.sandbox.repository import find_repository

    return with_source(run, find_repository(Path.cwd()))


def _content(name: str, run: ReportedRun) -> bytes:
    from orefactor.core.outputs.annotations import annotation_lines
    from orefactor.core.outputs.junit import junit_xml
    from orefactor.core.outputs.sarif import sarif_log
    from orefactor.core.outputs.step_summary import step_summary

    match name:
        case "sarif":
            return json_text(sarif_log(run.trace, run.source), indent=1).encode() + b"\n"
        case "junit":
            return junit_xml(run.trace)
        case "summary":
            return step_summary(run).encode()
        case _:
            return annotation_lines(run.trace).encode()
