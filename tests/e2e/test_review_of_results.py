"""`--review` on the main job: the result is reviewed before the gate, and what blocks goes back to the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, call, calls, git, user_state
from e2e.processes import Done, run_here
from e2e.result_review_scene import (
    LAST,
    MEND,
    PATH,
    SAID,
    USED,
    Ask,
    FixtureFile,
    blocking,
    finding,
    review,
    reviews_of,
    words,
)
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, edit, leftovers, read, run_folders
from recordings import newest, newest_trace


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def ask(repository: Path, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]) -> Ask:
    """Run the main job with scripted replies, reviewed."""

    def run(*replies: dict[str, Any], options: tuple[str, ...] = (), scope: str = PATH) -> Done:
        script = ("--fixture", str(fixture_file(*replies)), "--check", "py_compile", "--review")
        return run_here(capfdbinary, repository, TASK, scope, *script, *options)

    return run


def test_a_result_that_nobody_objects_to(repository: Path, ask: Ask, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    before = user_state(repository)
    done = ask(*REPLIES, review("approve", finding("warning")), options=("--json",))
    assert done.returncode == 0, done.stderr
    told, trace = json.loads(done.stdout), newest_trace(repository)
    (reviewed,) = reviews_of(repository)
    # The job is the newest run, although its review began later.
    assert told["run_id"] == trace["run_id"] != reviewed["run_id"]
    (part,) = trace["reviews"]
    assert told["reviews"] == [part]
    assert (part["run_id"], part["round"], part["tree"]) == (reviewed["run_id"], 3, trace["tree"])
    assert (part["outcome"], part["verdict"], part["blocking_findings"]) == ("reviewed", "approve", [])
    assert [found["message"] for found in part["findings"]] == [f"{SAID}."]
    assert part["findings"] == reviewed["review"]["findings"]
    assert (reviewed["review"]["before"], reviewed["review"]["tree"]) == (trace["base"]["commit"], trace["tree"])
    assert reviewed["task"] == "review the result of the task: document area"
    # What the review has used is the job's to pay; its rounds aren't the job's.
    assert trace["usage"]["prompt_tokens"] == reviewed["usage"]["prompt_tokens"] == USED["prompt_tokens"]
    assert (trace["iterations"], trace["repairs"], reviewed["iterations"]) == (3, 0, 1)
    assert trace["settings"]["review_result"] is True
    assert (trace["settings"]["review"]["fail_on"], reviewed["settings"].get("review_result")) == ("error", None)
    assert "reviewing the result with fixture\n  ✓ review: approved, 1 warning\n" in words(done)
    assert "review: approved, 1 warning\nused: 3 round(s) and 1 review(s), 1.0k tokens" in words(done)
    assert (user_state(repository), leftovers(repository)) == (before, [])

    shown = run_here(capfdbinary, repository, "show").stdout.decode()
    assert "review    approved, 1 warning (see `git orefactor" in shown
    replayed = run_here(capfdbinary, repository, "replay", "--json")
    assert (replayed.returncode, json.loads(replayed.stdout)["same"]) == (0, True), replayed.stderr
    assert "✓ review: approved" in words(replayed)


def test_what_blocks_goes_back_and_is_mended(
    repository: Path, ask: Ask, capfdbinary: pytest.CaptureFixture[bytes], fixture_file: FixtureFile
) -> None:
    done = ask(*REPLIES, blocking(), MEND, LAST, review("comment", finding("note")))
    assert done.returncode == 0, done.stderr
    assert b'+    """Multiply a by b."""\n' in done.stdout
    trace = newest_trace(repository)
    assert (trace["repairs"], trace["iterations"], len(trace["reviews"])) == (1, 5, 2)
    first, second = trace["reviews"]
    assert (first["reason"], first["round"], second["reason"], second["round"]) == ("blocking:model", 3, "reviewed", 5)
    assert trace["usage"]["prompt_tokens"] == 2000
    told = map(json.loads, (newest(repository) / "events.jsonl").read_bytes().splitlines())
    (repair,) = (event["text"] for event in told if event["event"] == "RepairAsked")
    assert f"- review: {PATH}:2 (wording) {SAID}." in repair
    assert '"""Multiply a by b."""' in repair and "longer" not in repair
    assert "✗ review: changes requested, 1 error, 1 note, 1 blocking" in words(done)
    assert f"      {PATH}:2: {SAID}." in words(done)
    assert "review: commented, 1 note, after 1 that went back" in words(done)

    assert run_here(capfdbinary, repository, "replay", "-q").returncode == 0
    # Another model goes on where the first one was told to mend it: that review is played, the next one is asked for.
    script = fixture_file(edit("Multiply.", "The product."), LAST, review("approve"), name="other.json")
    options = ("--from", "4", "--provider", "fixture", "--max-iterations", "9")
    git(repository, "config", "--global", "orefactor.fixture", str(script))
    runs = len(run_folders(repository))
    done = run_here(capfdbinary, repository, "replay", trace["run_id"], *options)
    assert done.returncode == 0, done.stderr
    went_on = newest_trace(repository)
    assert [part["usage"]["prompt_tokens"] for part in went_on["reviews"]] == [0, 1000]
    assert went_on["reviews"][0]["run_id"] == first["run_id"]
    assert len(run_folders(repository)) == runs + 2
    assert b"The product." in done.stdout


def test_what_blocks_to_the_end(repository: Path, ask: Ask, tmp_path: Path) -> None:
    before = user_state(repository)
    mended = [
        (blocking(f"No, number {number}."), edit(f'"""Multiply{"!" * number}.', f'"""Multiply{"!" * (number + 1)}.'))
        for number in range(3)
    ]  # fmt: skip
    script = [reply for pair in mended for reply in (*pair, LAST)]
    summary, report = tmp_path / "summary.md", tmp_path / "report.html"
    lines, sarif = tmp_path / "lines", tmp_path / "found.sarif"
    files = ("--summary", str(summary), "--report", str(report), "--annotations", str(lines), "--sarif", str(sarif))
    done = ask(*REPLIES, *script, blocking("No, at last."), options=files)
    assert (done.returncode, done.stdout) == (3, b"")
    trace = newest_trace(repository)
    assert (trace["status"], trace["reason"], trace["repairs"]) == ("gate", "review:blocking:model", 3)
    assert [part["round"] for part in trace["reviews"]] == [3, 5, 7, 9]
    assert trace["verified"] is True and trace["delivered"] == []
    last = trace["reviews"][-1]["run_id"]
    assert "error: the review objects to the result: 1 finding blocks" in words(done)
    assert f"hint: see the review with `git orefactor show {last}`; nothing was delivered" in words(done)
    assert (user_state(repository), leftovers(repository)) == (before, [])
    assert "title=review/wording (in the change)::No, at last." in lines.read_text()
    assert "- after round 9: changes requested, 1 error, 1 note, 1 blocking" in summary.read_text()
    assert "Review of the result" in report.read_text() and "No, at last." in report.read_text()
    (result,) = (found for found in json.loads(sarif.read_text())["runs"][0]["results"])
    assert result["ruleId"] == "review/wording"


LOOKING = calls(
    call("codebase_context", target=PATH), prompt_contains="Available tools", every_round=True, content=f"{SAID}!"
)
UNFINISHED = {
    "limit of the review": (
        (LOOKING,), ("-c", "orefactor.review.deliberation.maxRounds=1"), "deliberation_limit:max_rounds",
        "raise the setting `review.deliberation.max_rounds`; see the review with `git orefactor show",
    ),
    "no answer in the form": (
        ({"content": f"{SAID}!", "prompt_contains": "Change under review", "every_round": True},), (),
        "model:unreadable_answer", "see the review with `git orefactor show",
    ),
    "a check that can't run": (
        (), ("-c", "orefactor.review.checks=own", "-c", "orefactor.check.own.command=no-such-program-here"),
        "environment", "nothing was delivered",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("replies", "config", "reason", "hint"), UNFINISHED.values(), ids=UNFINISHED)
def test_a_review_that_is_none(
    replies: tuple[dict[str, Any], ...], config: tuple[str, ...], reason: str, hint: str, repository: Path, ask: Ask,
    tmp_path: Path,
) -> None:  # fmt: skip
    for setting in config[1::2]:
        name, _, value = setting.partition("=")
        git(repository, "config", "--global", name, value)
    before, report = user_state(repository), tmp_path / "report.html"
    # It stands in the way although nothing is said to block.
    git(repository, "config", "--global", "orefactor.review.failOn", "never")
    done = ask(*REPLIES, *replies, options=("--report", str(report)))
    assert (done.returncode, done.stdout) == (3, b""), done.stderr
    trace = newest_trace(repository)
    assert (trace["status"], trace["reason"], trace["repairs"]) == ("gate", f"review:{reason}", 0)
    (part,) = trace["reviews"]
    assert part["outcome"] != "reviewed" and part["limitations"] and part["quality_degraded"]
    assert "error: the result could not be reviewed: " in words(done)
    assert hint in words(done) and words(done).count("nothing was delivered") == 1
    assert SAID not in words(done) + report.read_text() + json.dumps(trace["reviews"])
    assert (user_state(repository), leftovers(repository)) == (before, [])


def test_where_there_is_nothing_to_review(repository: Path, ask: Ask) -> None:
    done = ask(read(), LAST)
    assert (done.returncode, b"task needed no change" in done.stderr) == (0, True)
    assert "reviews" not in newest_trace(repository)
    # What a check refuses isn't shown to the reviewer, and what was reviewed and is as it was isn't reviewed again.
    broken = edit("return a * b", "return a *")
    mended = edit("return a *\n", "return a * b\n")
    done = ask(read(), DOCUMENT, broken, LAST, mended, LAST, blocking(), LAST, LAST)
    assert done.returncode == 3, done.stderr
    trace = newest_trace(repository)
    assert (trace["repairs"], len(trace["reviews"]), trace["reason"]) == (3, 1, "review:blocking:model")


def test_what_is_reviewed_is_what_would_be_delivered(repository: Path, ask: Ask) -> None:
    spare = edit("return 2 * a\n", "return a + a\n")
    script = (read(), DOCUMENT, spare, LAST, blocking(), MEND, LAST, review("approve"))
    done = ask(*script, options=("--minimize",), scope="src")
    assert done.returncode == 0, done.stderr
    trace = newest_trace(repository)
    # What went before the first review is told, although nothing was left to go before the second one.
    assert trace["minimized"]["dropped"] == [[PATH, 7]] and b"a + a" not in done.stdout
    assert trace["reviews"][-1]["tree"] == trace["tree"]


def test_a_run_ends_where_its_review_uses_it_up(repository: Path, ask: Ask) -> None:
    much = {"prompt_tokens": 900_000, "completion_tokens": 200_000}
    done = ask(*REPLIES, review("approve", usage=much))
    assert done.returncode == 4, done.stderr
    trace = newest_trace(repository)
    assert (trace["reason"], trace["usage"]["prompt_tokens"]) == ("limit:max_tokens", 900_000)
    # Its own limit was what the job had left.
    assert trace["reviews"][0]["reason"] == "deliberation_limit:max_cost_tokens"


def test_another_model_by_option_and_setting(
    repository: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    done = ask(*REPLIES, review("approve"), options=("--review-model", "second"))
    assert done.returncode == 0, done.stderr
    assert "reviewing the result with second" in words(done)
    (reviewed,) = reviews_of(repository)
    assert (reviewed["settings"]["model"], newest_trace(repository)["settings"]["model"]) == ("second", "fixture")
    # As settings: a repository's own configuration may ask for it, and not do away with it.
    git(repository, "config", "orefactor.reviewResult", "false")
    done = ask(*REPLIES)
    assert (done.returncode, b"`orefactor.reviewresult` may not be set" in done.stderr) == (2, True), done.stderr
    git(repository, "config", "orefactor.reviewResult", "true")
    listed = run_here(capfdbinary, repository, "config", "review-result")
    assert listed.stdout == b"true\n"
    monkeypatch.setenv("OREFACTOR_REVIEW_RESULT", "off")
    assert run_here(capfdbinary, repository, "config", "review-result").stdout == b"false\n"
