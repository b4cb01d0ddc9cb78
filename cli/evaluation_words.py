"""Words for one attempt of an evaluation, as it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .wording import inert, plain, shortened, tokens

if TYPE_CHECKING:
    from orefactor.core.evaluation.task import Attempt


def attempt_line(attempt: Attempt, number: int, total: int) -> str:
    """One line: how far all are, the task, the arm, and what came of it."""
    if attempt.landed:
        outcome = {True: "passed", False: "did not pass", None: "landed"}[attempt.passed]
    else:
        outcome = plain(attempt.reason)
    why = "" if attempt.passed or not attempt.detail else f": {shortened(attempt.detail, 80)}"
    used = tokens(attempt.prompt_tokens + attempt.completion_tokens)
    told = f"{attempt.rounds} round(s), {used} tokens, {attempt.seconds:.1f} s"
    place = f"{plain(attempt.task)}, {plain(attempt.arm)}" + (f", {attempt.repeat}" if attempt.repeat > 1 else "")
    return inert(f"[{number}/{total}] {place}: {outcome} ({told}){why}")
