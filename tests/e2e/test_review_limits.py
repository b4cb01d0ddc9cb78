"""Limits of a review: none is passed, nothing that the model wrote is published then, and each round is paid for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from chat_server import completion, serving, tool_call
from conftest import MakeRepository, call, calls, git, user_state
from e2e.processes import run_here
from e2e.review_scene import SAID, UNUSED, answer, changed_repository, finding, review_here, says
from e2e.scenes import leftovers, trace
from scripted import asked, reply

from orefactor.core.events import RoundFinished
from orefactor.core.messages import Usage

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]

LEVELS = ("error", "warning", "never")
SLOW = "sleep 30"


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit, and what exceeds it.

    Attributes:
        words: the options that set it.
        replies: a script that passes it; each reply holds an answer that must not be published.
        requested: what was asked for by then.
    """

    name: str
    words: tuple[str, ...]
    replies: tuple[dict[str, Any], ...]
    requested: tuple[str, ...]


def _spent(prompt: int, output: int) -> dict[str, Any]:
    return {"usage": {"prompt_tokens": prompt, "completion_tokens": output}}


_ANSWER = answer(finding(4))
LIMITS = (
    Limit(
        "max_rounds",
        ("--max-rounds", "2"),
        (calls(call("check_ruff"), content=_ANSWER, every_round=True),),
        ("check_ruff",),
    ),
    Limit(
        "max_cost_tokens",
        ("--max-cost-tokens", "6000"),
        (calls(call("check_ruff"), content=_ANSWER, **_spent(2000, 100)), {"content": _ANSWER, **_spent(3900, 100)}),
        ("check_ruff",),
    ),
    Limit(
        "per_tool_timeout_seconds",
        ("--tool-timeout", "1"),
        (calls(call("check_ruff"), call("check_slow"), content=_ANSWER), {"content": _ANSWER}),
        ("check_ruff", "check_slow"),
    ),
)


def _files(folder: Path) -> dict[str, Path]:
    names = {"sarif": "r.sarif", "summary": "s.md", "annotations": "a.txt", "report": "r.html", "junit": "j.xml"}
    return {option: folder / name for option, name in names.items()}


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("limit", "level"), list(zip(LIMITS, LEVELS, strict=True)), ids=lambda given: getattr(given, "name", given)
)
def test_a_limit_ends_a_review_without_a_word_of_the_model(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    tmp_path: Path,
    limit: Limit,
    level: str,
) -> None:
    repository = changed_repository(make_repository, UNUSED)
    git(repository, "config", "--global", "orefactor.check.slow.command", SLOW)
    before, files = user_state(repository), _files(tmp_path)
    options = [word for option, path in files.items() for word in (f"--{option}", str(path))]
    script = str(fixture_file(*limit.replies))
    # Other settings that could soften it don't count either.
    git(repository, "config", "--global", "orefactor.review.inconclusiveExit", "0")
    words = ("review", "--json", "--fixture", script, "--fail-on", level, *limit.words, *options)
    done = run_here(capfdbinary, repository, *words)
    told, kept = json.loads(done.stdout), trace(repository)
    reason = f"deliberation_limit:{limit.name}"
    assert (done.returncode, told["exit_code"], told["outcome"], told["reason"]) == (1, 1, "not_reviewed", reason)
    assert (told["verdict"], told["summary"], told["quality_degraded"]) == (None, "", True)
    (limitation,) = told["limitations"]
    assert limit.name in limitation
    assert {each["origin"] for each in told["findings"]} == {"ruff"}
    assert bool(told["blocking_findings"]) == (level != "never")
    assert (kept["review"]["limit"], kept["undecided"], tuple(kept["requested"])) == (limit.name, None, limit.requested)
    assert (kept["status"], kept["reason"], "codebase_context" in kept["not_requested"]) == ("limit", reason, True)
    printed = run_here(capfdbinary, repository, "show").stdout
    published = {**{name: path.read_bytes() for name, path in files.items()}, "json": done.stdout, "show": printed}
    assert [name for name, text in published.items() if SAID.encode() in text] == []
    assert SAID not in json.dumps(kept["review"]) + json.dumps(kept["summary"]) + done.stderr.decode()
    assert all(not part["text"] for part in kept["rounds"])
    assert [name for name, text in published.items() if limit.name.encode() not in text] == []
    (sarif,) = json.loads(published["sarif"])["runs"]
    (invocation,) = sarif["invocations"]
    assert not invocation["executionSuccessful"]
    told_to_tools = json.dumps(invocation["toolExecutionNotifications"])
    assert reason in told_to_tools or limit.name in told_to_tools
    assert f"the limit {limit.name} was reached" in done.stderr.decode()
    assert user_state(repository) == before
    assert leftovers(repository) == []


def test_an_answer_in_the_last_round_counts_and_one_after_it_is_never_asked_for(
    make_repository: MakeRepository,
) -> None:
    repository = changed_repository(make_repository)
    within = review_here(repository, reply(asked("1", "read_file", path="README.md")), says(), review_max_rounds=2)
    assert (within.result.exit_code, within.told["outcome"]) == (0, "reviewed")
    over = review_here(
        repository, *[reply(asked(str(number), "grep", pattern="a")) for number in range(2)], review_max_rounds=2
    )
    assert (over.result.exit_code, over.told["reason"], len(over.asked)) == (1, "deliberation_limit:max_rounds", 2)
    assert over.told["iterations"] == over.result.trace.usage.requests == 2


