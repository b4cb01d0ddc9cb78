"""`apply`: puts a run's patch on the working tree, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from ..errors import say
from .show import RunName

Index = Annotated[bool, Option("--index", help="Apply to the index as well.")]
ThreeWay = Annotated[bool, Option("--3way", help="Merge where the patch doesn't fit as it is.")]


def apply_command(run: RunName = None, index: Index = False, three_way: ThreeWay = False) -> None:
    """Put a run's patch on the working tree; refuse where it doesn't fit."""
    from orefactor.core.errors import ExitCode, UserError
    from orefactor.core.trace import PATCH, find_run
    from orefactor.sandbox.apply import apply_patch
    from orefactor.sandbox.repository import find_repository

    repository = find_repository(Path.cwd())
    folder = find_run(repository.common_dir, run)
    trace = folder.read_trace()
    patch = folder.read(PATCH)
    if trace is None or patch is None or trace.status == "gate":
        why = f": {trace.message}" if trace is not None else ", since it was interrupted"
        raise UserError(
            f"the run {folder.run_id} delivered no patch{why}",
            hint="see `git orefactor show`, or another run in `git orefactor runs`",
            exit_code=ExitCode.GATE,
        )
    if not patch:
        say("note", f"the run {folder.run_id} needed no change")
        return
    apply_patch(repository, patch, index=index, three_way=three_way)
    say("done", f"{trace.summary.title} [{', '.join(trace.files_changed[:3])}]")
