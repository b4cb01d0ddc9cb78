"""What goes out to a server, and each shape that comes back, through the real client over real HTTP."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from chat_server import (
    DONE,
    Answer,
    ChatServer,
    Json,
    Then,
    as_stream,
    chunk,
    completion,
    refusal,
    streamed,
    tool_call,
)

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, ToolCall, Usage
from orefactor.core.providers.openai import OpenAIProvider, payload
from orefactor.core.providers.presets import PRESETS
from orefactor.core.tools import TOOL_SCHEMAS

USAGE = {"prompt_tokens": 7, "completion_tokens": 3}
CALL = tool_call("c1", "read_file", path="x.py")
HISTORY = (
    Message("system", "be brief"),
    Message("user", "do it"),
    Message(
        "assistant",
        None,
        (ToolCall("c1", "read_file", '{"path": "x.py"}'),),
        reasoning=("reasoning_content", "hm"),
    ),
    Message("tool", "x = 1\n", tool_call_id="c1", name="read_file"),
)


def ask(server: ChatServer, *answers: Answer, preset: str = "deepseek", **fields: Any) -> ProviderResponse:
    server.script(*answers)
    provider = OpenAIProvider(PRESETS[preset], server.url, "sk-test")
    return provider.complete(ProviderRequest(HISTORY[:2], "m", **fields))


@pytest.mark.traces("REQ-103-005", "REQ-103-006", "TST-103-003")
def test_the_payload_that_goes_out(server: ChatServer) -> None:
    server.script(as_stream({"content": "done"}))
    provider = OpenAIProvider(PRESETS["deepseek"], server.url, "sk-test")
    provider.complete(ProviderRequest(HISTORY, "deepseek-v4-pro", tuple(TOOL_SCHEMAS), max_tokens=99, timeout=5))
    assert server.requests == [
        {
            "model": "deepseek-v4-pro",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "do it"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [CALL],
                    "reasoning_content": "hm",
                },
                {"role": "tool", "content": "x = 1\n", "tool_call_id": "c1", "name": "read_file"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "tools": TOOL_SCHEMAS,
            "max_tokens": 99,
        }
    ]
    assert server.headers[0]["authorization"] == "Bearer sk-test"


@pytest.mark.traces("REQ-103-002", "REQ-103-004", "REQ-103-005")
@pytest.mark.parametrize(
    ("preset", "fields", "expected"),
    [
        pytest.param("openai", {}, {"stream_options": {"include_usage": True}}, id="nothing-of-tools"),
        pytest.param("openai", {"max_tokens": 5},
                     {"stream_options": {"include_usage": True}, "max_completion_tokens": 5}, id="ceiling"),
        pytest.param("mistral", {}, {}, id="no-stream-options"),
        pytest.param("mistral", {"tool_choice": "auto"}, {"tool_choice": "auto"}, id="tool-choice"),
    ],
)  # fmt: skip
def test_what_is_empty_is_left_out(preset: str, fields: Json, expected: Json) -> None:
    sent = payload(ProviderRequest(HISTORY[:2], "m", **fields), PRESETS[preset])
    assert sent == {
        "model": "m",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "do it"}],
        "stream": True,
        **expected,
    }


@pytest.mark.parametrize(
    ("preset", "content", "reasoning"),
    [("deepseek", "", "hm"), ("openai", None, None), ("mistral", "", None), ("groq", None, "hm"),
     ("openai-compatible", "", "hm")],
)  # fmt: skip
def test_an_assistant_message_in_each_spelling(preset: str, content: str | None, reasoning: str | None) -> None:
    sent = payload(ProviderRequest(HISTORY, "m"), PRESETS[preset])["messages"][2]
    assert sent["content"] == content
    assert sent.get("reasoning_content") == reasoning


def test_a_server_without_keys_still_gets_the_header(server: ChatServer) -> None:
    server.script(completion({"content": "hi"}))
    OpenAIProvider(PRESETS["ollama"], server.url, None).complete(ProviderRequest(HISTORY[:2], "m"))
    assert server.headers[0]["authorization"] == "Bearer none"


def shape(
    message: Json, *calls: tuple[str, str, str], text: str | None = None, finish: str | None = "tool_calls"
) -> Any:
    return (message, finish, calls, text)


READ = ("c1", "read_file", '{"path": "x.py"}')


def bare(name: str, arguments: Any = ..., **fields: Any) -> Json:
    """A call without `type`, and without arguments where none are given."""
    function = {"name": name} if arguments is ... else {"name": name, "arguments": arguments}
    return {"tool_calls": [{"id": "c1", "function": function, **fields}]}


LIST = ("c1", "list_dir", "")
SHAPES = {
    "plain": shape({"content": None, "tool_calls": [CALL]}, READ),
    "arguments-missing": shape(bare("list_dir"), LIST),
    "arguments-null": shape(bare("list_dir", None), LIST),
    "arguments-empty": shape(bare("list_dir", ""), LIST),
    "arguments-object-text": shape(bare("list_dir", "{}"), ("c1", "list_dir", "{}")),
    "arguments-object": shape(bare("read_file", {"path": "x.py"}), READ),
    "arguments-no-json": shape(bare("read_file", '{"path": '), ("c1", "read_file", '{"path": ')),
    "id-empty": shape({"tool_calls": [{**CALL, "id": ""}]}, ("call00000", *READ[1:])),
    "id-missing": shape({"tool_calls": [{"function": CALL["function"]}]}, ("call00000", *READ[1:])),
    "id-repeated": shape({"tool_calls": [CALL, CALL]}, READ, ("call00000", *READ[1:])),
    "type-missing": shape(bare("read_file", READ[2]), READ),
    "calls-null": shape({"content": "hi", "tool_calls": None}, text="hi", finish="stop"),
    "calls-empty": shape({"content": "hi", "tool_calls": []}, text="hi", finish="stop"),
    "content-missing": shape({"tool_calls": [CALL]}, READ),
    "content-empty": shape({"content": "", "tool_calls": [CALL]}, READ),
    "content-beside-calls": shape({"content": "I look", "tool_calls": [CALL]}, READ, text="I look"),
    "content-parts": shape(
        {"content": [{"type": "thinking"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 7]},
        text="ab",
        finish="stop",
    ),
    "finish-stop-with-calls": shape({"tool_calls": [CALL]}, READ, finish="stop"),
    "finish-empty-with-calls": shape({"tool_calls": [CALL]}, READ, finish=""),
    "several": shape(
        {"tool_calls": [CALL, tool_call("c2", "list_dir")]}, READ, ("c2", "list_dir", "{}")
    ),
}  # fmt: skip


@pytest.mark.traces("REQ-103-003", "REQ-103-007", "TST-103-003")
@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
@pytest.mark.parametrize(("message", "finish", "calls", "text"), SHAPES.values(), ids=SHAPES.keys())
def test_a_shape_of_reply(
    server: ChatServer, form: Any, message: Json, finish: str, calls: tuple[Any, ...], text: str | None
) -> None:
    got = ask(server, form(message, finish, usage=USAGE))
    assert got.tool_calls == tuple(ToolCall(*call) for call in calls)
    assert got.message.content == text
    assert got.finish_reason == ("tool_calls" if calls else "stop")
    assert got.model == "served"
    assert got.usage == Usage(7, 0, 3, 1)


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", "stop"), ("tool_calls", "other"), ("length", "length"), ("max_tokens", "length"),
     ("content_filter", "content_filter"), ("pause_turn", "other")],
)  # fmt: skip
def test_how_a_reply_without_calls_ends(server: ChatServer, form: Any, finish: str, reason: str) -> None:
    expected = "tool_calls" if finish == "tool_calls" else reason
    assert ask(server, form({"content": "x"}, finish)).finish_reason == expected


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_reply_that_was_cut_stays_cut_although_it_has_calls(server: ChatServer, form: Any, finish: str) -> None:
    got = ask(server, form({"tool_calls": [CALL]}, finish))
    assert (got.finish_reason, len(got.tool_calls)) == (finish, 1)


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_goes_back_under_its_own_name(server: ChatServer, form: Any, name: str) -> None:
    first = ask(server, form({"content": None, name: "I think", "tool_calls": [CALL]}), completion({"content": "x"}))
    assert first.message.reasoning == (name, "I think")
    OpenAIProvider(PRESETS["deepseek"], server.url, "k").complete(ProviderRequest((first.message,), "m"))
    assert server.requests[1]["messages"] == [
        {"role": "assistant", "content": "", "tool_calls": [CALL], name: "I think"}
    ]


def piece(index: int | None, call_id: str | None, name: str | None, arguments: str | None, **fields: Any) -> str:
    function = {"name": name, "arguments": arguments}
    call: Json = {"id": call_id, "function": function} | ({} if index is None else {"index": index})
    return chunk({"tool_calls": [call]}, **fields)


HEAD = piece(0, "c1", "read_file", '{"path": ')
TAIL = '"x.py"}'
ONE = piece(0, "c1", "read_file", READ[2])
BOTH = [READ, ("c2", "list_dir", "{}")]
LATE = chunk(None, usage=USAGE)
END = chunk({}, "tool_calls")


@pytest.mark.traces("REQ-103-007")
@pytest.mark.parametrize(
    ("events", "calls", "usage"),
    [
        pytest.param([HEAD, piece(0, None, None, TAIL), END, LATE, DONE],
                     [READ], True, id="in-pieces"),
        pytest.param([HEAD, piece(0, "", "", TAIL), END, DONE],
                     [READ], False, id="empty-id-and-name-later"),
        pytest.param([HEAD, piece(0, "c1", "read_file", TAIL), END, DONE],
                     [READ], False, id="id-and-name-repeated"),
        pytest.param([ONE, piece(0, "c2", "list_dir", "{}"), END, DONE],
                     BOTH, False, id="two-calls-with-one-index"),
        pytest.param([piece(None, "c1", "read_file", '{"path": '), piece(None, None, None, TAIL), END, DONE],
                     [READ], False, id="no-index"),
        pytest.param([ONE, piece(0, "", "list_dir", "{}"), END, DONE],
                     [READ, ("call00000", "list_dir", "{}")], False, id="one-index-no-id"),
        pytest.param([ONE, piece(0, "c1", "read_file", ""), END, DONE],
                     [READ], False, id="name-again-at-the-end"),
        pytest.param([piece(0, "c1", "read_file", "{}}"), piece(0, "c1", "read_file", "{}"), END, DONE],
                     [("c1", "read_file", "{}}{}")], False, id="braces-that-are-no-object"),
        pytest.param([piece(None, *READ), piece(None, "c2", "list_dir", "{}"), END, DONE],
                     BOTH, False, id="no-index-two-calls"),
        pytest.param([piece(None, *READ[:2], '{"path": '), piece(None, *READ[:2], TAIL), END, DONE],
                     [READ], False, id="no-index-id-and-name-repeated"),
        pytest.param([piece(1, "c1", "read_file", READ[2]), piece(0, "c2", "list_dir", "{}"), END, DONE],
                     BOTH, False, id="indexes-out-of-order"),
        pytest.param([ONE, DONE], [READ], False, id="no-finish"),
        pytest.param([ONE, chunk({}, "tool_calls", usage=USAGE), DONE],
                     [READ], True, id="usage-with-choices"),
        pytest.param([": keep-alive", "", "event: x\n" + ONE, "data:", END, LATE, DONE],
                     [READ], True, id="comments-and-blank-lines"),
        pytest.param([ONE, END], [READ], False, id="no-done"),
        pytest.param([chunk(None, model="m"), ONE, END, DONE],
                     [READ], False, id="first-chunk-without-choices"),
    ],
)  # fmt: skip
def test_a_stream_is_put_together(
    server: ChatServer, events: list[str], calls: list[tuple[str, str, str]], usage: bool
) -> None:
    got = ask(server, streamed(*events))
    assert got.tool_calls == tuple(ToolCall(*call) for call in calls)
    assert got.usage == (Usage(7, 0, 3, 1) if usage else None)


def test_text_arrives_piece_by_piece(server: ChatServer) -> None:
    server.script(
        streamed(chunk({"content": "a"}), chunk({"content": ""}), chunk({"content": "b"}), chunk({}, "stop"), DONE)
    )
    seen: list[str] = []
    OpenAIProvider(PRESETS["deepseek"], server.url, "k").complete(ProviderRequest(HISTORY[:2], "m"), seen.append)
    assert seen == ["a", "b"]


@pytest.mark.parametrize(
    ("usage", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 4}}, 4),
        ({"prompt_cache_hit_tokens": 5}, 5),
        ({"num_cached_tokens": 6}, 6),
        ({"cached_tokens": 7}, 7),
        ({"prompt_tokens_details": None, "cached_tokens": 0}, 0),
    ],
)
def test_cached_tokens_under_each_name(server: ChatServer, usage: Json, cached: int) -> None:
    got = ask(server, completion({"content": "x"}, usage={**USAGE, **usage}))
    assert got.usage == Usage(7, cached, 3, 1)


def test_usage_that_is_none(server: ChatServer) -> None:
    assert ask(server, completion({"content": "x"}, usage={"total_tokens": 3})).usage is None


def test_ids_stay_unique_in_the_conversation(server: ChatServer) -> None:
    """Servers that send no ids get made ones, and the made ones of two rounds must differ."""
    nameless = {**CALL, "id": ""}
    server.script(completion({"tool_calls": [nameless]}))
    provider = OpenAIProvider(PRESETS["deepseek"], server.url, "k")
    first = provider.complete(ProviderRequest(HISTORY[:2], "m"))
    second = provider.complete(ProviderRequest((*HISTORY[:2], first.message), "m"))
    ids = [call.id for reply in (first, second) for call in reply.tool_calls]
    assert len(set(ids)) == 2
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in ids)


FAILURES: dict[str, tuple[Answer, str, tuple[str, ...], int]] = {
    "400": (refusal(400, {"error": {"message": "bad field"}}), "bad_request", ("HTTP 400", "bad field"), 1),
    "401": (refusal(401), "unauthorized", ("refused the key", "HTTP 401"), 1),
    "402": (refusal(402, {"error": {"message": "no money"}}), "no_credit", ("no money",), 1),
    "403": (refusal(403), "forbidden", ("HTTP 403",), 1),
    "404": (refusal(404, {"detail": "no such model"}), "not_found", ("no such model",), 1),
    "413": (refusal(413), "too_large", ("HTTP 413",), 1),
    "418": (refusal(418), "refused", ("HTTP 418",), 1),
    "422": (refusal(422, {"detail": [{"msg": "wrong"}]}), "bad_request", ("wrong",), 1),
    "429": (refusal(429, {"error": {"code": 429, "message": "slow"}}), "rate_limited", ("slow",), 3),
    "500": (refusal(500), "server_error", ("HTTP 500",), 3),
    "503": (refusal(503, b"<html>busy</html>", content_type="text/html"), "server_error", ("HTTP 503",), 3),
    "502-text": (refusal(502, b"gateway", content_type="text/plain"), "server_error", ("gateway",), 3),
    "error-is-text": (refusal(400, {"error": "just words"}), "bad_request", ("just words",), 1),
    "error-without-words": (refusal(400, {"code": 7}), "bad_request", ('{"code": 7}',), 1),
    "tools-unsupported": (
        refusal(400, {"error": {"message": "m does not support tools"}}),
        "no_function_calling", ("can't call tools",), 1,
    ),
    "tools-unsupported-404": (
        refusal(404, {"error": {"message": "No endpoints found that support tool use"}}),
        "no_function_calling", ("can't call tools",), 1,
    ),
    "html": (Answer(b"<html>login</html>", content_type="text/html"), "not_json", ("text/html",), 1),
    "choices-null": (completion(None, error={"message": "boom"}), "no_choices", ("boom",), 1),
    "choices-missing": (Answer(b'{"ok": true}'), "no_choices", ("no choices",), 1),
    "json-list": (Answer(b"[]"), "no_choices", ("no choices",), 1),
    "error-in-choice": (completion({"content": ""}, error={"message": "late"}), "stream_error", ("late",), 1),
    "stream-error": (
        streamed(chunk({"content": "a"}), 'data: {"error": {"message": "overloaded", "code": 502}}'),
        "stream_error", ("overloaded",), 1,
    ),
    "stream-error-text": (streamed('data: {"error": "gone"}'), "stream_error", ("gone",), 1),
    "finish-error": (as_stream({"content": "a"}, "error"), "interrupted", ("(error)",), 1),
    "finish-no-resources": (
        completion({"content": "a"}, "insufficient_system_resource"), "interrupted", ("broke its reply",), 1
    ),
    "stream-cut": (streamed(chunk({"content": "a"})), "cut_stream", ("middle",), 1),
    "stream-cut-in-a-call": (streamed(piece(0, "c1", "read_file", '{"pa')), "cut_stream", ("middle",), 1),
    "stream-cut-connection": (streamed(chunk({"content": "a"}), then="cut"), "cut_stream", ("middle",), 1),
    "whole-cut-connection": (Answer(b'{"choices": [', then="cut"), "cut_stream", ("middle",), 1),
    "stream-empty": (streamed(DONE), "empty_reply", ("empty",), 1),
    "stream-no-json": (streamed("data: <oops>"), "not_json", ("text/event-stream",), 1),
    "stream-usage-and-no-end": (streamed(chunk({"content": "a"}, usage=USAGE)), "cut_stream", ("middle",), 1),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "kind", "words", "requests"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failure_is_one_clear_message(
    server: ChatServer, answer: Answer, kind: str, words: tuple[str, ...], requests: int
) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, answer)
    stopped = raised.value
    assert stopped.reason == f"provider:{kind}"
    assert (stopped.status, int(stopped.exit_code)) == ("error", 5)
    assert all(word in stopped.message for word in words), stopped.message
    assert stopped.hint
    assert "\n" not in stopped.message and "<html>" not in stopped.message
    assert len(server.requests) == requests


def test_a_passing_failure_is_tried_again(server: ChatServer) -> None:
    got = ask(server, refusal(503), refusal(429), completion({"content": "here"}))
    assert got.message.content == "here"


def test_a_long_error_is_shortened(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(400, {"error": {"message": "long " * 500}}))
    assert len(raised.value.message) < 400


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        # Bound and not listening: nobody else can take the port, and connections are refused.
        with pytest.raises(ProviderFailed, match=f"can't reach `deepseek` at {url}") as raised:
            OpenAIProvider(PRESETS["deepseek"], url, "k").complete(ProviderRequest(HISTORY[:2], "m"))
    assert raised.value.reason == "provider:unreachable"


def test_no_time_for_a_request(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, as_stream({"content": "late"}), timeout=1e-9)
    assert raised.value.reason == "provider:timeout"


@pytest.mark.parametrize("then", ["silence", "blank lines"])
@pytest.mark.parametrize("content_type", ["text/event-stream", "application/json"])
def test_a_reply_that_does_not_end(server: ChatServer, then: Then, content_type: str) -> None:
    """Servers that queue a request send blank lines for minutes; the run's time is the limit."""
    with pytest.raises(ProviderFailed) as raised:
        ask(server, Answer(b"\n", content_type=content_type, then=then), timeout=0.2)
    assert raised.value.reason == "provider:timeout"


