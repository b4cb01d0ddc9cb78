"""`--review` where a server reviews: what an offline provider has done, and the work of the same model."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from chat_server import ChatServer, as_stream, serving, tool_call
from conftest import MakeRepository
from e2e.processes import run_here
from e2e.result_review_scene import LAST, PATH, USED, answer, finding, reviews_of, words
from e2e.scenes import DOCUMENT, FILES, TASK, run_folders
from recordings import newest_trace

RECIPE = "sort the imports"
IMPORTS = "import sys\nimport os\n\nprint(os, sys)\n"


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def server() -> Generator[ChatServer]:
    with serving() as chat:
        yield chat


def test_an_offline_provider_is_reviewed_by_another_one(
    repository: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (repository / PATH).write_text(IMPORTS)
    options = (RECIPE, PATH, "--provider", "recipes", "--review", "--check", "py_compile")
    done = run_here(capfdbinary, repository, *options)
    assert (done.returncode, done.stdout, run_folders(repository)) == (5, b"", [])
    assert "can't review its result, since it has no model\nhint: name a model" in words(done)
    done = run_here(capfdbinary, repository, *options, "--review-model", "deepseek-v4-pro")
    assert (done.returncode, b"no key for `deepseek`" in done.stderr, run_folders(repository)) == (5, True, [])

    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")
    server.script(as_stream({"content": answer("approve", finding("note"))}, usage=USED))
    live = ("--review-model", "deepseek-v4-pro", "--base-url", server.url, "--max-cost", "0.5")
    done = run_here(capfdbinary, repository, *options, *live)
    assert done.returncode == 0, done.stderr
    trace, (reviewed,) = newest_trace(repository), reviews_of(repository)
    assert [request["model"] for request in server.requests] == ["deepseek-v4-pro"]
    assert (trace["provider"], reviewed["provider"]) == ("recipes", "deepseek")
    assert trace["cost_usd"] == trace["reviews"][0]["cost_usd"] == reviewed["cost_usd"] > 0
    assert reviewed["settings"]["max_cost"] == 0.5


def test_a_reviewed_run_asks_anew(
    repository: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")
    look = {"content": None, "tool_calls": [tool_call("c1", "read_file", path=PATH)]}
    change = {"content": None, "tool_calls": [tool_call("c2", "edit_file", path=PATH, **edited())]}
    work = [as_stream(message, usage=USED) for message in (look, change, {"content": LAST["content"]})]
    options = (TASK, PATH, "--base-url", server.url, "--check", "py_compile")
    for review_options, requests in (((), 3), ((), 0), (("--review",), 4)):
        server.requests.clear()
        server.script(*work, as_stream({"content": answer("approve")}, usage=USED))
        done = run_here(capfdbinary, repository, *options, *review_options)
        assert (done.returncode, len(server.requests)) == (0, requests), done.stderr
    reviewing = server.requests[-1]
    assert "Change under review: the result of the task: document area" in json.dumps(reviewing["messages"])
    assert newest_trace(repository)["usage"]["requests"] == 4


def edited() -> dict[str, str]:
    (scripted,) = DOCUMENT["tool_calls"]
    arguments: dict[str, str] = scripted["arguments"]
    return {name: arguments[name] for name in ("old_string", "new_string")}
