"""Made-up attempts of an evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from orefactor.core.evaluation.task import Attempt

_PLAIN = Attempt(
    task="a",
    arm="one",
    repeat=1,
    run_id="20261130T101500-4f2a9c",
    status="completed",
    reason="delivered",
    exit_code=0,
    landed=True,
    passed=True,
    verdicts={"own": True},
    first_edit=True,
    edits=2,
    refused={},
    out_of_scope=0,
    rounds=4,
    prompt_tokens=1000,
    cached_tokens=500,
    completion_tokens=100,
    cost=0.01,
    seconds=2.5,
    lines=3,
    beyond=0,
)


def made_attempt(task: str = "a", arm: str = "one", **facts: Any) -> Attempt:
    """An attempt that passed, but for what is said."""
    return replace(_PLAIN, task=task, arm=arm, **facts)


def failed_attempt(task: str, arm: str, reason: str = "limit:max_iterations") -> Attempt:
    """An attempt that delivered nothing."""
    return made_attempt(
        task, arm, status="limit", reason=reason, exit_code=4, landed=False, passed=None, beyond=None, cost=None,
        refused={"not found": 1, "several places": 1}, first_edit=False,
    )  # fmt: skip
