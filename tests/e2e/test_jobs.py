"""`--jobs`: one task over many files, split into shards that work side by side, and delivered as one patch."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, serving
from conftest import MakeRepository, call, calls, git, user_state
from e2e.processes import finish, run_here, start, wait_until
from e2e.scenes import leftovers, require_valid, run_folders
from shard_server import NEW, OLD, Manner, ShardServer

from orefactor.core import refactor
from orefactor.core.messages import Message, OnDelta, ProviderRequest, ProviderResponse, ignore_delta

NAMES = tuple(f"pkg/m{number}.py" for number in range(6))
FILES = {**dict.fromkeys(NAMES, f"{OLD}    return a\n"), "pkg/empty.py": "", "pkg/notes.md": "notes\n"}
TASK = "add docstrings"


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Generator[ChatServer]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as server:
        yield server


def _serve(chat: ChatServer, manner: Manner) -> ShardServer:
    own = ShardServer(chat, manner)
    chat.next_answer = own.next_answer  # type: ignore[method-assign]
    return own


def _words(chat: ChatServer, *more: str, paths: str = "pkg") -> tuple[str, ...]:
    where = ("--provider", "openai-compatible", "--model", "m", "--base-url", chat.url)
    return (TASK, paths, *where, "--check", "py_compile", *more)


def _shard_traces(repository: Path) -> list[dict[str, Any]]:
    """The traces of the newest run's shards, each found valid, in the order of their paths."""
    traces: list[dict[str, Any]] = []
    for folder in (run_folders(repository)[-1] / "shards").iterdir():
        traces.append(json.loads((folder / "trace.json").read_bytes()))
        require_valid(traces[-1])
    return sorted(traces, key=lambda trace: trace["paths"])


def _documented(repository: Path, patch: bytes) -> list[str]:
    """The files that a patch documents, after it was applied."""
    git(repository, "apply", "-", stdin=patch)
    changed = git(repository, "diff", "--name-only").split()
    assert all((repository / name).read_text().startswith(NEW) for name in changed)
    return changed


def test_all_files_in_one_patch(
    repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes], context_on: None
) -> None:
    before = user_state(repository)
    own = _serve(chat, Manner(latency=0.1))
    done = run_here(capfdbinary, repository, *_words(chat, "--jobs", "3", "--json"))
    assert done.returncode == 0, done.stderr
    assert user_state(repository) == before
    assert not leftovers(repository)
    told = json.loads(done.stdout)
    kept = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    require_valid(kept)
    assert (told["status"], told["reason"], told["verified"], told["left_out"]) == ("completed", "delivered", True, [])
    assert told["files_changed"] == list(NAMES)
    assert (told["usage"]["requests"], told["iterations"]) == (18, 18)
    assert told["usage"]["prompt_tokens"] == 18 * own.manner.usage["prompt_tokens"]
    assert own.most == 3
    assert told["shards"] == kept["shards"]
    assert "left_out" not in kept
    assert [(shard["number"], shard["paths"]) for shard in told["shards"]] == [
        (number, [name]) for number, name in enumerate(NAMES, start=1)
    ]
    shards = _shard_traces(repository)
    assert [shard["run_id"] for shard in shards] == [shard["run_id"] for shard in told["shards"]]
    assert all(shard["context_pack"] and not shard["delivered"] for shard in shards)
    assert all("jobs" not in shard["settings"] for shard in shards)
    assert "split into 6 shards, 3 at once; 2 other file(s) are in none" in done.stderr.decode()
    assert "✓ pkg/m3.py: changed, 3 round(s)" in done.stderr.decode()
    patch = told["patch"].encode()
    (repository / "whole.patch").write_bytes(patch)
    assert run_here(capfdbinary, repository, "verify", "whole.patch").returncode == 0
    # One run is listed; a shard is found by its id.
    assert len(run_here(capfdbinary, repository, "runs").stdout.splitlines()) == 1
    shown = run_here(capfdbinary, repository, "show", told["shards"][1]["run_id"])
    assert "pkg/m1.py" in shown.stdout.decode()
    refused = run_here(capfdbinary, repository, "replay")
    assert f"git orefactor replay {told['shards'][0]['run_id']}" in refused.stderr.decode()
    assert run_here(capfdbinary, repository, "replay", told["shards"][2]["run_id"]).returncode == 0
    assert _documented(repository, patch) == list(NAMES)


