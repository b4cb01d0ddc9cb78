"""Recorded replies come again as they were, and a file that can't be played is refused in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from orefactor.core.errors import ExitCode, ProviderFailed, UserError
from orefactor.core.messages import Message, ProviderRequest, ToolCall, Usage
from orefactor.core.providers.replay import ReplayProvider, load_replay
from orefactor.core.trace_model import BasePart, ReplyCallPart, RoundPart, SummaryPart, Trace, UsagePart

ASKED = ProviderRequest((Message("user", "x"),))
CALL = ReplyCallPart(id="c1", name="read_file", arguments='{"path": "ä.py"}')
BROKEN = ReplyCallPart(id="c2", name="grep", arguments="{broken")


def part(number: int, finish: str = "stop", **fields: Any) -> RoundPart:
    calls = len(fields.get("reply_calls", ()))
    base = {"round": number, "finish_reason": finish, "calls": calls, "model": "served"}
    return RoundPart.model_validate({"messages": 2, "prompt_tokens_estimated": 9} | base | fields)


def trace(*rounds: RoundPart) -> Trace:
    return Trace(
        version="1.0", run_id="20300101T000000-abcdef", task="t", paths=(), settings={}, status="completed", reason="",
        exit_code=0, message="", verified=True, files_changed=(), iterations=len(rounds),
        summary=SummaryPart(title="", body=""), base=BasePart(source="HEAD", commit="c", tree="t"), tree=None,
        usage=UsagePart(), rounds=rounds,
    )  # fmt: skip


def write(path: Path, kept: Trace) -> Path:
    path.write_text(json.dumps(kept.model_dump(mode="json", by_alias=True)))
    return path


def test_replies_come_in_order_and_whole(tmp_path: Path) -> None:
    usage = UsagePart(prompt_tokens=9, cached_tokens=4, completion_tokens=3, requests=2)
    kept = trace(
        part(1, "tool_calls", text="look", reply_calls=(CALL, BROKEN), usage=usage),
        part(2, "stop", text="done", usage=usage, usage_estimated=True),
    )
    provider = ReplayProvider(load_replay(write(tmp_path / "trace.json", kept)))
    seen: list[str] = []
    first = provider.complete(ASKED, lambda text, reasoning=False: seen.append(text))
    assert first.message == Message(
        "assistant", "look", (ToolCall("c1", "read_file", '{"path": "ä.py"}'), ToolCall("c2", "grep", "{broken"))
    )
    assert (first.finish_reason, first.usage, first.model) == ("tool_calls", Usage(9, 4, 3, 1), "served")
    second = provider.complete(ASKED)
    assert (second.message, second.usage) == (Message("assistant", "done"), None)
    assert seen == ["look"]
    assert provider.name == "replay"


@pytest.mark.parametrize(
    ("recorded", "field", "value"),
    [
        pytest.param(part(1, "length", text="a"), "finish_reason", "length", id="cut-for-length"),
        pytest.param(part(1, "content_filter", text="a"), "finish_reason", "content_filter", id="filtered"),
        pytest.param(part(1, "tired", text="a"), "finish_reason", "other", id="unknown-finish"),
        pytest.param(part(1, "tool_calls", written=True, reply_calls=(CALL,)), "written", True, id="written-as-text"),
        pytest.param(part(1, text="a", fault="line 2: …"), "fault", "line 2: …", id="faulty-text"),
        pytest.param(part(1), "message", Message("assistant", None), id="empty-reply"),
    ],
)
def test_what_a_reply_says_besides(recorded: RoundPart, field: str, value: object) -> None:
    seen: list[str] = []
    reply = ReplayProvider(trace(recorded)).complete(ASKED, lambda text, reasoning=False: seen.append(text))
    assert getattr(reply, field) == value
    assert seen == [text for text in (recorded.text,) if text]


@pytest.mark.parametrize(
    ("rounds", "can"),
    [
        pytest.param((part(1), part(2, "tool_calls", reply_calls=(CALL,))), True, id="some-calls"),
        pytest.param((part(1),), False, id="no-calls"),
    ],
)
def test_a_recording_without_calls_can_not_call_tools(rounds: tuple[RoundPart, ...], can: bool) -> None:
    assert ReplayProvider(trace(*rounds)).supports_function_calling() is can


def test_rounds_without_a_reply_are_left_out_and_the_end_is_said() -> None:
    provider = ReplayProvider(trace(part(1, ""), part(2, text="a"), part(3, "")))
    assert provider.complete(ASKED).message.content == "a"
    for _ in range(2):
        with pytest.raises(ProviderFailed, match="holds 1 replies, and the run asks for one more") as raised:
            provider.complete(ASKED)
        failure = raised.value
        assert (failure.kind, failure.retry, failure.elsewhere) == ("replay_ended", False, False)
        assert failure.exit_code is ExitCode.PROVIDER
        assert "same base" in failure.hint


VALID = trace(part(1, text="a")).model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(b"", "is no trace of a run: Invalid JSON", id="empty"),
        pytest.param(b"\xff\xfe\xfa", "is no trace of a run", id="no-text"),
        pytest.param(b"[" * 200_000, "is no trace of a run", id="deep"),
        pytest.param(
            b'{"settings":' + b'{"a":' * 5000 + b"1" + b"}" * 5001, "is no trace of a run", id="deep-settings"
        ),
        pytest.param(b"[]", "is no trace of a run", id="no-object"),
        pytest.param(json.dumps(VALID | {"schema": "orefactor.trace/9"}), "at `schema`", id="other-version"),
        pytest.param(json.dumps(VALID | {"x\n\x1b" * 999: 1}), "Extra inputs are not permitted", id="unknown-key"),
        pytest.param(json.dumps(VALID | {"task": "\ud800"}), "is no trace of a run", id="half-a-pair"),
        pytest.param(json.dumps(VALID | {"rounds": []}), "holds no reply of a model", id="no-rounds"),
        pytest.param(
            json.dumps(VALID | {"rounds": [{**VALID["rounds"][0], "finish_reason": ""}]}),
            "holds no reply of a model",
            id="no-reply",
        ),
        pytest.param(
            json.dumps(VALID | {"rounds": [{**VALID["rounds"][0], "calls": 2}]}),
            "counts calls that it does not hold",
            id="recorded-by-an-older-version",
        ),
    ],
)
def test_a_file_that_can_not_be_played(tmp_path: Path, text: bytes | str, words: str) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as raised:
        load_replay(path)
    assert words in raised.value.message
    assert "\n" not in raised.value.message
    assert len(raised.value.message) < len(str(path)) + 700
    assert raised.value.hint


def make_missing(_path: Path) -> None: ...


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(make_missing, "No such file", id="missing"),
        pytest.param(Path.mkdir, "no regular file", id="folder"),
        pytest.param(os.mkfifo, "no regular file", id="fifo"),
        pytest.param(make_large, "larger than 64 MiB", id="large"),
    ],
)
def test_a_file_that_can_not_be_read(tmp_path: Path, make: Any, words: str) -> None:
    make(tmp_path / "trace.json")
    with pytest.raises(UserError, match=words):
        load_replay(tmp_path / "trace.json")
