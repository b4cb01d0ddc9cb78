"""Runs that are interrupted, terminated or killed, at different moments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer, Json, completion, serving, tool_call
from conftest import PYTEST_INI, MakeRepository, RunCommand, call, calls, git, user_state
from e2e.processes import Terminal, finish, living, run_here, start, wait_until, without_escapes
from e2e.scenes import FILES, REPLIES, TASK, events, leftovers, read, run_folders, trace

from orefactor.core import RefactorResult, refactor
from orefactor.core.events import Event
from orefactor.sandbox.shield import Stopped, stop_on_signals

FixtureFile = Callable[..., Path]
INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
SILENCE = Answer(b"", content_type="text/event-stream", then="silence")


def _message(call_id: str, name: str, **arguments: str) -> Json:
    return {"role": "assistant", "content": None, "tool_calls": [tool_call(call_id, name, **arguments)]}


READING = completion(_message("1", "read_file", path="src/shapes.py"), "tool_calls")
EDITING = completion(
    _message("2", "edit_file", path="src/shapes.py", old_string="2 * a", new_string="a + a"), "tool_calls"
)


def _options(server: ChatServer) -> tuple[str, ...]:
    return ("--provider", "openai-compatible", "--model", "m", "--base-url", server.url)


def _send(process: subprocess.Popen[bytes], signals: Sequence[signal.Signals]) -> None:
    for number in signals:
        os.killpg(process.pid, number)


def _assert_cancelled(repository: Path, code: int, returned: int) -> None:
    """The worktree is gone, the trace complete and valid, and it says what happened."""
    assert returned == code
    assert leftovers(repository) == []
    kept = trace(repository)
    reason = "interrupted" if code == 130 else "terminated"
    assert (kept["status"], kept["reason"], kept["exit_code"]) == ("cancelled", reason, code)
    assert kept["user_state"]["same"]
    assert events(repository)[-1]["event"] == "RunEnded"


@pytest.mark.parametrize(
    ("signals", "code"),
    [([INT, INT], 130), ([TERM, TERM], 143), ([HUP], 143)],
)
def test_while_the_model_is_waited_for(
    make_repository: MakeRepository, signals: list[signal.Signals], code: int
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    with serving() as server:
        server.script(READING, EDITING, SILENCE)
        process = start(repository, TASK, *_options(server), environment={"no_proxy": "127.0.0.1"})
        wait_until(lambda: len(server.requests) >= 3)
        _send(process, signals)
        returned, stdout, stderr = finish(process)
    assert stdout == ""
    assert [line.partition(":")[0] for line in stderr.splitlines()[-3:]] == ["error", "hint", "note"]
    _assert_cancelled(repository, code, returned)
    assert b"+    return a + a" in (run_folders(repository)[-1] / "rejected.patch").read_bytes()
    assert user_state(repository) == before


# Long, and of this process only: another one may run these tests at the same time.
SLEEP = f"sleep 98765.{os.getpid():07}"
SLOW_TEST = f"""import subprocess


def test_slow():
    subprocess.Popen({SLEEP.split()!r}, start_new_session=True)
    subprocess.run({SLEEP.split()!r})
"""


@pytest.mark.sandbox
@pytest.mark.parametrize(("signals", "code"), [([INT, INT], 130), ([TERM], 143)])
def test_while_a_check_runs(
    make_repository: MakeRepository, fixture_file: FixtureFile, signals: list[signal.Signals], code: int
) -> None:
    repository = make_repository({**FILES, "test_slow.py": SLOW_TEST, "pytest.ini": PYTEST_INI})
    before = user_state(repository)
    script = fixture_file(read(), calls(call("run_check", command="pytest test_slow.py")))
    process = start(repository, TASK, "--fixture", str(script), "--python", sys.executable)
    wait_until(lambda: len(living(SLEEP)) >= 2)
    _send(process, signals)
    returned, stdout, _ = finish(process)
    assert stdout == ""
    assert living(SLEEP) == []
    _assert_cancelled(repository, code, returned)
    assert user_state(repository) == before


def _commit_many_files(repository: Path) -> None:
    """A commit of files that take a while to check out; the user's own checkout has none of them."""
    blob = git(repository, "rev-parse", "HEAD:README.md")
    listed = "".join(f"100644 {blob}\tmany/{number:05d}.txt\n" for number in range(6000))
    git(repository, "update-index", "--index-info", stdin=listed.encode())
    git(repository, "commit", "-qm", "many")


@pytest.mark.parametrize(("signals", "code"), [([INT, INT], 130), ([TERM], 143)])
def test_while_the_worktree_is_made(
    make_repository: MakeRepository, fixture_file: FixtureFile, signals: list[signal.Signals], code: int
) -> None:
    repository = make_repository(FILES)
    _commit_many_files(repository)
    before = user_state(repository)
    cache = Path(os.environ["XDG_CACHE_HOME"], "git-orefactor")
    process = start(repository, TASK, "--base", "HEAD", "--fixture", str(fixture_file(*REPLIES)))
    wait_until(lambda: list(cache.glob("*/*/orefactor-*/many")))
    _send(process, signals)
    returned, stdout, _ = finish(process)
    assert stdout == ""
    _assert_cancelled(repository, code, returned)
    assert user_state(repository) == before


