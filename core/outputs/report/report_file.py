"""Writes the report to the user's file: whole, or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ...errors import ExitCode, UserError
from ...keys import whole_environment
from ...redact import Redactor
from ...reporting import ReportedRun


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

    text = report_page(run, Redactor(whole_environment()))
    # A link stays one: the file that it names is the one that is written.
    real = Path(os.path.realpath(path))
    part = real.with_name(f".orefactor-{os.getpid()}.part")
    try:
        with open(part, "xb") as file:
            file.write(text.encode())
        part.replace(real)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise UserError(
            f"can't write the report to `{path}`: {error.strerror}",
            hint="check the folder, its permissions and the free space",
            exit_code=ExitCode.ENVIRONMENT,
        ) from None
