"""`replay`: repeats a run from its recorded replies, or goes on with it from some round."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import redacted, say
from ..outcome import say_outcome
from ..wording import call_words, plain
from .run import collect_garbage_again, print_result

if TYPE_CHECKING:
    from orefactor.core.comparison import Difference
    from orefactor.core.recording import Recording
    from orefactor.core.replaying import Replayed
    from orefactor.sandbox.repository import Repository

_AUTO = "auto"

Record = Annotated[
    str | None,
    Argument(metavar="[TRACE|RUN]", help="A trace.json, or a run's id (the newest run).", show_default=False),
]
From = Annotated[
    str | None,
    Option(
        "--from",
        metavar="N",
        help="Go on with a live model from round N; `auto` is the first one without a reply.",
    ),
]
Json = Annotated[bool, Option("--json", help="Print what came of it as JSON.")]


def replay_command(
    record: Record = None,
    start: From = None,
    as_json: Json = False,
    python: o.Python = None,
    sandbox: o.Sandbox = None,
    model: o.Model = None,
    provider: o.ProviderName = None,
    base_url: o.BaseUrl = None,
    check: o.Checks = None,
    allow: o.Allow = None,
    branch: o.Branch = None,
    output: o.Output = None,
    apply: o.Apply = False,
    trace: o.TraceFile = None,
    max_iterations: o.MaxIterations = None,
    max_tokens: o.MaxTokens = None,
    max_output_tokens: o.MaxOutputTokens = None,
    max_cost: o.MaxCost = None,
    max_seconds: o.MaxSeconds = None,
    quiet: o.Quiet = False,
) -> None:
    """Repeat a run offline from its recorded replies: the same tree, or the first difference."""
    from orefactor.core.recording import find_recording
    from orefactor.sandbox.repository import find_repository

    named: dict[str, Any] = {
        "python": str(python) if python else None,
        "sandbox": sandbox,
        "max_seconds": max_seconds,
    }
    live: dict[str, Any] = {
        "model": model,
        "provider": provider,
        "base_url": base_url,
        "checks": tuple(check) if check else None,
        "allow": tuple(part for item in allow for part in item.split(",")) if allow else None,
        "max_iterations": max_iterations,
        "max_tokens": max_tokens,
        "max_output_tokens": max_output_tokens,
        "max_cost": max_cost,
    }
    given = {name: value for name, value in {**named, **live}.items() if value is not None}
    delivery = {"branch": branch, "output": output, "apply": apply}
    if start is None:
        _refuse_for_replay([name for name in given if name in live], [*delivery.values(), trace])
    repository = find_repository(Path.cwd())
    recording = find_recording(repository, record)
    if start is None:
        raise typer.Exit(_replay(repository, recording, given, as_json=as_json, quiet=quiet))
    raise typer.Exit(_go_on(repository, recording, start, given, delivery, trace, as_json=as_json, quiet=quiet))


def _refuse_for_replay(options: list[str], delivery: list[Any]) -> None:
    from orefactor.core.errors import UserError
    from orefactor.core.settings import option_name

    if options or any(delivery):
        what = f"`--{option_name(options[0]).replace('checks', 'check')}`" if options else "a delivery"
        raise UserError(
            f"a replay takes the recorded run's replies and settings and delivers nothing, so {what} has no meaning",
            hint="to go on with the run and a live model: `--from N`",
        )


def _replay(
    repository: Repository, recording: Recording, options: dict[str, Any], *, as_json: bool, quiet: bool
) -> int:
    from orefactor.core.book import Surroundings
    from orefactor.core.errors import ExitCode
    from orefactor.core.replaying import replay

    from ..progress import make_progress

    if not quiet:
        say("note", f"replaying run {recording.run_id}, {recording.replies} round(s); no model is asked")
    with closing(make_progress(quiet=quiet)) as progress:
        replayed = replay(repository, recording, options, Surroundings([progress.listen, collect_garbage_again]))
    for name in replayed.unknown_checks:
        say("note", f"`{name}` is a check of the project's own, which is not run here")
    code = ExitCode.OK if replayed.difference is None else ExitCode.GATE
    if as_json:
        print(json_text(_as_json(replayed, code)))
    else:
        print("\n".join(map(redacted, _lines(replayed))))
    if replayed.difference is not None:
        sys.stdout.flush()
        say("error", replayed.difference.message)
        say("hint", "versions of git orefactor, git, Python or a check may differ; see the run: `git orefactor show`")
    return int(code)


def _lines(replayed: Replayed) -> list[str]:
    lines = [
        f"run       {plain(replayed.run_id)}",
        f"base      the tree {plain(replayed.base)}",
        f"repeated  {replayed.rounds} round(s), {replayed.calls} call(s) with the same answers",
    ]
    difference = replayed.difference
    if difference is not None:
        return [*lines, *_differing(difference)]
    if replayed.recorded_tree is None:
        return [*lines, f"same      as far as the run came: it ended with {plain(replayed.ended)} and gave no tree"]
    return [*lines, f"same      the tree {replayed.tree}"]


def _differing(difference: Difference) -> list[str]:
    where = f" in round {difference.round}" if difference.round else ""
    what = {
        "context": "the context pack",
        "call": plain(call_words(difference.tool, difference.arguments)),
        "end": "the run's end",
        "tree": plain(difference.path) or "the tree",
    }[difference.kind]
    return [
        f"differs   {what}{where}",
        f"  was     {plain(difference.was)}",
        f"  is      {plain(difference.now)}",
    ]


def _as_json(replayed: Replayed, code: int) -> dict[str, Any]:
    difference = replayed.difference
    return {
        "run_id": replayed.run_id,
        "same": difference is None,
        "base_tree": replayed.base,
        "recorded_tree": replayed.recorded_tree,
        "tree": replayed.tree,
        "rounds": replayed.rounds,
        "calls": replayed.calls,
        "ended": replayed.ended,
        "unknown_checks": list(replayed.unknown_checks),
        "difference": difference and {name: getattr(difference, name) for name in difference.__slots__},
        "exit_code": int(code),
    }


def _go_on(
    repository: Repository,
    recording: Recording,
    start: str,
    options: dict[str, Any],
    delivery: dict[str, Any],
    trace: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    from orefactor.core.book import Surroundings
    from orefactor.core.continuing import continuation, continued_request
    from orefactor.core.run import run

    from ..progress import make_progress

    request, unknown = continued_request(repository, recording, continuation(recording, _round(start)), options)
    request = replace(request, **delivery)
    for name in unknown:
        say("note", f"`{name}` is a check of the project's own; require it with `--check` where it shall count")
    with closing(make_progress(quiet=quiet)) as progress:
        result = run(request, Surroundings([progress.listen, collect_garbage_again]))
    if trace is not None:
        shutil.copyfile(result.trace_path, trace)
    print_result(result, as_json=as_json, to_stdout=delivery["output"] is None)
    say_outcome(result, quiet=quiet)
    return int(result.exit_code)


def _round(start: str) -> int | None:
    from orefactor.core.errors import UserError

    if start == _AUTO:
        return None
    if not (start.isascii() and start.isdigit() and len(start) < 10):
        raise UserError(f"`{start}` is no number of a round", hint="name one, or `--from auto`")
    return int(start)
