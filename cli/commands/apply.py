"""`apply`: puts a run's patch, or the hunks of it that a person picks, on the working tree, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from .. import options as o
from ..errors import say
from .show import RunName

if TYPE_CHECKING:
    from orefactor.core.trace import RunFolder
    from orefactor.core.trace_model import Trace

Index = Annotated[bool, Option("--index", help="Apply to the index as well.")]
ThreeWay = Annotated[bool, Option("--3way", help="Merge where the patch doesn't fit as it is.")]
Pick = Annotated[bool, Option("--pick", help="Ask hunk by hunk what to take, as `git add -p` does.")]
Hunks = Annotated[
    str | None,
    Option("--hunks", metavar="LIST", help="Take only these hunks, such as 1,3,5-7, or 4.2 for a part of one."),
]
Unverified = Annotated[bool, Option("--unverified", help="Take the picked hunks without checking them.")]


def apply_command(
    run: RunName = None,
    pick: Pick = False,
    hunks: Hunks = None,
    unverified: Unverified = False,
    index: Index = False,
    three_way: ThreeWay = False,
    python: o.Python = None,
    sandbox: o.Sandbox = None,
) -> None:
    """Put a run's patch, or some of its hunks, on the working tree; refuse where it doesn't fit."""
    from orefactor.core.trace import find_change
    from orefactor.sandbox.apply import apply_patch
    from orefactor.sandbox.repository import find_repository

    is_picking = pick or hunks is not None
    _require_usage(pick=pick, hunks=hunks, unverified=unverified)
    repository = find_repository(Path.cwd())
    folder = find_change(repository.common_dir, run)
    trace, patch = _delivered(folder)
    if not patch:
        say("note", f"the run {folder.run_id} needed no change")
    elif is_picking:
        from ..picked import How, apply_picked

        named = {"python": str(python) if python else None, "sandbox": sandbox}
        options = {name: value for name, value in named.items() if value is not None}
        how = How(hunks, is_checked=not unverified, index=index, three_way=three_way, options=options)
        apply_picked(repository, folder, patch, how)
    else:
        apply_patch(repository, patch, index=index, three_way=three_way)
        say("done", f"{trace.summary.title} [{', '.join(trace.files_changed[:3])}]")


def _require_usage(*, pick: bool, hunks: str | None, unverified: bool) -> None:
    from orefactor.core.errors import UserError

    from ..picking import can_ask

    if pick and hunks is not None:
        raise UserError("`--pick` asks for what `--hunks` names", hint="give one of both")
    if unverified and not pick and hunks is None:
        raise UserError("`--unverified` goes with `--pick` or `--hunks`", hint="the whole change has been verified")
    if pick and not can_ask():
        raise UserError(
            "`--pick` needs a terminal to ask in",
            hint="name the hunks: `git orefactor apply --hunks 1,3`; their numbers: `git orefactor show --html FILE`",
        )


def _delivered(folder: RunFolder) -> tuple[Trace, bytes]:
    """The trace and the patch of a run.

    Raises:
        UserError: it delivered none.
    """
    from orefactor.core.errors import ExitCode, UserError
    from orefactor.core.trace import PATCH

    trace, patch = folder.read_trace(), folder.read(PATCH)
    if trace is None or patch is None or trace.status == "gate":
        why = f": {trace.message}" if trace is not None else ", since it was interrupted"
        raise UserError(
            f"the run {folder.run_id} delivered no patch{why}",
            hint="see `git orefactor show`, or another run in `git orefactor runs`",
            exit_code=ExitCode.GATE,
        )
    return trace, patch
