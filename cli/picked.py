"""Takes the hunks that a person picks: chosen, held against the working tree, judged, and only then put there.

What a choice gives and whether it passes is the core's (`picking`, `picking_gate`); here it is asked and told.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from orefactor.core.errors import UserError

from .errors import say
from .picking import pick

if TYPE_CHECKING:
    from orefactor.core.checks.required import CheckResult
    from orefactor.core.hunk_pieces import Piece
    from orefactor.core.picking import Pickable, Picked
    from orefactor.core.trace import RunFolder
    from orefactor.sandbox.repository import Repository

_MOST_FINDINGS, _MOST_FILES = 10, 3


@dataclass(frozen=True, slots=True)
class How:
    """How hunks are taken.

    Attributes:
        hunks: their numbers as typed; None asks for each.
        is_checked: whether they have to pass first.
        index, three_way: as `apply_patch`.
        options: of the checks, by the names of `Settings`.
    """

    hunks: str | None
    is_checked: bool
    index: bool
    three_way: bool
    options: Mapping[str, Any]


def apply_picked(repository: Repository, folder: RunFolder, patch: bytes, how: How) -> None:
    """Put hunks of a run's patch on the working tree, and keep them as a patch with the run when they passed.

    Raises:
        UserError: no such hunk (exit 2), they don't pass (3), base or check isn't here (6), they don't fit (7).
    """
    from orefactor.core.hunk_numbers import write_choice
    from orefactor.core.picking import build, open_picking
    from orefactor.sandbox.apply import require_fit

    pickable = open_picking(repository, folder, patch)
    taken = _choose(folder, pickable, how)
    if not taken:
        say("note", "no hunk was chosen; nothing was changed")
        return
    label = write_choice(taken, pickable.pieces)
    if how.hunks is None:
        # Whatever comes of it, the answers needn't be given again.
        say("note", f"chosen: --hunks {label}")
    picked = build(pickable, taken)
    require_fit(repository, picked.patch, index=how.index, three_way=how.three_way)
    verified = _verified(pickable, picked, label, how)
    _put(repository, folder, picked, how)
    paths = [change.path for change in picked.proof.changes]
    more = f" and {len(paths) - _MOST_FILES} more" if len(paths) > _MOST_FILES else ""
    say("done", f"{_counted(taken, pickable.pieces)} [{', '.join(paths[:_MOST_FILES])}{more}] {verified}")


def _choose(folder: RunFolder, pickable: Pickable, how: How) -> tuple[Piece, ...]:
    if how.hunks is not None:
        from orefactor.core.hunk_numbers import parse_choice

        return parse_choice(how.hunks, pickable.pieces)
    from orefactor.core.reporting import read_run

    return pick(read_run(folder), pickable.pieces, pickable.repository.place)


def _verified(pickable: Pickable, picked: Picked, label: str, how: How) -> str:
    """Judge the choice where that is wanted; what it came to, in words.

    Raises:
        UserError: it doesn't pass.
    """
    said = {True: "verified", False: "not verified", None: "not verified: no check could run"}
    if picked.is_all:
        return said[pickable.trace.verified]
    if not how.is_checked:
        return "not verified"
    from orefactor.core.picking_gate import find_rules, judge_choice

    rules = find_rules(pickable, how.options)
    say("note", f"checking the chosen hunks: {', '.join(('contract', 'guards', *rules.checks))}")
    outcome, checks = judge_choice(pickable, picked, rules)
    if outcome.exit_code:
        _tell_findings(checks)
        again = f"git orefactor apply {pickable.proof.run_id} --hunks {label}"
        raise UserError(
            f"the chosen hunks don't pass without the others: {outcome.message}",
            hint=f"choose again (yours: `{again}`), or take them all the same: add `--unverified`",
            exit_code=outcome.exit_code,
        )
    return said[outcome.verified]


def _tell_findings(checks: Sequence[CheckResult]) -> None:
    found = [f"{check.name}: {finding}" for check in checks for finding in check.new]
    if len(found) == 1:  # the gate's own words name it
        return
    for line in found[:_MOST_FINDINGS]:
        say("note", line)
    if len(found) > _MOST_FINDINGS:
        say("note", f"and {len(found) - _MOST_FINDINGS} more findings")


def _put(repository: Repository, folder: RunFolder, picked: Picked, how: How) -> None:
    """Keep, then apply: what can't be kept changes nothing, and what doesn't apply is not kept."""
    from orefactor.core.picking import keep
    from orefactor.sandbox.apply import apply_patch
    from orefactor.sandbox.shield import shield

    with shield():
        kept = keep(folder, picked) if how.is_checked else None
        try:
            apply_patch(repository, picked.patch, index=how.index, three_way=how.three_way)
        except BaseException:
            if kept is not None:
                kept.unlink()
            raise
    if kept is not None:
        shown = min(os.path.relpath(kept), str(kept), key=len)
        say("note", f"kept for `git orefactor verify`: {shown}")


def _counted(taken: Sequence[Piece], pieces: Sequence[Piece]) -> str:
    chosen, every = ({number for piece in some for number in piece.numbers} for some in (taken, pieces))
    return f"took {len(chosen)} of {len(every)} hunk{'' if len(every) == 1 else 's'}"
