"""Reviews from end to end: evidence on demand, what blocks, and that nothing of the user's is touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, call, calls, git, user_state, write_files
from e2e.processes import run_here
from e2e.review_scene import (
    CHANGED,
    PATH,
    SAID,
    SHAPES,
    UNUSED,
    answer,
    changed_repository,
    finding,
    review_here,
    says,
)
from e2e.scenes import leftovers, trace
from scripted import asked, reply

from orefactor.core.errors import UserError
from orefactor.core.events import CheckFinished, RoundStarted

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]

ASKS_IF_LARGE = (
    calls(call("check_ruff"), lines_above=3, prompt_contains="## Available tools"),
    {"content": answer(verdict="approve"), "every_round": True},
)
"""A model that asks for ruff where more than three lines changed, and finds nothing itself."""


def _reviewed(capture: Capture, folder: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    done = run_here(capture, folder, "review", "--json", *words)
    return done.returncode, json.loads(done.stdout), done.stderr.decode()


def test_a_check_that_the_model_asks_for_on_a_large_change_blocks_with_its_own_origin(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = changed_repository(make_repository, UNUSED)
    before = user_state(repository)
    code, told, stderr = _reviewed(capfdbinary, repository, "--fixture", str(fixture_file(*ASKS_IF_LARGE)))
    assert (code, told["outcome"], told["reason"], told["exit_code"]) == (1, "reviewed", "blocking:ruff", 1)
    assert {(each["origin"], each["rule"]) for each in told["blocking_findings"]} == {
        ("ruff", "F401"),
        ("ruff", "E711"),
    }
    kept = trace(repository)
    assert kept["review"]["blocking_findings"] == told["blocking_findings"]
    assert [(check["name"], check["required"], check["when"]) for check in told["checks"]] == [
        ("py_compile", True, "final"),
        ("ruff", False, "on_demand"),
    ]
    assert (kept["requested"], "codebase_context" in kept["not_requested"]) == (["check_ruff"], True)
    assert [(each["name"], each["status"]) for each in kept["tool_calls"]] == [("check_ruff", "executed")]
    assert len(kept["tool_calls"][0]["digest"]) == len(kept["review"]["results_digest"]) == 64
    assert (kept["iterations"], kept["review"]["limit"], kept["undecided"]) == (2, "", None)
    assert "deliberation: decided after 2 round(s)" in stderr
    assert "asked for check_ruff, not for read_file" in stderr
    lines = stderr.splitlines()
    assert (sum("✓ check ruff" in line for line in lines), sum("deliberation:" in line for line in lines)) == (1, 1)
    assert user_state(repository) == before
    assert leftovers(repository) == []


def test_a_small_change_runs_no_check_that_is_not_required(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = changed_repository(make_repository, CHANGED)
    code, told, _ = _reviewed(capfdbinary, repository, "--fixture", str(fixture_file(*ASKS_IF_LARGE)))
    assert (code, told["reason"], told["verdict"]) == (0, "reviewed", "approve")
    assert [check["name"] for check in told["checks"]] == ["py_compile"]
    assert (told["requested"], "check_ruff" in told["not_requested"]) == ([], True)
    assert (told["blocking_findings"], told["limitations"], told["quality_degraded"]) == ([], [], False)


def test_the_prompt_lists_tools_with_cost_and_size_and_a_result_goes_back(make_repository: MakeRepository) -> None:
    done = review_here(
        changed_repository(make_repository, UNUSED), reply(asked("1", "check_ruff"), text=answer()), says(finding(4))
    )
    first, second = done.asked
    listed = first.partition("## Available tools")[2].partition("## ")[0]
    assert "- check_ruff: Run ruff on the change" in listed
    assert "- codebase_context: Callers, callees, importers and tests of a path or symbol." in listed
    lines = [line for line in listed.splitlines() if line]
    assert len(lines) == len(done.told["offered"])
    assert all("Cost: " in line and line.endswith(" KB.") for line in lines)
    assert "check_ruff" not in first.partition("## Available tools")[0]
    assert "    4 +     if a == None:" in first
    assert "F401 `os` imported but unused" in second[len(first) :]
    assert done.told["summary"] == f"{SAID} on the whole."
    assert {each["origin"] for each in done.told["blocking_findings"]} == {"model", "ruff"}


def test_only_tools_that_look_or_check_are_offered(make_repository: MakeRepository) -> None:
    done = review_here(
        changed_repository(make_repository),
        reply(asked("1", "edit_file", path=PATH, old_string="a", new_string="b")),
        says(),
    )
    assert not {"edit_file", "write_file", "delete_file", "move_file", "run_check"} & set(done.told["offered"])
    assert [each.status for each in done.result.trace.tool_calls] == ["refused"]
    assert "there is no tool `edit_file`" in done.asked[1]
    assert done.result.exit_code == 0


def test_a_required_check_runs_once_before_the_model_and_is_not_offered(make_repository: MakeRepository) -> None:
    done = review_here(changed_repository(make_repository, UNUSED), says(), checks=("ruff", "py_compile"))
    assert "check_ruff" not in done.told["offered"]
    first = next(at for at, event in enumerate(done.seen) if isinstance(event, RoundStarted))
    ran = [(event.name, at < first) for at, event in enumerate(done.seen) if isinstance(event, CheckFinished)]
    assert ran == [("ruff", True), ("py_compile", True)]
    assert "F401 `os` imported but unused" in done.asked[0].partition("## Available tools")[0]
    assert (done.told["reason"], done.told["exit_code"]) == ("blocking:ruff", 1)


@pytest.mark.parametrize(
    ("tools", "options"),
    [(False, {}), (True, {"review_enabled": False})],
    ids=["a provider without tools", "no deliberation"],
)
def test_without_tools_every_check_runs_first_and_nothing_is_offered(
    make_repository: MakeRepository, tools: bool, options: dict[str, Any]
) -> None:
    done = review_here(changed_repository(make_repository, UNUSED), says(finding(4)), tools=tools, **options)
    (only,) = done.asked
    assert "## Available tools" not in only
    assert "F401 `os` imported but unused" in only
    told = done.told
    assert (told["offered"], told["requested"], told["not_requested"], told["undecided"]) == ([], [], [], None)
    assert [check["name"] for check in told["checks"]] == ["py_compile", "ruff"]
    assert (told["iterations"], {each["origin"] for each in told["blocking_findings"]}) == (1, {"model", "ruff"})
    assert not [event for event in done.seen if type(event).__name__ == "DeliberationEnded"]
    review = done.result.review
    assert (review.limit, review.tokens, review.results_digest) == ("", 0, "")


def test_the_command_turns_deliberation_off_and_a_script_without_calls_is_a_model_without_tools(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = changed_repository(make_repository, UNUSED)
    for words in (
        ["--no-deliberation", "--fixture", str(fixture_file(*ASKS_IF_LARGE[1:], ASKS_IF_LARGE[0]))],
        ["--fixture", str(fixture_file(ASKS_IF_LARGE[1], name="plain.json"))],
    ):
        code, told, stderr = _reviewed(capfdbinary, repository, *words)
        assert (code, told["reason"], told["offered"], told["iterations"]) == (1, "blocking:ruff", [], 1)
        assert "deliberation:" not in stderr


@pytest.mark.parametrize(
    ("fail_on", "code", "blocking"),
    [("error", 0, 0), ("warning", 1, 1), ("never", 0, 0)],
)
def test_fail_on_says_what_blocks(make_repository: MakeRepository, fail_on: str, code: int, blocking: int) -> None:
    done = review_here(
        changed_repository(make_repository),
        says(finding(severity="warning"), finding(3, severity="note")),
        review_fail_on=fail_on,
    )
    assert (done.result.exit_code, len(done.told["blocking_findings"]), len(done.told["findings"])) == (
        code,
        blocking,
        2,
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"review_max_rounds": 0}, "review.deliberation.max_rounds"),
        ({"review_max_cost_tokens": -1}, "review.deliberation.max_cost_tokens"),
        ({"review_per_tool_timeout_seconds": 0.0}, "tool_timeout"),
        ({"checks": ("nothing",)}, "nothing"),
        ({"provider": "recipes", "model": "x"}, "can't review"),
    ],
    ids=["no round", "tokens below zero", "no time", "no such check", "no model"],
)
def test_bad_input_is_said_before_anything_is_made(
    make_repository: MakeRepository, options: dict[str, Any], said: str
) -> None:
    from orefactor.core.review.request import ReviewRequest
    from orefactor.core.review.run import review

    repository = changed_repository(make_repository)
    with pytest.raises(UserError) as caught:
        review(ReviewRequest(repository, (), {"provider": "fixture", **options}))
    assert said.rpartition(".")[2] in str(caught.value).replace("-", "_")
    assert not (repository / ".git/orefactor/runs").exists()


def test_a_policy_decides_alone_and_says_what_does_not_count(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    loose = "[tool.orefactor.review.deliberation]\nmax_rounds = 3\n[tool.orefactor.review]\nfail_on = 'warning'\n"
    repository = changed_repository(make_repository, UNUSED, **{"pyproject.toml": loose})
    git(repository, "config", "--global", "orefactor.policy.review.deliberation.maxRounds", "1")
    script = fixture_file(calls(call("check_ruff")), {"content": answer(finding(4, severity="warning"))})
    code, told, stderr = _reviewed(capfdbinary, repository, "--fixture", str(script), "--max-rounds", "2")
    assert (code, told["reason"], told["fail_on"]) == (1, "deliberation_limit:max_rounds", "warning")
    assert "warning: the repository's [tool.orefactor.review.deliberation] is ignored" in stderr
    assert "`review.deliberation.max_rounds` is 1, as orefactor.policy.review.deliberation says, not 2" in stderr
    assert len(told["warnings"]) == 2


def test_a_change_can_not_loosen_its_own_review(make_repository: MakeRepository) -> None:
    before, after = (f"[tool.orefactor.review]\nfail_on = '{level}'\n" for level in ("warning", "never"))
    repository = changed_repository(make_repository, CHANGED, **{"pyproject.toml": before})
    write_files(repository, {"pyproject.toml": after, "src/shapes.py": SHAPES.replace("2 * a", "a + a")})
    done = review_here(repository, says(finding(6, severity="warning")))
    assert (done.told["fail_on"], done.told["reason"], done.result.exit_code) == ("warning", "blocking:model", 1)
