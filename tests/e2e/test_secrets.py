"""The environment's keys never leave: not to the model, the log, the trace, or the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import Answer, as_stream, completion, serving, tool_call
from conftest import MakeRepository, RunCommand, call, calls
from e2e.processes import run_here
from e2e.scenes import DOCUMENT, FILES, TASK, edit, events, read, run_folders, trace

FixtureFile = Callable[..., Path]
SECRET = "correct-horse-battery-staple-42"
TOKEN = "ghp_" + "a1B2" * 10
CONFIG = f'KEY = "{SECRET}"\nTOKEN = "{TOKEN}"\nlimit = 3\n'


@pytest.mark.traces("SEC-103-003", "TST-103-005")
@pytest.mark.parametrize("options", [["--json", "-v"], ["--log-json"], []])
def test_a_file_that_holds_them(make_repository: MakeRepository, run_command: RunCommand, options: list[str]) -> None:
    repository = make_repository({"config.py": CONFIG})
    with serving() as server:
        server.script(
            completion(
                {"role": "assistant", "tool_calls": [tool_call("1", "read_file", path="config.py")]}, "tool_calls"
            ),
            completion(
                {"role": "assistant", "tool_calls": [tool_call("2", "grep", pattern=SECRET, path=".")]}, "tool_calls"
            ),
            as_stream(
                {
                    "tool_calls": [
                        tool_call("3", "edit_file", path="config.py", old_string="limit = 3", new_string="limit = 4")
                    ]
                },
                "tool_calls",
            ),
            completion({"role": "assistant", "content": f"Raise the limit, key {SECRET}\n\n{TOKEN}"}),
        )
        words = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url, "--no-check"]
        environment = {"DATABASE_PASSWORD": SECRET, "no_proxy": "127.0.0.1"}
        done = run_command(repository, f"raise {SECRET}", *words, *options, environment=environment)
        asked = json.dumps(server.requests)
    assert done.returncode == 0, done.stderr
    run = run_folders(repository)[-1]
    written = {path.name: path.read_text() for path in run.iterdir() if path.suffix != ".patch"}
    patch = json.loads(done.stdout).pop("patch") if "--json" in options else done.stdout.decode()
    # The patch has to be exact, and its context lines stand next to the key.
    told = done.stdout.decode().replace(json.dumps(patch)[1:-1], "").replace(patch, "")
    for text in (told, done.stderr.decode(), asked.replace(_own_call(asked), ""), *written.values()):
        assert SECRET not in text
        assert TOKEN not in text
    assert "REDACTED" in asked
    assert SECRET in patch
    assert {path.stat().st_mode & 0o77 for path in (run, *run.iterdir())} == {0}


def _own_call(asked: str) -> str:
    """The model's own words go back to it as they were: a history that only grows stays cheap."""
    start = asked.find(SECRET)
    return SECRET if start >= 0 else ""


def test_an_edit_that_would_write_the_mark_is_refused(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository({"config.py": CONFIG})
    script = fixture_file(
        read("config.py"),
        edit('TOKEN = "[REDACTED:github-token]"\nlimit = 3', "limit = 3", "config.py"),
        calls(call("write_file", path="config.py", content='TOKEN = "[REDACTED:github-token]"\n')),
        {"content": "Nothing could be done"},
    )
    done = run_here(capfdbinary, repository, TASK, "--json", "--fixture", str(script))
    assert json.loads(done.stdout)["files_changed"] == []
    assert [entry["status"] == "executed" for entry in trace(repository)["tool_calls"]] == [True, False, False]


@pytest.mark.parametrize("words", [["--model", SECRET], ["--provider", SECRET], ["--base", SECRET], [SECRET, SECRET]])
def test_messages_that_quote_a_wrong_value(
    make_repository: MakeRepository,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", SECRET)
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, TASK, "--json", *words)
    assert done.returncode == 2
    assert SECRET.encode() not in done.stdout + done.stderr
    assert b"[REDACTED:environment]" in done.stderr


@pytest.mark.traces("REQ-103-024")
def test_the_log_is_json_lines_in_the_order_of_the_calls(
    make_repository: MakeRepository, fixture_file: FixtureFile, run_command: RunCommand
) -> None:
    many = {f"src/m{number}.py": "x = 1\n" * (2000 if number == 0 else 1) for number in range(6)}
    repository = make_repository({**FILES, **many})
    side_by_side = calls(*(call("read_file", path=path) for path in many))
    script = fixture_file(side_by_side, read(), DOCUMENT, {"content": "Document area"})
    done = run_command(repository, TASK, "--log-json", "--fixture", str(script))
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    tools = [line for line in lines if line["event"] == "tool_call"]
    assert [line["arguments"]["path"] for line in tools] == [*many, "src/shapes.py", "src/shapes.py"]
    assert [line["round"] for line in lines if line["event"] == "turn"] == [1, 2, 3, 4]
    assert [line["event"] for line in lines][:2] == ["turn", "tool_call"]
    assert all(len(line["result"]) <= 200 and line["timestamp"] and line["level"] == "info" for line in tools)
    in_trace = [entry["id"] for entry in trace(repository)["tool_calls"]]
    assert in_trace == [line["id"] for line in tools]
    assert in_trace == [event["id"] for event in events(repository) if event["event"] == "CallFinished"]


def test_the_log_for_people(
    make_repository: MakeRepository, fixture_file: FixtureFile, run_command: RunCommand
) -> None:
    repository = make_repository(FILES)
    script = fixture_file(read(), {"content": "Nothing to do"})
    done = run_command(repository, TASK, "-v", "-q", "--fixture", str(script))
    text = done.stderr.decode()
    assert "tool_call" in text
    assert "tool=read_file" in text
    assert "\x1b" not in text


def test_a_stream_that_is_cut_gives_one_message(
    make_repository: MakeRepository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    with serving() as server:
        server.script(
            Answer(b'data: {"choices": [{"delta": {"content": "Hal', content_type="text/event-stream", then="cut")
        )
        words = ["--provider", "openai-compatible", "--model", "m", "--base-url", server.url, "-q"]
        done = run_here(capfdbinary, repository, TASK, *words)
    assert (done.returncode, done.stdout) == (5, b"")
    assert [line.partition(":")[0] for line in done.stderr.decode().splitlines()] == ["error", "hint"]
