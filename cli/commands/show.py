"""`show`: one run as a page in the terminal, as JSON, or as an HTML report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from orefactor.core.json_text import json_text

from ..errors import say
from ..pager import page
from ..pages import Line, page_width, rendered
from ..terminal import colour_patch, spelled_out, write_bytes

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun

RunName = Annotated[
    str | None,
    Argument(metavar="[RUN]", help="The run's id or the beginning of one (the newest).", show_default=False),
]
RunOrFile = Annotated[
    str | None,
    Argument(
        metavar="[RUN]", help="The run's id or the beginning of one, or a trace file (the newest).", show_default=False
    ),
]
Round = Annotated[int | None, Option("--round", metavar="N", help="One round wholly: words, calls, answers.")]
Calls = Annotated[bool, Option("--calls", help="Every call, and the hunks that it made.")]
Checks = Annotated[bool, Option("--checks", help="Checks, contract and guards with all that they said.")]
Diff = Annotated[bool, Option("--diff", help="The change alone.")]
Json = Annotated[bool, Option("--json", help="Print everything as JSON.")]
Html = Annotated[Path | None, Option("--html", metavar="FILE", help="Write the report page there.")]


def show_command(
    run: RunOrFile = None,
    number: Round = None,
    calls: Calls = False,
    checks: Checks = False,
    diff: Diff = False,
    as_json: Json = False,
    html: Html = None,
) -> None:
    """Show one run: outcome, files, checks, rounds, calls and diff."""
    from orefactor.core.errors import UserError

    parts = [("--round", number is not None), ("--calls", calls), ("--checks", checks), ("--diff", diff)]
    chosen = [name for name, is_chosen in parts if is_chosen]
    whole = [name for name, is_chosen in (("--json", as_json), ("--html", html is not None)) if is_chosen]
    if len(whole) + bool(chosen) > 1:
        first, second = [*whole, *chosen][:2]
        raise UserError(f"`{first}` and `{second}` exclude each other", hint="leave one of them out")
    if html is not None:
        from orefactor.core.outputs.report.report_file import require_report_file

        require_report_file(html, "--html")
    reported = _find(run)
    if html is not None:
        from orefactor.core.outputs.report.report_file import write_report

        write_report(html, reported)
        say("done", f"wrote the report of {reported.trace.run_id} to `{html}`")
    elif as_json:
        _print_json(reported)
    else:
        _print_page(reported, number, calls=calls, checks=checks, diff=diff, whole=not chosen)


def _find(name: str | None) -> ReportedRun:
    """The run of that name, or a trace in a file of that name."""
    from orefactor.core.errors import UserError
    from orefactor.core.reporting import read_run, read_trace_file
    from orefactor.core.reviewed_source import with_source
    from orefactor.core.trace import find_run
    from orefactor.sandbox.repository import find_repository

    if name is not None and name.endswith(".json"):
        return read_trace_file(Path(name))
    try:
        repository = find_repository(Path.cwd())
        return with_source(read_run(find_run(repository.common_dir, name)), repository)
    except UserError:
        if name is not None:
            with suppress(UserError):
                return read_trace_file(Path(name))
        raise


def _print_json(run: ReportedRun) -> None:
    from orefactor.core.result import encoded_patch

    hunks = [
        {"number": hunk.number, "path": hunk.path, "calls": list(run.origins.get(hunk.number, ()))}
        for file in run.files
        for hunk in file.hunks
    ]
    told = run.trace.model_dump(mode="json", by_alias=True)
    text = json_text({**told, "fate": run.fate, **encoded_patch(run.patch or None), "hunks": hunks})
    write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def _print_page(run: ReportedRun, number: int | None, *, calls: bool, checks: bool, diff: bool, whole: bool) -> None:
    from orefactor.core.errors import UserError

    from ..shown.page import part_page, whole_page

    known = [entry.round for entry in run.trace.rounds]
    if number is not None and number not in known:
        has = f"it has rounds {min(known)} to {max(known)}" if known else "it has no round"
        raise UserError(f"the run {run.trace.run_id} has no round {number}", hint=has)
    width = page_width()
    if whole:
        lines = list(whole_page(run, width))
    elif number is not None or calls or checks:
        lines = list(part_page(run, width, number=number, calls=calls, checks=checks))
    else:
        lines = []
    if diff and not run.patch:
        say("note", f"there is no change to show of the run {run.trace.run_id}")
    _show(lines, run.patch if whole or diff else b"")


def _show(lines: Sequence[Line], patch: bytes) -> None:
    """Through git's pager and in colours on a terminal, as it is in a pipe."""
    gap = b"\n" if lines and patch else b""
    place = Path.cwd()
    if not sys.stdout.isatty():
        write_bytes(rendered(lines, coloured=False) + gap + patch)
        return
    shown = spelled_out(patch)
    if _wants_colour("color.diff", place):
        shown = colour_patch(shown, place)
    page(rendered(lines, coloured=_wants_colour("color.orefactor", place)) + gap + shown, place)


def _wants_colour(key: str, place: Path) -> bool:
    from orefactor.sandbox.repository import ask_git

    if os.environ.get("NO_COLOR"):
        return False
    return ask_git(place, "config", "--get-colorbool", key, "true").stdout.strip() == b"true"
