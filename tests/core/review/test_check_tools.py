"""Checks as tools of a review: each runs once, and what keeps it from speaking is told and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from orefactor.core.bench import Bench
from orefactor.core.checks.catalogue import catalogue, find_check
from orefactor.core.checks.check import Check
from orefactor.core.checks.findings import Finding
from orefactor.core.checks.result import ChangedFiles, CheckResult
from orefactor.core.errors import ToolError, UserError
from orefactor.core.redact import Redactor
from orefactor.core.review.check_tools import CheckTools, told
from orefactor.core.tools.base import Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

CHANGED = ChangedFiles(("a.py",), {"a.py": "a.py"})
Give = Callable[[str], CheckResult]


class _Host:
    @staticmethod
    def check(name: str) -> Check:
        return find_check(name, catalogue(()))


@dataclass(frozen=True, slots=True)
class _Bench:
    """A bench whose checks give what the test says."""

    give: Give
    on_demand: tuple[str, ...] = ("ruff", "ruff-format")
    host: type[_Host] = _Host

    def run_required(self, names: Sequence[str], _changed: ChangedFiles) -> list[CheckResult]:
        return [self.give(name) for name in names]


def _toolbox(folder: Path, give: Give) -> tuple[CheckTools, Toolbox, list[CheckResult]]:
    ended: list[CheckResult] = []
    tools = CheckTools(cast("Bench", _Bench(give)), CHANGED, ended.append)
    return tools, Toolbox(tools.tools, Workspace(Root(folder)), Redactor({})), ended


def test_each_check_runs_once_and_counts_as_asked_for(tmp_path: Path) -> None:
    found = Finding("a.py", 3, "F401", "unused")
    ran: list[str] = []

    def give(name: str) -> CheckResult:
        ran.append(name)
        return CheckResult(name, "failed", new=(found,), old=2)

    tools, box, ended = _toolbox(tmp_path, give)
    assert list(tools.tools) == ["check_ruff", "check_ruff_format"]
    answers = [box.call("check_ruff", "{}"), box.call("check_ruff", {}), box.call("check_ruff", {"paths": []})]
    assert [each.status for each in answers] == ["executed", "executed", "refused"]
    assert answers[0].text.startswith("ruff: failed, 1 new, 2 old\n- a.py:3: F401 unused")
    assert ran == ["ruff"]
    assert tools.results == ended
    assert [(each.name, each.when, each.required) for each in ended] == [("ruff", "on_demand", False)]


@pytest.mark.parametrize(
    "error",
    [ToolError("the base is gone"), UserError("the base is gone", hint="look")],
    ids=["the check's", "the person's"],
)
def test_a_tree_before_that_can_not_be_checked_is_the_checks_failure(tmp_path: Path, error: Exception) -> None:
    def give(_name: str) -> CheckResult:
        raise error

    tools, box, _ = _toolbox(tmp_path, give)
    answer = box.call("check_ruff", {})
    assert (answer.status, answer.text) == ("failed", "ERROR: check_ruff could not run: the base is gone")
    (result,) = tools.results
    assert (result.outcome, result.detail, result.counts) == ("failed", "the base is gone", False)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (CheckResult("mypy", "passed"), "mypy: passed"),
        (CheckResult("mypy", "passed", old=3), "mypy: passed, 3 old"),
        (CheckResult("mypy", "failed", detail="out of time"), "mypy: failed; out of time"),
        (CheckResult("mypy", "not_run", detail="no Python file changed"), "mypy: not run; no Python file changed"),
        (
            CheckResult("mypy", "failed", new=tuple(Finding("a.py", line, "x", "y") for line in range(150))),
            "- a.py:99: x y\n- and 50 more",
        ),
    ],
    ids=["passed", "old ones", "broken", "nothing to do", "many"],
)
def test_results_in_words(result: CheckResult, words: str) -> None:
    assert told(result).endswith(words)