def test_what_fails_is_left_out_and_the_next_run_asks_for_it_alone(
    repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    own = _serve(chat, Manner(broken=(NAMES[1],), gone=(NAMES[4],)))
    done = run_here(capfdbinary, repository, *_words(chat, "--jobs", "6", "-o", "out.patch"))
    said = done.stderr.decode()
    assert done.returncode == 5, said
    assert f"left out: {NAMES[1]}, {NAMES[4]}" in said
    assert "error: the change passed the gate, but 2 file(s) were left out: provider:unauthorized" in said
    kept = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    require_valid(kept)
    assert (kept["status"], kept["reason"], kept["exit_code"]) == ("completed", "left_out", 5)
    shown = run_here(capfdbinary, repository, "show").stdout.decode()
    assert shown.index("Shards: 4 passed, 2 left out") < shown.index(f"✗ {NAMES[1]}") < shown.index(f"✓ {NAMES[0]}")
    assert kept["left_out"] == [NAMES[1], NAMES[4]]
    assert [shard["exit_code"] for shard in kept["shards"]] == [0, 3, 0, 0, 5, 0]
    passed = [name for name in NAMES if name not in kept["left_out"]]
    assert _documented(repository, (repository / "out.patch").read_bytes()) == passed
    git(repository, "checkout", "-q", "--", "pkg")
    (repository / "out.patch").unlink()
    own.manner, own.times[:] = Manner(), []
    again = run_here(capfdbinary, repository, *_words(chat, "--jobs", "2", "--quiet"))
    assert (again.returncode, again.stderr) == (0, b"")
    assert len(own.times) == 6
    assert _documented(repository, again.stdout) == list(NAMES)


def test_nothing_is_delivered_where_all_fail(
    repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = user_state(repository)
    _serve(chat, Manner(gone=NAMES))
    done = run_here(capfdbinary, repository, *_words(chat, "--jobs", "2", "--branch", "result"))
    assert (done.returncode, done.stdout) == (5, b"")
    assert "none of the 6 shards passed; pkg/m0.py: " in done.stderr.decode()
    assert user_state(repository) == before
    assert not leftovers(repository)


def test_a_crowded_server(repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    own, some = _serve(chat, Manner(crowded=True, retry_after="0.3")), NAMES[:2]
    done = run_here(capfdbinary, repository, *_words(chat, *some[1:], "--jobs", "2", "--quiet", paths=some[0]))
    assert done.returncode == 0, done.stderr
    assert _documented(repository, done.stdout) == list(some)
    assert len(own.times) == 12
    # Nobody asks while the server wants its rest, but for those whose requests were on their way.
    first = next(time for time, refused in own.times if refused)
    assert not [time for time, _ in own.times if first + 0.15 < time < first + 0.3]


def test_limits_hold_for_all_together(
    repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    _serve(chat, Manner())
    done = run_here(
        capfdbinary, repository, *_words(chat, "--jobs", "6", "--max-tokens", "9500", "--max-output-tokens", "200")
    )
    kept = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    assert kept["usage"]["prompt_tokens"] + kept["usage"]["completion_tokens"] <= 9500
    assert done.returncode == 4
    assert {shard["reason"] for shard in kept["shards"]} >= {"limit:max_tokens"}


def test_ctrl_c_ends_all_and_leaves_nothing(repository: Path, chat: ChatServer) -> None:
    before = user_state(repository)
    own = _serve(chat, Manner(silent=NAMES))
    process = start(repository, *_words(chat, "--jobs", "6"))
    wait_until(lambda: len(own.times) >= 6)
    os.killpg(process.pid, signal.SIGINT)
    returned, stdout, _ = finish(process, 15)
    assert (returned, stdout) == (130, "")
    assert user_state(repository) == before
    assert not leftovers(repository)
    kept = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    assert (kept["status"], kept["reason"]) == ("cancelled", "interrupted")
    assert {trace["status"] for trace in _shard_traces(repository)} == {"cancelled"}


def test_a_merged_change_that_does_not_pass_as_one(
    make_repository: MakeRepository, fixture_file: Any, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    # Each part alone leaves one of both.
    check = "sh -c 'grep -q keep a.py || grep -q keep b.py'"
    repository = make_repository({"a.py": "x = 1  # keep\n", "b.py": "x = 1  # keep\n"})
    replies = [
        {**calls(call("read_file", path=name), call("edit_file", path=name, old_string="  # keep", new_string="")),
         "prompt_contains": f"May change: {name}"}
        for name in ("a.py", "b.py")
    ]  # fmt: skip
    script = str(fixture_file(*replies))
    done = run_here(
        capfdbinary, repository, "drop comments", "--fixture", script, "--check", f"one={check}", "--jobs", "2"
    )
    assert (done.returncode, done.stdout) == (3, b"")
    kept = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    assert (kept["status"], kept["reason"]) == ("gate", "check:one")
    assert [shard["status"] for shard in kept["shards"]] == ["completed", "completed"]


def test_one_file_is_a_run_as_ever(
    repository: Path, fixture_file: Any, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    script = str(fixture_file(calls(call("read_file", path=NAMES[0])), {"content": "Nothing to do"}))
    traces: list[dict[str, Any]] = []
    for more in ((), ("--jobs", "1")):
        done = run_here(capfdbinary, repository, TASK, NAMES[0], "--fixture", script, "--no-check", *more)
        assert done.returncode == 0
        traces.append(json.loads((run_folders(repository)[-1] / "trace.json").read_bytes()))
    assert traces[0].keys() == traces[1].keys()
    assert traces[0]["settings"] == traces[1]["settings"]
    assert "shards" not in traces[0]


def test_who_asks_from_python_may_cancel(repository: Path, chat: ChatServer) -> None:
    own = _serve(chat, Manner(silent=NAMES))
    result = refactor(
        TASK,
        repository,
        "m",
        provider="openai-compatible",
        base_url=chat.url,
        jobs=3,
        cancel=lambda: len(own.times) > 2,
    )
    assert (result.status, result.exit_code) == ("cancelled", 130)
    assert not leftovers(repository)


class Deaf:
    """A provider that answers nothing until it is let go, and can't be woken."""

    name = "deaf"

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked = threading.Semaphore(0)

    def supports_function_calling(self) -> bool:
        return True

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        self.asked.release()
        self.go.wait(60)
        return ProviderResponse(Message("assistant", "done"))


def test_nothing_is_left_of_shards_that_can_not_be_woken(repository: Path) -> None:
    before, provider = user_state(repository), Deaf()
    known = set(threading.enumerate())

    def both_wait() -> bool:
        return provider.asked.acquire(blocking=False) and provider.asked.acquire(timeout=20)

    result = refactor(TASK, repository, provider=provider, jobs=2, checks=(), cancel=both_wait)
    assert result.status == "cancelled"
    assert not leftovers(repository)
    assert user_state(repository) == before
    provider.go.set()
    for thread in set(threading.enumerate()) - known:
        thread.join(20)
    assert not leftovers(repository)
    assert user_state(repository) == before


def test_reviews_of_shards_are_kept_with_them_and_paid_from_one_purse(
    repository: Path, fixture_file: Any, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    used = {"prompt_tokens": 90, "completion_tokens": 10}
    answer = json.dumps({"verdict": "approve", "summary": "Fine.", "findings": []})
    work = [
        {**calls(call("read_file", path=name), call("edit_file", path=name, old_string=OLD, new_string=NEW)),
         "prompt_contains": f"May change: {name}", "usage": used}
        for name in NAMES[:2]
    ]  # fmt: skip
    script = str(fixture_file(*work, {"content": "Document it", "usage": used}, {"content": answer, "usage": used}))
    words = (TASK, *NAMES[:2], "--fixture", script, "--check", "py_compile", "--review", "--jobs", "2", "--json")
    done = run_here(capfdbinary, repository, *words)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    (whole,) = run_folders(repository)
    assert len(list((whole / "shards").iterdir())) == 4
    assert told["usage"]["prompt_tokens"] == 6 * used["prompt_tokens"]
    assert [shard["usage"]["prompt_tokens"] for shard in told["shards"]] == [3 * used["prompt_tokens"]] * 2


def test_a_shard_that_can_not_begin_is_left_out(
    repository: Path, chat: ChatServer, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    _serve(chat, Manner())
    git(repository, "sparse-checkout", "set", "--no-cone", "/*", "!/pkg/m2.py")
    done = run_here(capfdbinary, repository, *_words(chat, "--jobs", "3", "--json"))
    told = json.loads(done.stdout)
    assert (done.returncode, told["reason"], told["left_out"]) == (6, "left_out", [NAMES[2]])
    assert told["files_changed"] == [name for name in NAMES if name != NAMES[2]]
    (failed,) = [shard for shard in told["shards"] if shard["exit_code"]]
    assert (failed["run_id"], failed["reason"]) == ("", "environment")
    assert "sparse" in failed["message"]
