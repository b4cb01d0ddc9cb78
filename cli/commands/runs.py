"""`runs`: the runs that this repository keeps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from orefactor.core.json_text import json_text

from ..errors import say
from ..terminal import show
from ..wording import as_text, shortened

if TYPE_CHECKING:
    from orefactor.core.trace_model import Trace

Prune = Annotated[bool, Option("--prune", help="Forget all but the newest runs, and clear what killed runs left.")]
Keep = Annotated[
    int, Option("--keep", metavar="N", min=0, help="How many runs `--prune` keeps (20).", show_default=False)
]
Json = Annotated[bool, Option("--json", help="Print the list as JSON.")]


def runs_command(prune: Prune = False, keep: Keep = 20, as_json: Json = False) -> None:
    """List the runs kept in this repository, newest first."""
    from orefactor.core.trace import list_runs
    from orefactor.sandbox.repository import find_repository
    from orefactor.sandbox.worktree import running, sweep_dead

    repository = find_repository(Path.cwd())
    alive = running(repository)
    if prune:
        swept = sweep_dead(repository)
        dropped = [run for run in list_runs(repository.common_dir)[keep:] if run.run_id not in alive]
        for run in dropped:
            run.remove()
        say("note", f"forgot {len(dropped)} run(s), cleared {len(swept)} dead worktree(s)")
        return
    rows = [_row(run, alive) for run in list_runs(repository.common_dir)]
    if as_json:
        print(json_text(rows))
        return
    if not rows:
        say("note", "no run is kept in this repository")
        return
    text = "".join(f"{row['run_id']}  {row['outcome']:<28}  {row['files']:>3} file(s)  {row['task']}\n" for row in rows)
    show(text.encode(), Path.cwd(), patch=False)


def _row(run: Any, alive: set[str]) -> dict[str, Any]:  # noqa: ANN401 - a RunFolder, loaded late
    trace = run.read_trace()
    if trace is not None:
        review = trace.review
        outcome = trace.reason if trace.status != "completed" else trace.reason.replace("_", " ")
        return {
            "run_id": run.run_id,
            "outcome": shortened(_reviewed(trace) if review else outcome),
            "files": len(review.paths if review else trace.files_changed),
            "task": shortened(trace.task),
        }
    events: list[dict[str, Any]] = list(run.read_events())
    started = next((event for event in events if event.get("event") == "RunStarted"), dict[str, Any]())
    outcome = "running" if run.run_id in alive else "interrupted"
    return {
        "run_id": run.run_id,
        "outcome": outcome,
        "files": 0,
        "task": as_text(started.get("task")),
    }


def _reviewed(trace: Trace) -> str:
    """What decided a review; the reason of one that is inconclusive doesn't say so itself."""
    from orefactor.core.outputs.published_review import published

    review = published(trace)
    assert review is not None
    return f"inconclusive: {review.reason}" if review.outcome == "inconclusive" else review.reason