def test_a_change_too_large_for_the_tokens_is_not_sent(make_repository: MakeRepository) -> None:
    done = review_here(
        changed_repository(make_repository, UNUSED + "# a comment of some length\n" * 5000),
        says(),
        review_max_cost_tokens=20_000,
    )
    assert (done.asked, done.told["reason"]) == ((), "deliberation_limit:max_cost_tokens")
    assert (done.result.exit_code, done.told["iterations"], done.told["undecided"]) == (1, 0, None)


def test_an_unreadable_answer_is_asked_for_once_more_and_then_decides_nothing(make_repository: MakeRepository) -> None:
    repository = changed_repository(make_repository, UNUSED)
    mended = review_here(repository, reply(text="I approve."), says())
    assert (mended.told["outcome"], "Your answer can't be read" in mended.asked[1]) == ("reviewed", True)
    unread = [reply(text=f"{SAID}!"), reply(text=f"{SAID}!!")]
    twice = review_here(repository, *unread, review_inconclusive_exit=5)
    once = review_here(repository, *unread, review_inconclusive_exit=5, review_enabled=False)
    # Without deliberation ruff has run, and what it found blocks under any setting of that exit code.
    for done, asked_for, code in ((twice, 2, 5), (once, 1, 1)):
        assert (done.told["outcome"], done.told["reason"]) == ("inconclusive", "model:unreadable_answer")
        assert (len(done.asked), done.result.exit_code) == (asked_for, code)
        assert (done.told["summary"], done.told["quality_degraded"], SAID in json.dumps(done.told)) == ("", True, False)


def test_one_call_has_the_general_limits(make_repository: MakeRepository) -> None:
    repository = changed_repository(make_repository)
    options: dict[str, Any] = {"review_enabled": False, "checks": (), "review_model": "another"}
    cut = review_here(repository, reply(text=answer(finding())[:60], finish="length"), **options)
    assert (cut.told["outcome"], cut.told["reason"]) == ("inconclusive", "model:unreadable_answer")
    assert [request.model for request in cut.requests] == ["another"]
    over = review_here(repository, says(), max_tokens=50, **options)
    assert (over.told["outcome"], over.told["reason"], over.asked) == ("not_reviewed", "limit:max_tokens", ())
    # The deliberation's own limit is none where there is no deliberation.
    within = review_here(repository, says(), review_max_cost_tokens=50, **options)
    assert (within.told["outcome"], within.result.exit_code) == ("reviewed", 0)


PRICES = {"scripted": "1000 1000 1000"}
"""A thousandth of a dollar for each token."""


def test_every_round_is_reserved_before_and_committed_after(make_repository: MakeRepository) -> None:
    steps = [reply(asked("1", "check_ruff"), usage=Usage(900, 0, 100, 1)), says(usage=Usage(1900, 0, 600, 1))]
    done = review_here(changed_repository(make_repository), *steps, prices=PRICES)
    assert [each.cost_usd for each in done.seen if isinstance(each, RoundFinished)] == [
        pytest.approx(1.0),
        pytest.approx(2.5),
    ]
    assert done.told["cost_usd"] == pytest.approx(3.5)
    assert (done.told["usage"]["prompt_tokens"], done.told["usage"]["completion_tokens"]) == (2800, 700)
    assert done.result.review.tokens == 3500


def test_a_round_over_the_ceiling_is_refused_before_it_is_sent(
    make_repository: MakeRepository, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    repository = changed_repository(make_repository, UNUSED)
    git(repository, "config", "--global", "orefactor.m.price", "1000 1000 1000")
    with serving() as server:
        message = {"role": "assistant", "content": None, "tool_calls": [tool_call("1", "grep", pattern="x")]}
        usage = {"prompt_tokens": 2000, "completion_tokens": 1000, "total_tokens": 3000}
        server.script(completion(message, "tool_calls", usage=usage))
        words = ("review", "--json", "--provider", "openai-compatible", "--model", "m", "--base-url", server.url)
        none = run_here(capfdbinary, repository, *words, "--max-cost", "0.5")
        assert server.requests == []
        one = run_here(capfdbinary, repository, *words, "--max-cost", "5")
        assert len(server.requests) == 1
    for done, rounds in ((none, 0), (one, 1)):
        told = json.loads(done.stdout)
        assert (done.returncode, told["outcome"], told["iterations"]) == (told["exit_code"], "not_reviewed", rounds)
        assert told["reason"] == "limit:max_cost"
        # Nobody decided that ruff isn't needed, so it ran.
        assert {each["origin"] for each in told["blocking_findings"]} == {"ruff"}
        assert (told["not_requested"], "USD" in told["undecided"]) == ([], True)
        assert told["limitations"]
        assert "deliberation: undecided" in done.stderr.decode()
