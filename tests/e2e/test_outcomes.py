"""Runs that don't pass: the gate, limits, the provider. Exit codes say so, nothing is delivered, the change is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, completion, refusal, serving, tool_call
from conftest import PYTEST_INI, MakeRepository, call, calls, git, user_state, write_files
from e2e.processes import Done, run_here
from e2e.scenes import ANSWER, DOCUMENT, FILES, REPLIES, TASK, edit, events, leftovers, read, run_folders, trace

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
USED = edit("def area", "import os\n\n\ndef area")
"""An import that nothing uses: ruff's F401."""
WRONG_TWICE = [read(), USED, {"content": ANSWER, "every_round": True}]


def _explained(done: Done) -> list[str]:
    return [line.partition(":")[0] for line in done.stderr.decode().splitlines()[-3:]]


@pytest.mark.traces("TST-103-006")
@pytest.mark.parametrize("options", [["-o", "out.patch", "--apply"], ["--branch", "result"]])
def test_a_failed_check_delivers_nothing_and_keeps_the_change(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, options: list[str]
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    script = fixture_file(*WRONG_TWICE)
    done = run_here(capfdbinary, repository, TASK, "--check", "ruff", *options, "--fixture", str(script))
    assert (done.returncode, done.stdout) == (3, b"")
    assert _explained(done) == ["error", "hint", "note"]
    assert b"F401" in done.stderr
    assert user_state(repository) == before
    assert leftovers(repository) == []
    kept = trace(repository)
    assert (kept["status"], kept["reason"], kept["verified"]) == ("gate", "check:ruff", False)
    assert kept["repairs"] == 3
    rejected = (run_folders(repository)[-1] / "rejected.patch").read_bytes()
    assert b"+import os" in rejected
    git(repository, "apply", "--check", stdin=rejected)


@pytest.mark.traces("REQ-103-019")
def test_a_failed_check_goes_back_to_the_model_which_repairs_it(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    script = fixture_file(
        read(),
        USED,
        {"content": ANSWER, "prompt_contains": None},
        {**edit("import os\n\n\n", ""), "prompt_contains": "F401"},
        {"content": "x", "lines_above": 100_000},
        DOCUMENT,
        {"content": ANSWER},
    )
    done = run_here(capfdbinary, repository, TASK, "--json", "--fixture", str(script))
    told = json.loads(done.stdout)
    assert (done.returncode, told["verified"]) == (0, True), done.stderr
    assert "import os" not in told["patch"]
    assert trace(repository)["repairs"] == 1
    repair = next(event for event in events(repository) if event["event"] == "RepairAsked")
    assert "src/shapes.py:1: F401 `os` imported but unused" in repair["text"]


OLD_FINDING = "import os\n\n\ndef area(a, b):\n    return a * b\n"


@pytest.mark.parametrize(
    ("changes", "findings"),
    [
        ([edit("def area(a, b):\n", 'def area(a, b):\n    """Multiply."""\n')], (0, 1)),
        ([edit("import os\n", '"""Shapes."""\n\n\n\nimport os\n')], (0, 1)),
        ([calls(call("move_file", path="src/shapes.py", new_path="src/forms.py"))], (0, 1)),
        ([edit("import os\n", "import os\nimport sys\n")], (1, 1)),
        ([edit("import os\n", "import sys\n")], (1, 0)),
    ],
)
def test_only_what_is_new_counts(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    changes: list[dict[str, Any]],
    findings: tuple[int, int],
) -> None:
    repository = make_repository({"src/shapes.py": OLD_FINDING})
    script = fixture_file(read(), *changes, {"content": ANSWER, "every_round": True})
    done = run_here(capfdbinary, repository, TASK, "--check", "ruff", "--json", "--fixture", str(script))
    told = json.loads(done.stdout)
    assert done.returncode == (3 if findings[0] else 0), done.stderr
    (check,) = told["checks"]
    assert (check["findings_new"], check["findings_old"]) == findings


FOREVER = {**read(), "every_round": True}
COSTLY = {"usage": {"prompt_tokens": 900, "completion_tokens": 200}}


@pytest.mark.traces("REQ-103-018", "TST-103-006")
@pytest.mark.parametrize(
    ("replies", "options", "status", "reason"),
    [
        ([read(), DOCUMENT, FOREVER], ["--max-iterations", "4"], "max_iterations", "limit:max_iterations"),
        (
            [read(), {**DOCUMENT, **COSTLY}, {**FOREVER, **COSTLY}],
            ["--max-tokens", "5000"],
            "limit",
            "limit:max_tokens",
        ),
        ([read(), DOCUMENT, {**edit("none", "such"), "every_round": True}], [], "limit", "limit:repeated_call"),
    ],
)
def test_limits_keep_the_partial_change_and_deliver_nothing(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    replies: list[dict[str, Any]],
    options: list[str],
    status: str,
    reason: str,
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    script = fixture_file(*replies)
    done = run_here(capfdbinary, repository, TASK, *options, "--json", "--fixture", str(script))
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"], told["reason"], told["patch"]) == (4, status, reason, None)
    assert told["exit_code"] == 4
    assert _explained(done) == ["error", "hint", "note"]
    rejected = (run_folders(repository)[-1] / "rejected.patch").read_bytes()
    assert b'+    """Multiply."""' in rejected
    assert user_state(repository) == before
    assert leftovers(repository) == []


def test_a_model_that_takes_too_long_ends_at_the_limit(
    make_repository: MakeRepository, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository(FILES)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as server:
        reading = {"role": "assistant", "tool_calls": [tool_call("1", "read_file", path="README.md")]}
        server.script(completion(reading, "tool_calls"), Answer(b"", content_type="text/event-stream", then="silence"))
        options = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url]
        done = run_here(capfdbinary, repository, TASK, *options, "--max-seconds", "1.5", "-q")
    assert (done.returncode, done.stdout) in [(4, b""), (5, b"")]
    assert trace(repository)["iterations"] == 2


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([{"content": "It is fine."}], "provider:no_function_calling"),
        ([{"content": "It is fine.", "every_round": True}, {**read(), "lines_above": 9999}], "model:no_tool_call"),
        ([read(), {"content": " ", "every_round": True}], "model:empty_reply"),
    ],
)
def test_a_model_that_does_not_work_is_the_providers_fault(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    replies: list[dict[str, Any]],
    reason: str,
) -> None:
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, TASK, "--json", "--fixture", str(fixture_file(*replies)))
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"], told["reason"]) == (5, "error", reason)
    assert _explained(done)[-2:] == ["error", "hint"]
    assert trace(repository)["reason"] == reason


