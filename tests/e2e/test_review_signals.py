"""Reviews that are interrupted or terminated: nothing is left behind, and the trace says how far they came."""

from __future__ import annotations

import os
import signal

import pytest
from chat_server import Answer, completion, serving, tool_call
from conftest import MakeRepository, user_state
from e2e.processes import finish, start, wait_until
from e2e.review_scene import UNUSED, changed_repository, review_here, says
from e2e.scenes import events, leftovers, run_folders, trace
from scripted import asked, reply

from orefactor.core.events import Event
from orefactor.sandbox.shield import Stopped, stop_on_signals

INT, TERM = signal.SIGINT, signal.SIGTERM


@pytest.mark.parametrize(("number", "code"), [(INT, 130), (TERM, 143)])
def test_while_the_model_is_waited_for(make_repository: MakeRepository, number: signal.Signals, code: int) -> None:
    repository = changed_repository(make_repository, UNUSED)
    before = user_state(repository)
    with serving() as server:
        message = {"role": "assistant", "content": None, "tool_calls": [tool_call("1", "grep", pattern="x")]}
        silence = Answer(b"", content_type="text/event-stream", then="silence")
        server.script(completion(message, "tool_calls"), silence)
        words = ("review", "--provider", "openai-compatible", "--model", "m", "--base-url", server.url)
        process = start(repository, *words, environment={"no_proxy": "127.0.0.1"})
        wait_until(lambda: len(server.requests) >= 2)
        os.killpg(process.pid, number)
        returned, stdout, stderr = finish(process)
    kept = trace(repository)
    assert (returned, kept["status"], kept["exit_code"]) == (code, "cancelled", code)
    assert (kept["review"]["outcome"], kept["review"]["verdict"]) == ("not_reviewed", None)
    assert (bool(kept["undecided"]), kept["not_requested"], kept["requested"]) == (True, [], ["grep"])
    assert kept["user_state"]["same"]
    assert "blocking" not in stdout
    assert "error: " in stderr
    assert (user_state(repository), leftovers(repository)) == (before, [])


EARLY = ("RunStarted", "BaseTaken")
LATE = ("OutcomeReached", "UserStateCompared", "RunEnded")
WORKING = (
    "ChangeTaken",
    "ChecksStarted",
    "CheckFinished",
    "ToolsOffered",
    "RoundStarted",
    "CallStarted",
    "CallFinished",
)


@pytest.mark.parametrize("moment", [*EARLY, *WORKING, "DeliberationEnded", "ReviewReached", *LATE])
def test_at_each_moment(make_repository: MakeRepository, moment: str) -> None:
    repository = changed_repository(make_repository)
    before = user_state(repository)
    left = [INT]

    def interrupt(event: Event) -> None:
        if type(event).__name__ == moment and left:
            signal.raise_signal(left.pop())

    def run() -> tuple[str, int]:
        steps = (reply(asked("1", "grep", pattern="a")), says())
        with stop_on_signals():
            told = review_here(repository, *steps, listen=interrupt, sandbox="none").told
        return told["outcome"], told["exit_code"]

    if moment in EARLY:
        with pytest.raises(Stopped):
            run()
        assert not run_folders(repository)
    else:
        is_over = moment in ("ReviewReached", *LATE)
        assert run() == (("reviewed", 0) if is_over else ("not_reviewed", 130))
        kept = trace(repository)
        assert kept["review"]["outcome"] == ("reviewed" if is_over else "not_reviewed")
        assert events(repository)[-1]["event"] == "RunEnded"
    assert not left
    assert (user_state(repository), leftovers(repository)) == (before, [])
