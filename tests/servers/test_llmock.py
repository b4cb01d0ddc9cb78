"""The installed command against `llmock serve`, in the dialects of several vendors, judged by `llmock report`."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from conftest import MakeRepository, RunCommand, user_state
from e2e.scenes import ANSWER, FILES, TASK, leftovers, trace
from servers.servers import LLMOCK, Server

pytestmark = pytest.mark.servers

PATH = "src/shapes.py"
EDIT = {"path": PATH, "old_string": "def area(a, b):\n", "new_string": 'def area(a, b):\n    """Multiply."""\n'}
READ: dict[str, Any] = {"type": "reply", "tool_calls": [{"name": "read_file", "arguments": {"path": PATH}}]}
SCRIPT: list[dict[str, Any]] = [
    READ,
    {"type": "reply", "tool_calls": [{"name": "edit_file", "arguments": EDIT}]},
    {"type": "reply", "text": ANSWER},
]
DIALECTS = {
    "openai-compatible": "/v1",
    "openai": "/v1",
    "mistral": "/mistral/v1",
    "groq": "/groq/openai/v1",
    "together": "/together/v1",
    "xai": "/xai/v1",
}
# A broken stream takes its reply with it, so that one is there twice.
FAULTS: dict[str, list[dict[str, Any]]] = {
    "no fault": [],
    "crowded": [{"type": "fail", "status": 429, "retry_after": 0.3, "times": 2}],
    "down for a moment": [{"type": "fail", "status": 503, "retry_after": 0.05}],
    "cut": [{"type": "stream_fault", "kind": "truncate", "after_chunks": 2}, READ],
    "dropped": [{"type": "stream_fault", "kind": "disconnect", "after_chunks": 2}, READ],
    "garbled": [{"type": "stream_fault", "kind": "malformed", "after_chunks": 2}, READ],
}


def verdict(server: Server) -> subprocess.CompletedProcess[str]:
    """What llmock says of the client; it ends with 1 where it found something."""
    command = [LLMOCK, "report", "--strict", "--url", server.url]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("provider", DIALECTS)
def test_the_main_job(
    llmock_process: Server,
    make_repository: MakeRepository,
    run_command: RunCommand,
    provider: str,
    faults: list[dict[str, Any]],
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    llmock_process.post("/_llmock/scenario", {"behaviors": [*faults, *SCRIPT]})
    server = ("--provider", provider, "--model", "some-model", "--base-url", llmock_process.url + DIALECTS[provider])
    keys = {f"{name.upper()}_API_KEY": "key-of-a-test" for name in DIALECTS if "-" not in name}
    done = run_command(repository, *server, TASK, PATH, environment=keys)
    assert done.returncode == 0, done.stderr
    assert b'+    """Multiply."""' in done.stdout
    assert [call["status"] for call in trace(repository)["tool_calls"]] == ["executed", "executed"]
    assert (user_state(repository), leftovers(repository)) == (before, [])
    judged = verdict(llmock_process)
    assert judged.returncode == 0, judged.stdout


def test_a_model_that_calls_what_it_likes_ends_in_order(
    llmock_process: Server, make_repository: MakeRepository, run_command: RunCommand
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    # Without a script it calls the tool whose description fits the task best, with arguments that fit the schema.
    server = ("--provider", "openai-compatible", "--model", "some-model", "--base-url", llmock_process.url + "/v1")
    done = run_command(repository, *server, "read the file", PATH)
    assert done.returncode in (0, 3, 4, 5), done.stderr
    assert b"Traceback" not in done.stderr
    assert trace(repository)["requested"]
    assert user_state(repository) == before
    judged = verdict(llmock_process)
    assert judged.returncode == 0, judged.stdout
