"""Writes the report to the user's file: whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import UserError
from ...keys import whole_environment
from ...redact import Redactor
from ...reporting import ReportedRun
from ..page_parts import write_whole


def require_report_file(path: Path, option: str) -> None:
    """Say what is wrong with such a file before any work is done.

    Args:
        option: the one that names the file, for the hint.

    Raises:
        UserError: no such folder, or something there that is no regular file.
    """
    real = Path(os.path.realpath(path))
    if not real.parent.is_dir() or (real.exists() and not real.is_file()):
        raise UserError(
            f"can't write the report to `{path}`",
            hint=f"name a file in an existing folder: `{option} report.html`",
        )


def write_report(path: Path, run: ReportedRun) -> None:
    """Write the page.

    Raises:
        UserError: it can't be written; what stood there before stands there still.
    """
    from .page import report_page

    write_whole(path, report_page(run, Redactor(whole_environment())), "report")
