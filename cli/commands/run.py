"""`run`, the main job: what the default command does."""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import threading
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import typer

from orefactor.core.json_text import json_text

from .. import options as o
from ..log import shown_log
from ..outcome import say_outcome
from ..result_files import ResultFiles
from ..run_report import write_run_report
from ..terminal import show, write_bytes


def run_command(
    task: o.Task = None,
    paths: o.Paths = None,
    model: o.Model = None,
    provider: o.ProviderName = None,
    base_url: o.BaseUrl = None,
    fixture: o.Fixture = None,
    fallback: o.Fallback = None,
    tool_protocol: o.ToolProtocol = None,
    base: o.BaseRevision = None,
    staged: o.Staged = False,
    since: o.Since = None,
    branch: o.Branch = None,
    output: o.Output = None,
    pr: o.Pr = False,
    apply: o.Apply = False,
    as_json: o.Json = False,
    trace: o.TraceFile = None,
    sarif: o.Sarif = None,
    junit: o.Junit = None,
    summary: o.SummaryFile = None,
    annotations: o.Annotations = None,
    report: o.Report = None,
    exit_code: o.ExitCodeFlag = False,
    check: o.Checks = None,
    no_check: o.NoCheck = False,
    contract: o.Contract = None,
    allow: o.Allow = None,
    minimize: o.Minimize = False,
    review: o.Review = False,
    review_model: o.ReviewModel = None,
    python: o.Python = None,
    sandbox: o.Sandbox = None,
    max_iterations: o.MaxIterations = None,
    max_tokens: o.MaxTokens = None,
    max_output_tokens: o.MaxOutputTokens = None,
    max_cost: o.MaxCost = None,
    max_seconds: o.MaxSeconds = None,
    tool_timeout: o.ToolTimeout = None,
    context_tokens: o.ContextTokens = None,
    no_context: o.NoContext = False,
    fresh: o.Fresh = False,
    jobs: o.Jobs = None,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
    log_json: o.LogJson = False,
) -> None:
    """Refactor code in a throwaway worktree and print the patch."""
    from orefactor.core.providers.quirks import OFFLINE

    if fixture is None and (provider or os.environ.get("OREFACTOR_PROVIDER")) not in OFFLINE:
        # The client's import takes as long as everything else until the first request.
        threading.Thread(target=importlib.import_module, args=("openai",), daemon=True).start()

    from orefactor.core.book import Surroundings
    from orefactor.core.errors import UserError
    from orefactor.core.request import RunRequest
    from orefactor.core.run import run

    from ..progress import make_progress

    if no_check and check:
        raise UserError("`--check` and `--no-check` exclude each other", hint="leave one of them out")
    if no_context and context_tokens is not None:
        raise UserError("`--context-tokens` and `--no-context` exclude each other", hint="leave one of them out")
    if staged or since is not None:
        from ..narrowing import narrowed

        scope = narrowed(
            task,
            paths or (),
            staged=staged,
            since=since,
            base=base,
            default_base="HEAD" if branch or pr else "worktree",
            fresh=fresh,
            as_json=as_json,
        )
        base, paths = scope.base, list(scope.paths)
    named: dict[str, Any] = {
        "model": model,
        "provider": provider,
        "base_url": base_url,
        "fixture": str(fixture) if fixture else None,
        "fallback": tuple(fallback) if fallback else None,
        "tool_protocol": tool_protocol,
        "python": str(python) if python else None,
        "base": base,
        "checks": () if no_check else tuple(check) if check else None,
        "contract": tuple(part for item in contract for part in item.split(",")) if contract else None,
        "allow": tuple(part for item in allow for part in item.split(",")) if allow else None,
        "minimize": minimize or None,
        "review_result": review or None,
        "review_model": review_model,
        "reuse": False if fresh else None,
        "sandbox": sandbox,
        "max_iterations": max_iterations,
        "max_tokens": max_tokens,
        "max_output_tokens": max_output_tokens,
        "max_cost": max_cost,
        "max_seconds": max_seconds,
        "tool_timeout": tool_timeout,
        "context_tokens": 0 if no_context else context_tokens,
        "jobs": jobs,
    }
    request = RunRequest(
        task or "",
        Path.cwd(),
        tuple(paths or ()),
        {name: value for name, value in named.items() if value is not None},
        branch=branch or ("auto" if pr else None),
        apply=apply,
        output=output,
        exit_code_for_changes=exit_code,
        user_settings=True,
    )
    if trace is not None and (trace.is_dir() or not trace.absolute().parent.is_dir()):
        raise UserError(f"can't write the trace to `{trace}`", hint="name a file in an existing folder: `--trace FILE`")
    files = ResultFiles(sarif, junit, summary, annotations)
    files.require_folders()
    if report is not None:
        from orefactor.core.outputs.report.report_file import require_report_file

        require_report_file(report, "--report")
    log = partial(shown_log, as_json=log_json, debug=verbose) if verbose or log_json else nullcontext
    # The live view takes standard error over, so the log must come to it after that.
    with closing(make_progress(quiet=quiet or log_json, reasoning=verbose)) as progress, log():
        result = run(request, Surroundings([progress.listen, collect_garbage_again]))
    if trace is not None:
        shutil.copyfile(result.trace_path, trace)
    files.write(result.trace_path)
    publishes = pr and bool(result.patch) and result.status == "completed"
    if not publishes:
        # Before what is said of it, so that in a terminal the outcome is the last on the screen.
        print_result(result, as_json=as_json, to_stdout=output is None)
    say_outcome(result, quiet=quiet or log_json)
    if (staged or since is not None) and not quiet:
        from ..narrowing import say_next

        say_next(result, applied=apply)
    code = write_run_report(report, result.trace_path, int(result.exit_code), quiet=quiet or log_json)
    if publishes:
        from .pr import publish_run

        # The request's address stands in the place of the branch's name.
        raise typer.Exit(publish_run(result, as_json=as_json) or code)
    raise typer.Exit(code)


def collect_garbage_again(event: Any) -> None:  # noqa: ANN401 - an Event, loaded late
    """Turn the collector on: from the first model call on; what was loaded until then is left out."""
    from orefactor.core.events import RoundStarted

    if isinstance(event, RoundStarted) and not gc.isenabled():
        gc.freeze()
        gc.enable()


def print_result(result: Any, *, as_json: bool, to_stdout: bool) -> None:  # noqa: ANN401 - RefactorResult, loaded late
    """Print what the command is for: the patch, the branch's name, or JSON."""
    if as_json:
        write_bytes(json_text(result.to_json()).encode() + b"\n")
    elif result.branch is not None:
        print(result.branch)
    elif result.patch and to_stdout:
        show(result.patch, Path.cwd(), patch=True)
