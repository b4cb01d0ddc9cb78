"""Every fault that the package `llmock` offers, met by a whole run; its verdict on the client must find nothing.

`llmock` is a server over real HTTP that breaks its replies as real ones break, watches what the client does then, and
judges it: a retry too early, a retry of what can't succeed, no retry of what may, half a reply taken for a whole one.
Its pytest plugin gives the fixture `llmock`. The recordings of single wire forms are elsewhere (`test_shapes`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository
from e2e.scenes import ANSWER, FILES, SHAPES, TASK
from llmock.pytest_plugin import LLMock

from orefactor.core import RefactorResult, refactor

pytestmark = pytest.mark.untraced

PATH = "src/shapes.py"
EDIT = {
    "path": PATH,
    "old_string": "def area(a, b):\n",
    "new_string": 'def area(a, b):\n    """Multiply."""\n',
}

Fault = Callable[[LLMock], object]


def script(llmock: LLMock, lost: int = 0) -> None:
    """The model reads, edits and says so; a fault that was queued before strikes the first request that it can.

    Args:
        lost: replies that a broken stream takes with it; so many more are there.
    """
    llmock.call_tool("read_file", {"path": PATH}, times=1 + lost).call_tool("edit_file", EDIT).reply(ANSWER)


def run(llmock: LLMock, repository: Path, dialect: str = "openai", **settings: Any) -> RefactorResult:
    chosen: dict[str, Any] = {"provider": "openai-compatible", "model": "some-model", **settings}
    return refactor(
        TASK, repository, checks=(), context_tokens=0, base_url=llmock.base_url(dialect), sandbox="none", **chosen
    )


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


def assert_documented(result: RefactorResult, repository: Path) -> None:
    assert (result.status, result.reason) == ("completed", "delivered"), result.message
    assert result.patch is not None
    assert b'+    """Multiply."""' in result.patch
    assert (repository / PATH).read_text() == SHAPES


# How many streams each breaks, and how.
PASSING: dict[str, tuple[int, Fault]] = {
    "429 with Retry-After, twice": (0, lambda llmock: llmock.rate_limit(times=2, retry_after=0.3)),
    "408": (0, lambda llmock: llmock.fail(408, retry_after=0.05)),
    "409": (0, lambda llmock: llmock.fail(409, retry_after=0.05)),
    "500": (0, lambda llmock: llmock.fail(500, retry_after=0.05)),
    "502": (0, lambda llmock: llmock.fail(502, retry_after=0.05)),
    "503": (0, lambda llmock: llmock.fail(503, retry_after=0.05)),
    "504": (0, lambda llmock: llmock.fail(504, retry_after=0.05)),
    "529": (0, lambda llmock: llmock.fail(529, retry_after=0.05)),
    "503 three times": (0, lambda llmock: llmock.fail(503, times=3, retry_after=0.01)),
    "connection dropped before the first word": (1, lambda llmock: llmock.disconnect(after_chunks=0)),
    "connection dropped in the middle": (1, lambda llmock: llmock.disconnect(after_chunks=2)),
    "connection dropped three times": (3, lambda llmock: llmock.disconnect(times=3)),
    "stream without anything": (1, lambda llmock: llmock.truncate(after_chunks=0)),
    "stream without its end": (1, lambda llmock: llmock.truncate(after_chunks=2)),
    "stream without its end, twice": (2, lambda llmock: llmock.truncate(times=2)),
    # Slow enough that the client can leave in the middle: a stream that was sent to its end counts as read.
    "chunk that is no JSON": (1, lambda llmock: llmock.pace(150).corrupt(after_chunks=1)),
    "stream that stalls for a moment": (0, lambda llmock: llmock.stall(seconds=0.4)),
    "slow first word": (0, lambda llmock: llmock.slow_first_token(0.4)),
    "slow answer": (0, lambda llmock: llmock.delay(0.4)),
    "slow stream": (0, lambda llmock: llmock.pace(5)),
    "one after the other": (
        1,
        lambda llmock: llmock.fail(500, retry_after=0.01).truncate().rate_limit(retry_after=0.1),
    ),
}


@pytest.mark.parametrize(("lost", "fault"), PASSING.values(), ids=PASSING)
def test_what_may_pass_is_asked_again_as_the_server_wishes(
    llmock: LLMock, repository: Path, lost: int, fault: Fault
) -> None:
    fault(llmock)
    script(llmock, lost)
    assert_documented(run(llmock, repository), repository)
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize("vendor", ["openai", "mistral", "groq", "together", "xai"])
def test_each_vendors_dialect_is_spoken(
    llmock: LLMock, repository: Path, monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", "key-of-a-test")
    script(llmock.disconnect(after_chunks=3), lost=1)
    assert_documented(run(llmock, repository, vendor, provider=vendor), repository)
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize("provider", ["deepseek", "openai-compatible"])
@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_what_can_not_succeed_is_asked_once(
    llmock: LLMock, repository: Path, monkeypatch: pytest.MonkeyPatch, status: int, provider: str
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "key-of-a-test")
    llmock.fail(status)
    script(llmock)
    result = run(llmock, repository, provider=provider)
    assert (result.status, result.exit_code) == ("error", 5), result.message
    assert result.patch is None
    assert len(llmock.requests) == 1
    llmock.assert_resilient(strict=True)


def test_a_prompt_that_is_too_long_is_said_at_once(llmock: LLMock, repository: Path) -> None:
    llmock.context_overflow()
    result = run(llmock, repository)
    assert (result.exit_code, len(llmock.requests)) == (5, 1)
    llmock.assert_resilient(strict=True)


def test_an_outage_ends_the_run_after_a_few_attempts(llmock: LLMock, repository: Path) -> None:
    llmock.fail(503, times=None, retry_after=0.01)
    result = run(llmock, repository)
    assert (result.status, result.exit_code) == ("error", 5)
    assert 1 < len(llmock.requests) < 10
    llmock.assert_resilient(strict=True)


def test_a_wait_past_the_runs_time_is_not_begun(llmock: LLMock, repository: Path) -> None:
    llmock.rate_limit(retry_after=600)
    result = run(llmock, repository, max_seconds=30)
    assert result.exit_code in (4, 5)
    assert len(llmock.requests) == 1
    llmock.assert_resilient()


def test_a_stream_that_hangs_ends_with_the_runs_time(llmock: LLMock, repository: Path) -> None:
    llmock.stall(seconds=60)
    script(llmock)
    result = run(llmock, repository, max_seconds=2)
    assert (result.reason, result.exit_code) == ("limit:max_seconds", 4)
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize("kind", ["malformed_arguments", "unknown_tool"])
def test_a_broken_call_is_told_to_the_model(llmock: LLMock, repository: Path, kind: str) -> None:
    llmock.break_tool_call(kind).call_tool("read_file", {"path": PATH})
    script(llmock)
    result = run(llmock, repository)
    assert_documented(result, repository)
    assert [call.status for call in result.tool_calls] == ["refused", "executed", "executed"]
    llmock.assert_resilient(strict=True)


def test_a_quota_is_kept(llmock: LLMock, repository: Path) -> None:
    # Two requests at once, then one in each half second.
    llmock.limits(rpm=120)
    script(llmock)
    assert_documented(run(llmock, repository), repository)
    llmock.assert_resilient(strict=True)