def test_a_server_that_refuses_the_key(
    make_repository: MakeRepository, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    monkeypatch.setenv("OREFACTOR_API_KEY", "not-the-key-0123456789")
    with serving() as server:
        server.script(refusal(401, {"error": {"message": "bad key not-the-key-0123456789"}}))
        options = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url]
        done = run_here(capfdbinary, repository, TASK, *options)
        assert server.headers[0]["authorization"] == "Bearer not-the-key-0123456789"
    assert (done.returncode, done.stdout) == (5, b"")
    assert b"not-the-key" not in done.stderr
    assert "not-the-key" not in json.dumps([trace(repository), events(repository)])
    assert user_state(repository) == before


@pytest.mark.parametrize("options", [["--check", "mypy"], ["--check", "pytest", "--sandbox", "none"]])
def test_a_required_check_that_can_not_run_is_said_before_the_model_is_asked(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, options: list[str]
) -> None:
    repository = make_repository(FILES)
    python = sys.executable if "pytest" in options else "/usr/bin/python3"
    words = [TASK, *options, "--python", python, "--fixture", str(fixture_file(*REPLIES)), "-q"]
    done = run_here(capfdbinary, repository, *words)
    assert (done.returncode, done.stdout) == (6, b"")
    assert _explained(done) == ["error", "hint"]
    assert not run_folders(repository) + leftovers(repository)


TESTED = {
    **FILES,
    "pytest.ini": PYTEST_INI,
    "src/test_shapes.py": "from shapes import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n",
}


@pytest.mark.sandbox
def test_the_projects_own_tests_judge_the_worktree(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(TESTED)
    # The user's own tests are broken in another way, which must not matter to a change of HEAD.
    write_files(repository, {"src/test_shapes.py": "assert False\n"})
    script = fixture_file(
        read(),
        edit("a * b", "a + b"),
        {"content": ANSWER},
        {**edit("a + b", "b * a"), "prompt_contains": "src/test_shapes.py::test_area"},
        {"content": ANSWER},
    )
    words = ["--base", "HEAD", "--check", "pytest", "--python", sys.executable, "--fixture", str(script)]
    done = run_here(capfdbinary, repository, TASK, *words)
    assert done.returncode == 0, done.stderr
    kept = trace(repository)
    assert (kept["repairs"], kept["verified"]) == (1, True)
    assert kept["isolation"]["tier"].startswith("bwrap")
    assert b"+    return b * a" in done.stdout
