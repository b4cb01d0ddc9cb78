"""Reviews whose model never came to decide, and checks that could not speak: what is known counts all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import completion, refusal, serving, tool_call
from conftest import MakeRepository, git
from e2e.processes import run_here
from e2e.review_scene import SAID, UNUSED, answer, changed_repository, review_here, says
from e2e.scenes import trace
from scripted import Step, asked, reply

from orefactor.core.errors import ProviderFailed

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]

DOWN = ProviderFailed("server_error", "the server went away", hint="ask later")


@pytest.mark.parametrize(
    ("steps", "requested"),
    [
        ([DOWN], []),
        ([reply(asked("1", "grep", pattern="a"), text=answer()), DOWN], ["grep"]),
        ([reply(asked("1", "check_ruff", everything=True)), DOWN], ["check_ruff"]),
        ([reply(asked("1", "check_ruff")), DOWN], ["check_ruff"]),
        ([reply(text=""), reply(text="")], []),
    ],
    ids=["at once", "in round 2", "after a refused call", "after its check", "empty replies"],
)
def test_deferred_checks_run_where_the_model_never_answered(
    make_repository: MakeRepository, steps: list[Step], requested: list[str]
) -> None:
    done = review_here(changed_repository(make_repository, UNUSED), *steps, review_fail_on="never")
    told = done.told
    assert (told["outcome"], told["exit_code"], told["quality_degraded"]) == ("not_reviewed", 5, True)
    assert (told["requested"], told["not_requested"], bool(told["undecided"])) == (requested, [], True)
    assert [(check["name"], check["when"]) for check in told["checks"]] == [
        ("py_compile", "final"),
        ("ruff", "on_demand"),
    ]
    assert {each["origin"] for each in told["findings"]} == {"ruff"}
    assert len(told["limitations"]) == 1
    assert (told["summary"], told["verdict"], SAID in json.dumps(told)) == ("", None, False)


def test_nobody_falls_back_to_a_provider_without_tools(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    repository = changed_repository(make_repository, UNUSED)
    with serving() as server:
        message = {"role": "assistant", "content": None, "tool_calls": [tool_call("1", "grep", pattern="x")]}
        server.script(completion(message, "tool_calls"), refusal(401))
        provider = ("--provider", "openai-compatible", "--model", "m", "--base-url", server.url)
        other = ("--fallback", "fixture", "--fixture", str(fixture_file({"content": answer(), "every_round": True})))
        done = run_here(capfdbinary, repository, "review", "--json", *provider, *other)
        assert len(server.requests) == 2
    told, kept = json.loads(done.stdout), trace(repository)
    assert (done.returncode, told["outcome"], told["verdict"]) == (5, "not_reviewed", None)
    assert {each["origin"] for each in told["blocking_findings"]} == {"ruff"}
    assert (kept["provider_changes"], bool(kept["undecided"]), kept["not_requested"]) == ([], True, [])
    assert "deliberation: undecided" in done.stderr.decode()


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("command", "words"),
    [("nowhere-to-be-found", "is not installed"), ("./nowhere", "No such file"), ("sh -c 'kill -9 $$'", "killed")],
    ids=["not installed", "not there", "killed"],
)
def test_a_requested_check_that_can_not_speak_leaves_the_review_inconclusive(
    make_repository: MakeRepository, command: str, words: str
) -> None:
    repository = changed_repository(make_repository)
    git(repository, "config", "--global", "orefactor.check.own.command", command)
    done = review_here(repository, reply(asked("1", "check_own")), says(), review_inconclusive_exit=6)
    told = done.told
    assert (told["outcome"], told["reason"], told["exit_code"]) == ("inconclusive", "check:own", 6)
    assert (told["quality_degraded"], told["verdict"], told["undecided"]) == (True, "comment", None)
    (limitation,) = told["limitations"]
    assert "`own`" in limitation
    assert words in limitation
    (call,) = done.result.trace.tool_calls
    assert (call.status, call.summary.startswith("ERROR: check_own could not run")) == ("failed", True)
    assert call.summary[:60] in done.asked[1]
    unasked = review_here(repository, says(), review_inconclusive_exit=6)
    assert (unasked.told["outcome"], unasked.result.exit_code) == ("reviewed", 0)


@pytest.mark.sandbox
@pytest.mark.parametrize("enabled", [True, False])
def test_a_required_check_out_of_time_is_no_limit_of_the_deliberation(
    make_repository: MakeRepository, enabled: bool
) -> None:
    options: dict[str, Any] = {"review_per_tool_timeout_seconds": 1.0, "review_enabled": enabled}
    done = review_here(changed_repository(make_repository), says(), checks=("slow=sleep 30",), **options)
    assert (done.told["outcome"], done.told["reason"], done.told["exit_code"]) == ("inconclusive", "check:slow", 1)
    assert "ran out of time" in done.told["limitations"][0]
