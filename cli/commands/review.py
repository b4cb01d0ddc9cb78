"""`review`: findings on a change; nothing is changed, unless `--fix` hands its suggestions to the main job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import say
from ..first_commit import is_first_commit, say_not_reviewed
from ..log import shown_log
from ..result_files import ResultFiles
from ..run_report import write_run_report
from ..terminal import write_bytes
from .pr import ForgeName

if TYPE_CHECKING:
    from orefactor.core.result import RefactorResult
    from orefactor.core.review.posting import Posted
    from orefactor.core.review.request import ReviewRequest
    from orefactor.core.review.result import ReviewResult

Words = Annotated[
    list[str] | None,
    Argument(
        metavar="[RANGE] [PATH]...",
        help="What is reviewed: A..B, a branch, a commit, index or worktree (worktree); then files and folders.",
        show_default=False,
    ),
]
Staged = Annotated[bool, Option("--staged", help="What is staged; every word is a path then.")]
FailOn = Annotated[
    str | None, Option("--fail-on", metavar="LEVEL", help="error, warning or never: what blocks and exits 1 (error).")
]
MaxRounds = Annotated[int | None, Option("--max-rounds", metavar="N", help="Model calls (3).")]
MaxCostTokens = Annotated[
    int | None, Option("--max-cost-tokens", metavar="N", help="Tokens in and out of all rounds (60000).")
]
ToolTimeout = Annotated[float | None, Option("--tool-timeout", metavar="N", help="Wall time of one tool call (120).")]
NoDeliberation = Annotated[bool, Option("--no-deliberation", help="One call without tools, after every check has run.")]
Checks = Annotated[
    list[str] | None,
    Option("--check", metavar="NAME", help="Required check, repeatable (py_compile); the model may ask for others."),
]
Fix = Annotated[bool, Option("--fix", help="Hand the suggestions to the main job, and print its patch.")]
Accept = Annotated[
    str | None, Option("--accept", metavar="LIST", help="With --fix: only these findings, by number: 1,3.")
]
Json = Annotated[bool, Option("--json", help="Print the result as JSON.")]
Pr = Annotated[bool, Option("--pr", help="Set the statuses orefactor/review and orefactor/gate on the commit.")]
Remote = Annotated[str | None, Option("--remote", metavar="NAME", help="With --pr: whose forge (as `git push` would).")]
TraceFile = Annotated[Path | None, Option("--trace", metavar="FILE", help="Copy the JSON trace there.")]


def review_command(
    words: Words = None,
    staged: Staged = False,
    model: o.Model = None,
    provider: o.ProviderName = None,
    base_url: o.BaseUrl = None,
    fixture: o.Fixture = None,
    fallback: o.Fallback = None,
    tool_protocol: o.ToolProtocol = None,
    fail_on: FailOn = None,
    fix: Fix = False,
    accept: Accept = None,
    apply: o.Apply = False,
    pr: Pr = False,
    remote: Remote = None,
    forge: ForgeName = None,
    as_json: Json = False,
    trace: TraceFile = None,
    sarif: o.Sarif = None,
    junit: o.Junit = None,
    summary: o.SummaryFile = None,
    annotations: o.Annotations = None,
    report: o.Report = None,
    check: Checks = None,
    no_check: o.NoCheck = False,
    python: o.Python = None,
    sandbox: o.Sandbox = None,
    no_deliberation: NoDeliberation = False,
    max_rounds: MaxRounds = None,
    max_cost_tokens: MaxCostTokens = None,
    tool_timeout: ToolTimeout = None,
    max_output_tokens: o.MaxOutputTokens = None,
    max_cost: o.MaxCost = None,
    max_seconds: o.MaxSeconds = None,
    fresh: o.Fresh = False,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
    log_json: o.LogJson = False,
) -> None:
    """Review a change: findings in its lines, evidence on demand within limits."""
    from orefactor.core.errors import UserError
    from orefactor.core.review.request import ReviewRequest

    from ..review_fix import accepted_numbers
    from ..review_posting import code_after_posting, failure_posted, planned, post_and_say

    if no_check and check:
        raise UserError("`--check` and `--no-check` exclude each other", hint="leave one of them out")
    if (apply or accept is not None) and not fix:
        raise UserError(f"`{'--apply' if apply else '--accept'}` needs `--fix`", hint="add `--fix`")
    numbers = accepted_numbers(accept)
    named: dict[str, Any] = {
        "model": model,
        "provider": provider,
        "base_url": base_url,
        "fixture": str(fixture) if fixture else None,
        "fallback": tuple(fallback) if fallback else None,
        "tool_protocol": tool_protocol,
        "python": str(python) if python else None,
        "checks": () if no_check else tuple(check) if check else None,
        "reuse": False if fresh else None,
        "sandbox": sandbox,
        "review_fail_on": fail_on,
        "review_enabled": False if no_deliberation else None,
        "review_max_rounds": max_rounds,
        "review_max_cost_tokens": max_cost_tokens,
        "review_per_tool_timeout_seconds": tool_timeout,
        "max_output_tokens": max_output_tokens,
        "max_cost": max_cost,
        "max_seconds": max_seconds,
    }
    request = ReviewRequest(
        Path.cwd(),
        tuple(words or ()),
        {name: value for name, value in named.items() if value is not None},
        user_settings=True,
        staged=staged,
    )
    if trace is not None and (trace.is_dir() or not trace.absolute().parent.is_dir()):
        raise UserError(f"can't write the trace to `{trace}`", hint="name a file in an existing folder: `--trace FILE`")
    files = ResultFiles(sarif, junit, summary, annotations)
    files.require_folders()
    if report is not None:
        from orefactor.core.outputs.report.report_file import require_report_file

        require_report_file(report, "--report")
    log = partial(shown_log, as_json=log_json, debug=verbose) if verbose or log_json else nullcontext
    request, posting = planned(request, pr=pr, remote=remote, forge=forge, fix=fix)
    if staged and is_first_commit(Path.cwd()):
        say_not_reviewed(as_json=as_json)
        raise typer.Exit(0)
    is_quiet = quiet or log_json
    with failure_posted(posting, quiet=is_quiet):
        result, fixed = _done(request, numbers, fix=fix, apply=apply, quiet=is_quiet, verbose=verbose, log=log)
    # First of all, since what is written below may fail.
    posted = post_and_say(posting, result, quiet=is_quiet)
    if trace is not None:
        trace.write_bytes(result.trace_path.read_bytes())
    files.write(result.trace_path)
    _print(result, fixed, posted, as_json=as_json, fixes=fix)
    code = code_after_posting(_say_end(result, fixed, numbers, quiet=is_quiet), posted)
    code = write_run_report(report, result.trace_path, code, quiet=is_quiet)
    raise typer.Exit(code)


def _done(
    request: ReviewRequest,
    numbers: frozenset[int] | None,
    *,
    fix: bool,
    apply: bool,
    quiet: bool,
    verbose: bool,
    log: Any,  # noqa: ANN401 - a context manager's maker
) -> tuple[ReviewResult, RefactorResult | None]:
    """Review, and fix where that is wanted and there is something to fix."""
    from orefactor.core.book import Surroundings
    from orefactor.core.review.run import review

    from ..progress import make_progress
    from ..review_fix import fix_with
    from .run import collect_garbage_again

    with closing(make_progress(quiet=quiet, reasoning=verbose)) as progress, log():
        surroundings = Surroundings([progress.listen, collect_garbage_again])
        result = review(request, surroundings)
        if not quiet:
            for warning in result.warnings:
                say("warning", warning)
        return result, fix_with(request, result, numbers, surroundings, apply=apply) if fix else None


def _print(
    result: ReviewResult, fixed: RefactorResult | None, posted: Sequence[Posted], *, as_json: bool, fixes: bool
) -> None:
    """Print what the command is for: the review, or with `--fix` the patch, or JSON of both."""
    from ..review_posting import statuses_json
    from ..review_view import review_source, say_review, show_review
    from .run import print_result

    if as_json:
        told: Mapping[str, Any] = result.to_json()
        if fixes:
            told = {**told, "fix": fixed.to_json() if fixed else None}
        if posted:
            told = {**told, "statuses": statuses_json(posted)}
        write_bytes(json_text(told).encode() + b"\n")
    elif not fixes:
        show_review(result.trace, review_source(result), Path.cwd())
    else:
        say_review(result.trace, review_source(result))
        if fixed is not None:
            print_result(fixed, as_json=False, to_stdout=True)


def _say_end(result: ReviewResult, fixed: RefactorResult | None, numbers: frozenset[int] | None, *, quiet: bool) -> int:
    """Say how it ended on standard error; the exit code."""
    if fixed is not None:
        from ..outcome import say_outcome

        say_outcome(fixed, quiet=quiet)
        from ..review_fix import code_after

        return code_after(result, fixed, numbers)
    if result.exit_code:
        say("error", result.message)
        if result.hint:
            say("hint", result.hint)
    elif not quiet:
        say("note", result.message)
    return int(result.exit_code)
