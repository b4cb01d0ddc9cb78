"""The protocol with a real llama.cpp server and real, very small weights, which are too weak to edit anything.

So what counts is that each run ends in order, whatever the model writes, and that the user's tree stays as it is.
"""

from __future__ import annotations

import json

import pytest
from conftest import MakeRepository, RunCommand, user_state
from e2e.scenes import FILES, TASK, leftovers, trace
from servers.servers import Start

from orefactor.core.messages import ignore_delta
from orefactor.core.providers.failures import Party
from orefactor.core.providers.replies import Reply, read_completion

pytestmark = pytest.mark.servers

PATH = "src/shapes.py"
SMALL = ("--max-iterations", "2", "--max-output-tokens", "48", "--max-seconds", "300")


@pytest.mark.parametrize(
    ("provider", "protocol", "jinja"),
    [
        pytest.param("llama.cpp", "auto", True, id="native calls"),
        pytest.param("openai-compatible", "auto", True, id="native calls, nobody knows the server"),
        pytest.param("llama.cpp", "auto", False, id="moved to text, as it refuses tools without its templates"),
        pytest.param("openai-compatible", "auto", False, id="moved to text, nobody knows the server"),
        pytest.param("llama.cpp", "text", False, id="text asked for"),
    ],
)
def test_a_run_ends_in_order(
    llama: Start,
    make_repository: MakeRepository,
    run_command: RunCommand,
    provider: str,
    protocol: str,
    jinja: bool,
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    with llama(jinja=jinja) as server:
        chosen = ("--provider", provider, "--model", "smollm2", "--base-url", server.url + "/v1")
        done = run_command(repository, *chosen, "--tool-protocol", protocol, *SMALL, TASK, PATH, seconds=360)
    assert done.returncode in (0, 3, 4, 5), done.stderr
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0 or done.stdout == b""
    assert (user_state(repository), leftovers(repository)) == (before, [])
    usage = trace(repository)["usage"]
    assert usage["requests"] >= 1
    assert usage["prompt_tokens"] > 100
    assert usage["completion_tokens"] > 0


def test_tools_that_it_refuses_are_said(llama: Start, make_repository: MakeRepository, run_command: RunCommand) -> None:
    repository = make_repository(FILES)
    with llama(jinja=False) as server:
        chosen = ("--provider", "llama.cpp", "--model", "smollm2", "--base-url", server.url + "/v1")
        done = run_command(repository, *chosen, "--tool-protocol", "native", *SMALL, TASK, PATH)
    assert done.returncode == 5, done.stderr
    assert b"tool" in done.stderr
    assert trace(repository)["reason"] == "provider:no_function_calling"


def test_a_context_that_is_too_small_is_said(
    llama: Start, make_repository: MakeRepository, run_command: RunCommand
) -> None:
    repository = make_repository(FILES)
    with llama(256) as server:
        chosen = ("--provider", "llama.cpp", "--model", "smollm2", "--base-url", server.url + "/v1")
        done = run_command(repository, *chosen, *SMALL, TASK, PATH)
    assert done.returncode == 5, done.stderr
    assert b"context" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_whole_reply_is_read_as_well_as_a_streamed_one(llama: Start) -> None:
    question = {"messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 8}
    with llama(512) as server:
        whole = server.post("/v1/chat/completions", question)
        party = Party("llama.cpp", server.url)
    reply = read_completion(json.dumps(whole).encode(), "application/json", Reply(party, ignore_delta))
    assert reply.message.content
    assert reply.usage is not None
    assert reply.usage.prompt_tokens > 0 < reply.usage.completion_tokens
