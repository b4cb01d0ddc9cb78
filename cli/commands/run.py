"""`run`, the main job: what the default command does."""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import sys
import threading
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import typer

from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import say
from ..log import shown_log
from ..terminal import show, write_bytes
from ..wording import money, tokens


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
    branch: o.Branch = None,
    output: o.Output = None,
    apply: o.Apply = False,
    as_json: o.Json = False,
    trace: o.TraceFile = None,
    exit_code: o.ExitCodeFlag = False,
    check: o.Checks = None,
    no_check: o.NoCheck = False,
    contract: o.Contract = None,
    allow: o.Allow = None,
    minimize: o.Minimize = False,
    python: o.Python = None,
    sandbox: o.Sandbox = None,
    max_iterations: o.MaxIterations = None,
    max_tokens: o.MaxTokens = None,
    max_output_tokens: o.MaxOutputTokens = None,
    max_cost: o.MaxCost = None,
    max_seconds: o.MaxSeconds = None,
    tool_timeout: o.ToolTimeout = None,
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
        "sandbox": sandbox,
        "max_iterations": max_iterations,
        "max_tokens": max_tokens,
        "max_output_tokens": max_output_tokens,
        "max_cost": max_cost,
        "max_seconds": max_seconds,
        "tool_timeout": tool_timeout,
    }
    request = RunRequest(
        task or "",
        Path.cwd(),
        tuple(paths or ()),
        {name: value for name, value in named.items() if value is not None},
        branch=branch,
        apply=apply,
        output=output,
        exit_code_for_changes=exit_code,
        user_settings=True,
    )
    if trace is not None and (trace.is_dir() or not trace.absolute().parent.is_dir()):
        raise UserError(f"can't write the trace to `{trace}`", hint="name a file in an existing folder: `--trace FILE`")
    log = partial(shown_log, as_json=log_json, debug=verbose) if verbose or log_json else nullcontext
    # The live view takes standard error over, so the log must come to it after that.
    with closing(make_progress(quiet=quiet or log_json, reasoning=verbose)) as progress, log():
        result = run(request, Surroundings([progress.listen, _collect_garbage_again]))
    if trace is not None:
        shutil.copyfile(result.trace_path, trace)
    _print_result(result, as_json=as_json, to_stdout=output is None)
    _say_outcome(result, quiet=quiet or log_json)
    raise typer.Exit(int(result.exit_code))


def _collect_garbage_again(event: Any) -> None:  # noqa: ANN401 - an Event, loaded late
    """From the first model call on; what was loaded until then is left out."""
    from orefactor.core.events import RoundStarted

    if isinstance(event, RoundStarted) and not gc.isenabled():
        gc.freeze()
        gc.enable()


def _print_result(result: Any, *, as_json: bool, to_stdout: bool) -> None:  # noqa: ANN401 - RefactorResult, loaded late
    if as_json:
        write_bytes(json_text(result.to_json()).encode() + b"\n")
    elif result.branch is not None:
        print(result.branch)
    elif result.patch and to_stdout:
        show(result.patch, Path.cwd(), patch=True)


def _say_outcome(result: Any, *, quiet: bool) -> None:  # noqa: ANN401 - as above
    if result.status != "completed":
        say("error", result.message)
        say("hint", result.hint)
        if result.trace.delivered == () and (result.trace_path.parent / "rejected.patch").exists():
            say("note", f"the rejected change is kept: `git orefactor show {result.run_id}`")
        return
    if quiet:
        return
    usage = result.usage
    used = f", {tokens(usage.prompt_tokens + usage.completion_tokens)} tokens" if usage.prompt_tokens else ""
    used += f", {money(result.trace.cost_usd)}" if result.trace.cost_usd else ""
    verified = {True: "verified", False: "not verified", None: "no check could run"}[result.verified]
    if not result.files_changed:
        say("note", f"the task needed no change ({result.iterations} round(s){used}; run {result.run_id})")
        return
    files = ", ".join(result.files_changed[:3]) + (" …" if len(result.files_changed) > 3 else "")
    say(
        "done",
        f"{result.trace.summary.title} [{files}] {verified}, {result.iterations} round(s){used}; run {result.run_id}",
    )
    hooks = ", ".join(name for delivery in result.trace.delivered for name in delivery.hooks_not_run)
    if hooks:
        run_them = f"git switch {result.branch} && git commit --amend --no-edit"
        say("note", f"hooks were not run ({hooks}); to run them: `{run_them}`")
    if sys.stderr.isatty() and all(delivery.what == "stdout" for delivery in result.trace.delivered):
        say("hint", "take it: `git orefactor apply`; look at the run: `git orefactor show`")