EARLY = ("RunStarted", "BaseTaken")
WORKING = ("ToolsOffered", "RoundStarted", "TextArrived", "RoundFinished", "CallStarted", "CallFinished")
CHECKING = ("ChecksStarted", "GuardJudged", "CheckFinished")
LATE = ("Delivered", "OutcomeReached", "UserStateCompared", "RunEnded")


@pytest.mark.parametrize("moment", [*EARLY, *WORKING, *CHECKING, *LATE])
def test_at_each_moment_what_is_said_is_what_was_done(
    make_repository: MakeRepository, fixture_file: FixtureFile, moment: str
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    left = [INT]

    def interrupt(event: Event) -> None:
        if type(event).__name__ == moment and left:
            signal.raise_signal(left.pop())

    def run() -> RefactorResult:
        script = str(fixture_file(*REPLIES))
        with stop_on_signals():
            return refactor(
                TASK,
                repository,
                provider="fixture",
                fixture=script,
                branch="result",
                on_event=interrupt,
                context_tokens=300,
            )

    if moment in EARLY:
        with pytest.raises(Stopped):
            run()
        assert not run_folders(repository)
    else:
        result = run()
        assert result.status == ("completed" if moment in LATE else "cancelled")
        assert (result.branch is not None) == (moment in LATE)
        assert (result.status, result.exit_code) == (trace(repository)["status"], trace(repository)["exit_code"])
        assert events(repository)[-1]["event"] == "RunEnded"
    assert not left
    assert not leftovers(repository)
    if moment in LATE:
        git(repository, "update-ref", "-d", "refs/heads/result")
        git(repository, "update-ref", "-d", "refs/notes/orefactor")
    assert user_state(repository) == before


@pytest.mark.parametrize(("number", "code"), [(INT, 130), (TERM, 143)])
@pytest.mark.parametrize("words", [[TASK], ["runs"], ["doctor"]])
def test_before_anything_has_begun(
    make_repository: MakeRepository, tmp_path: Path, words: list[str], number: signal.Signals, code: int
) -> None:
    repository = make_repository(FILES)
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\nexec {SLEEP}\n")
    slow.chmod(0o755)
    process = start(repository, *words, environment={"PATH": f"{slow.parent}:/usr/bin:/bin"})
    wait_until(lambda: living(SLEEP))
    _send(process, [number])
    assert finish(process) == (code, "", "")
    assert not run_folders(repository) + leftovers(repository)


def test_an_impatient_person_at_a_terminal(make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    with serving() as server:
        server.script(READING, EDITING, SILENCE)
        command = ["git", "orefactor", TASK, *_options(server)]
        terminal = Terminal(repository, *command, environment={"no_proxy": "127.0.0.1"})
        terminal.wait_for(b"edit src/shapes.py")
        wait_until(lambda: len(server.requests) >= 3)
        # Git passes each on, so each arrives twice; some hit the clean-up, and git itself at work for it.
        for _ in range(20):
            terminal.press(b"\x03")
            wait_until(lambda: True)
        _, shown = terminal.finish()
        wait_until(lambda: not living(str(repository)))
    assert "the run was interrupted" in without_escapes(shown)
    assert "Traceback" not in without_escapes(shown)
    _assert_cancelled(repository, 130, 130)
    assert user_state(repository) == before


def test_a_killed_run_is_cleared_by_the_next_and_only_it(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    run_command: RunCommand,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    with serving() as server:
        server.script(READING, EDITING, SILENCE)
        options, environment = _options(server), {"no_proxy": "127.0.0.1"}
        killed = start(repository, "the killed one", *options, environment=environment)
        wait_until(lambda: len(server.requests) >= 3)
        server.script(READING, SILENCE)
        alive = start(repository, "the living one", *options, environment=environment)
        wait_until(lambda: len(server.requests) >= 5)
        killed.kill()
        finish(killed)
        (dead_folder,) = [run for run in run_folders(repository) if "killed" in (run / "events.jsonl").read_text()]
        listed = run_here(capfdbinary, repository, "runs").stdout.decode()
        shown = run_here(capfdbinary, repository, "show", dead_folder.name).stdout.decode()
        done = run_command(repository, TASK, "--fixture", str(fixture_file(*REPLIES)))
        left = leftovers(repository)
        _send(alive, [INT])
        finish(alive)
    assert sorted(line.split()[1] for line in listed.splitlines()) == ["interrupted", "running"]
    assert "✓ edit src/shapes.py" in shown
    assert done.returncode == 0
    assert left
    assert not any(dead_folder.name in str(path) for path in left)
    assert leftovers(repository) == []
    assert user_state(repository) == before
