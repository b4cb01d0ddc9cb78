"""When a verdict is given again without asking, and when it never is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from chat_server import completion, serving
from conftest import MakeRepository, git, write_files
from e2e.processes import run_here
from e2e.review_scene import CHANGED, PATH, UNUSED, answer, changed_repository, finding
from e2e.scenes import trace

Capture = pytest.CaptureFixture[bytes]


def test_a_verdict_holds_for_the_same_request_only_and_never_where_tools_were_offered(
    make_repository: MakeRepository, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    repository = changed_repository(make_repository)
    with serving() as server:
        server.script(completion({"role": "assistant", "content": answer(finding(2))}))

        def reviewed(*words: str, model: str = "m") -> tuple[int, dict[str, Any], int]:
            before = len(server.requests)
            options = ("--provider", "openai-compatible", "--model", model, "--base-url", server.url)
            done = run_here(capfdbinary, repository, "review", "--json", "--no-check", *options, *words)
            return done.returncode, json.loads(done.stdout), len(server.requests) - before

        alone = "--no-deliberation"
        code, first, requests = reviewed(alone)
        assert (code, requests, first["reused"]) == (1, 1, None)
        code, again, requests = reviewed(alone, "--fail-on", "never")
        # What blocks is judged anew.
        assert (code, requests, again["reused"], again["iterations"]) == (0, 0, first["run_id"], 0)
        kept = ("verdict", "summary", "findings", "outcome")
        assert [again[name] for name in kept] == [first[name] for name in kept]
        assert trace(repository)["review"]["reused"] == first["run_id"]
        assert [reviewed(alone, *words)[2] for words in (("--fresh",), ("--max-output-tokens", "900"))] == [1, 1]
        assert reviewed(alone, model="other")[2] == 1
        # With tools nothing is taken from what is kept, be it the very same review.
        for _ in range(2):
            _, told, requests = reviewed()
            assert (requests, told["reused"]) == (1, None)
        assert "tools" in server.requests[-1]
        # Another diff, then another result of a check on the same diff.
        write_files(repository, {PATH: UNUSED})
        assert reviewed(alone)[2] == 1
        write_files(repository, {PATH: CHANGED, "ruff.toml": "[lint]\nselect = ['D']\n"})
        git(repository, "add", "ruff.toml")
        git(repository, "commit", "-qm", "rules", "--", "ruff.toml")
        assert reviewed(alone, PATH)[2] == 1
        git(repository, "config", "orefactor.reuse", "false")
        assert reviewed(alone, PATH)[2] == 1