HALF = '{"path": "a\ud83d"}'


@pytest.mark.parametrize("form", [completion, as_stream], ids=["whole", "streamed"])
def test_text_that_is_no_unicode_can_be_sent_on(server: ChatServer, form: Any) -> None:
    """Half of a surrogate pair in a reply must not break the next request or the trace."""
    function = {"name": "\ud83d", "arguments": HALF}
    message = {"content": "a\ud83d", "reasoning": "\ud83d", "tool_calls": [{"id": "\ud83d", "function": function}]}
    got = ask(server, form(message), completion({"content": "x"}))
    assert got.message.content == "a\\ud83d"
    assert json.loads(got.tool_calls[0].arguments) == {"path": "a\ud83d"}
    OpenAIProvider(PRESETS["deepseek"], server.url, "k").complete(ProviderRequest((got.message,), "m"))
    assert server.requests[1]["messages"][0]["reasoning"] == "\\ud83d"


def test_the_client_can_be_made_ahead(server: ChatServer) -> None:
    server.script(completion({"content": "x"}))
    provider = OpenAIProvider(PRESETS["deepseek"], server.url, "k")
    provider.prepare()
    provider.prepare()
    assert provider.complete(ProviderRequest(HISTORY[:2], "m")).message.content == "x"
    assert (provider.name, provider.supports_function_calling()) == ("deepseek", True)
