"""What a review's model may not do, and what it isn't shown: wrong calls, secrets, long answers, others' files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import MakeRepository
from e2e.review_scene import CHANGED, PATH, UNUSED, changed_repository, finding, review_here, says
from e2e.scenes import require_valid, trace
from scripted import asked, reply

from orefactor.core.messages import ToolCall

TOKEN = "ghp_" + "a1B2" * 9
"""As a well-known service writes its own."""


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (ToolCall("1", "grep", "{}"), "pattern"),
        (ToolCall("1", "grep", '{"pattern": 3}'), "pattern"),
        (ToolCall("1", "grep", '{"pattern": "a", "depth": 1}'), "depth"),
        (ToolCall("1", "check_ruff", '{"paths": ["."]}'), "paths"),
        (ToolCall("1", "check_ruff", "[1]"), "object"),
        (ToolCall("1", "check_ruff", '"all"'), "object"),
        (ToolCall("1", "check_ruff", "{"), ""),
        (ToolCall("1", "check_mypi", "{}"), "there is no tool `check_mypi`"),
        (ToolCall("1", "py_compile", "{}"), "there is no tool `py_compile`"),
    ],
    ids=["missing", "wrong type", "undeclared", "a check's", "a list", "a text", "cut", "unknown", "required"],
)
def test_wrong_calls_are_refused_before_anything_runs_and_told(
    make_repository: MakeRepository, call: ToolCall, said: str
) -> None:
    done = review_here(changed_repository(make_repository, UNUSED), reply(call), says(), checks=())
    (told,) = done.result.trace.tool_calls
    assert (told.status, told.name, told.duration_ms < 1000) == ("refused", call.name, True)
    assert f"ERROR: {told.summary.removeprefix('ERROR: ')}"[:100] in done.asked[1]
    assert said in done.asked[1][len(done.asked[0]) :]
    assert (done.told["checks"], done.told["outcome"], done.result.review.results_digest) == ([], "reviewed", "")


def test_secrets_stand_neither_in_the_prompt_nor_in_the_trace(
    make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "correct-horse-battery")
    leaks = f'KEY = "{TOKEN}"\nOTHER = "correct-horse-battery"\n'
    repository = changed_repository(make_repository, CHANGED + leaks, **{"old.py": leaks})
    calls = (
        asked("1", "grep", pattern="KEY|OTHER"),
        asked("2", "read_file", path="old.py"),
        asked(TOKEN, "check_ruff", key=TOKEN),
        asked("4", TOKEN, value="correct-horse-battery"),
    )
    said = finding(9, rule=TOKEN, message=f"It holds {TOKEN}.", suggestion={"old_string": TOKEN, "new_string": "x"})
    done = review_here(repository, reply(*calls), says(said), words=())
    assert [each.status for each in done.result.trace.tool_calls] == ["executed", "executed", "refused", "refused"]
    kept = trace(repository)
    (folder,) = (repository / ".git/orefactor/runs").iterdir()
    everything = [
        *done.asked,
        json.dumps(done.told),
        *(path.read_text() for path in folder.glob("*.json*")),
    ]
    assert not [text for text in everything if TOKEN in text or "correct-horse-battery" in text]
    assert all("[REDACTED:github-token]" in text for text in (*done.asked, json.dumps(kept)))
    assert done.told["findings"][0]["suggestion"] is None


def test_tool_answers_end_at_8_kib_on_a_character(make_repository: MakeRepository) -> None:
    wide = "€" * 20_000
    repository = changed_repository(make_repository, **{"even.py": f"# {wide}\n", "odd.py": f"#{wide}\n"})
    calls = [asked(path, "read_file", path=path, start_line=1, end_line=1) for path in ("even.py", "odd.py")]
    done = review_here(repository, reply(*calls, asked("3", "grep", pattern="€+")), says(), checks=())
    answers = [message.content or "" for message in done.requests[1].messages[-3:]]
    assert [8000 < len(text.encode()) <= 8 * 1024 for text in answers] == [True, True, False]
    assert all("€" in text and "\ufffd" not in text for text in answers[:2])
    assert len(answers[2].encode()) <= 8 * 1024


def test_codebase_context_tells_only_about_the_change(make_repository: MakeRepository) -> None:
    repository = changed_repository(
        make_repository, CHANGED, **{"other.py": "from src.shapes import area\n\narea(1, 2)\n"}
    )
    targets = (PATH, f"./{PATH}", "area", f"{PATH}#area", "other.py", "../x", "missing", "other.py#area")
    calls = [asked(str(at), "codebase_context", target=target) for at, target in enumerate(targets)]
    done = review_here(repository, reply(*calls), says(), checks=())
    told = {each.arguments["target"]: (each.status, each.summary) for each in done.result.trace.tool_calls}
    assert [told[target][0] for target in targets] == ["executed"] * 4 + ["failed"] * 4
    assert "other.py" in told[PATH][1]
    assert "tells only about what this change touches" in told["other.py"][1]


def test_rules_of_the_project_can_be_asked_for(make_repository: MakeRepository) -> None:
    rules = "# Rules\n\n## Zero\n\nAn area of nothing is `None`.\n"
    repository = changed_repository(make_repository, CHANGED, **{"AGENTS.md": rules, "CONTRIBUTING.md": rules})
    done = review_here(repository, reply(asked("1", "grep", pattern="zero")), says(), checks=())
    listed = done.asked[0].partition("## The project's rules")[2].partition("## The change")[0]
    names = [line[2:].partition(":")[0] for line in listed.splitlines() if line.startswith("- ")]
    assert names
    wanted = next(name for name in names if "zero" in name.lower())
    again = review_here(repository, reply(asked("1", "skill_section", rule_id=wanted)), says(), checks=())
    assert "An area of nothing is `None`." in again.asked[1][len(again.asked[0]) :]
    assert "skill_section" in done.told["not_requested"]


def test_the_same_failing_call_for_the_third_time_ends_it_undecided(make_repository: MakeRepository) -> None:
    calls = [asked(str(number), "read_file", path="missing.py") for number in range(3)]
    repository = changed_repository(make_repository, UNUSED)
    done = review_here(repository, reply(*calls))
    assert (done.told["outcome"], done.told["reason"]) == ("not_reviewed", "limit:repeated_call")
    assert "missing.py" in json.dumps(trace(repository)["tool_calls"])
    assert ("three times" in done.told["undecided"], done.told["not_requested"]) == (True, [])
    assert {each["origin"] for each in done.told["blocking_findings"]} == {"ruff"}


def _trace_of(done: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(done.result.trace_path.read_bytes())
    require_valid(read)
    return read


def test_a_check_that_was_asked_for_twice_runs_once(make_repository: MakeRepository) -> None:
    done = review_here(
        changed_repository(make_repository, UNUSED),
        reply(asked("1", "check_ruff"), asked("2", "check_ruff")),
        reply(asked("3", "check_ruff")),
        says(),
    )
    kept = _trace_of(done)
    assert [each["status"] for each in kept["tool_calls"]] == ["executed"] * 3
    assert len({each["digest"] for each in kept["tool_calls"]}) == 1
    assert [check["name"] for check in kept["checks"]] == ["py_compile", "ruff"]
    assert len(done.told["findings"]) == 2
