"""Writes the report that `--report` of the main job asks for, once the run has ended and its result is printed."""

from __future__ import annotations

from pathlib import Path

from orefactor.core.errors import ExitCode, UserError

from .errors import say
from .result_files import reviewed_files_at_hand


def write_run_report(path: Path | None, trace_path: Path, code: int, *, quiet: bool) -> int:
    """Write the report of a run, whatever came of it.

    Args:
        path: none where no report was asked for.
        trace_path: where the run's trace is kept.
        code: the run's exit code.

    Returns:
        The exit code: the run's own, unless all went well but for the report.
    """
    if path is None:
        return code
    from orefactor.core.outputs.report.report_file import write_report
    from orefactor.core.reporting import read_run
    from orefactor.core.trace import RunFolder

    try:
        write_report(path, reviewed_files_at_hand(read_run(RunFolder(trace_path.parent))))
    except UserError as error:
        # The result is out already, so this is one more line about it and no other result.
        say("error", error.message)
        say("hint", error.hint)
        return code or int(ExitCode.ENVIRONMENT)
    if not quiet:
        say("note", f"the report is in `{path}`")
    return code
