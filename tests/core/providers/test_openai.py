"""What goes out to a server, and each shape that comes back, through the real client over real HTTP."""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from itertools import pairwise
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
    streamed,
    tool_call,
)

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import (
    Message,
    ProviderRequest,
    ProviderResponse,
    Reasoning,
    ToolCall,
    Usage,
)
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.turns import turn
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
        reasoning=Reasoning("hm", {"reasoning_content": "hm"}),
    ),
    Message("tool", "x = 1\n", tool_call_id="c1", name="read_file"),
)


def ask(server: ChatServer, *answers: Answer, preset: str = "deepseek", **fields: Any) -> ProviderResponse:
    server.script(*answers)
    provider = OpenAIProvider(PROVIDERS[preset], server.url, "sk-test-key")
    return provider.complete(ProviderRequest(HISTORY[:2], "m", **fields))


@pytest.mark.traces("REQ-103-005", "REQ-103-006", "TST-103-003")
def test_the_payload_that_goes_out(server: ChatServer) -> None:
    server.script(as_stream({"content": "done"}))
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "sk-test")
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


def test_a_server_without_keys_still_gets_the_header(server: ChatServer) -> None:
    server.script(completion({"content": "hi"}))
    OpenAIProvider(PROVIDERS["ollama"], server.url, None).complete(ProviderRequest(HISTORY[:2], "m"))
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
        {"content": [{"type": "image"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 7]},
        text="ab",
        finish="stop",
    ),
    "finish-stop-with-calls": shape({"tool_calls": [CALL]}, READ, finish="stop"),
    "finish-empty-with-calls": shape({"tool_calls": [CALL]}, READ, finish=""),
    "refusal": shape({"content": None, "refusal": "I won't"}, text="I won't", finish="stop"),
    "a-place-for-a-call": shape(
        {"content": "hi", "tool_calls": [{"id": "", "function": {"name": "", "arguments": ""}}]},
        text="hi",
        finish="stop",
    ),
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
        streamed(
            chunk({"reasoning": "hm"}),
            chunk({"content": "a"}),
            chunk({"content": ""}),
            chunk({"content": "b"}),
            chunk({}, "stop"),
            DONE,
        )
    )
    seen: list[tuple[str, bool]] = []

    def arrived(text: str, /, *, reasoning: bool = False) -> None:
        seen.append((text, reasoning))

    OpenAIProvider(PROVIDERS["deepseek"], server.url, "k").complete(ProviderRequest(HISTORY[:2], "m"), arrived)
    assert seen == [("hm", True), ("a", False), ("b", False)]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param({"total_tokens": 3}, None, id="no-prompt"),
        pytest.param({"prompt_tokens": True}, None, id="no-number"),
        pytest.param({"prompt_tokens": math.nan}, None, id="not-a-number"),
        pytest.param({"prompt_tokens": 7.0, "completion_tokens": 3.0}, Usage(7, 0, 3, 1), id="floats"),
        pytest.param({"prompt_tokens": -7, "completion_tokens": "3"}, Usage(0, 0, 0, 1), id="negative-and-text"),
        pytest.param({"prompt_tokens": math.inf}, Usage(2**53 - 1, 0, 0, 1), id="infinite"),
        pytest.param({**USAGE, "total_tokens": 60}, Usage(7, 0, 53, 1), id="reasoning-in-the-total-only"),
        pytest.param({**USAGE, "cached_tokens": 99}, Usage(7, 7, 3, 1), id="more-cached-than-sent"),
        pytest.param({**USAGE, "prompt_cache_hit_tokens": 2, "cached_tokens": 5}, Usage(7, 2, 3, 1), id="own-first"),
        pytest.param({**USAGE, "prompt_tokens_details": None}, Usage(7, 0, 3, 1), id="no-details"),
    ],
)
def test_usage_of_each_kind(server: ChatServer, usage: Json, expected: Usage | None) -> None:
    assert ask(server, completion({"content": "x"}, usage=usage)).usage == expected


def test_ids_stay_unique_in_the_conversation(server: ChatServer) -> None:
    """Servers that send no ids get made ones, and the made ones of two rounds must differ."""
    nameless = {**CALL, "id": ""}
    server.script(completion({"tool_calls": [nameless]}))
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
    first = provider.complete(ProviderRequest(HISTORY[:2], "m"))
    second = provider.complete(ProviderRequest((*HISTORY[:2], first.message), "m"))
    ids = [call.id for reply in (first, second) for call in reply.tool_calls]
    assert len(set(ids)) == 2
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in ids)


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        # Bound and not listening: nobody else can take the port, and connections are refused.
        with pytest.raises(ProviderFailed, match=f"can't reach `deepseek` at {url}") as raised:
            OpenAIProvider(PROVIDERS["deepseek"], url, "k").complete(ProviderRequest(HISTORY[:2], "m"))
    assert raised.value.reason == "provider:unreachable"


def test_no_time_for_a_request(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, as_stream({"content": "late"}), timeout=1e-9)
    assert raised.value.reason == "provider:timeout"


def test_a_stream_that_falls_silent_late_ends_with_the_time(server: ChatServer) -> None:
    """The transport's own limit begins anew with each piece."""
    server.script(streamed(chunk({"content": "I th"}), then="late silence"))
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
    provider.prepare()
    started = time.monotonic()
    with pytest.raises(ProviderFailed) as raised:
        provider.complete(ProviderRequest(HISTORY[:2], "m", timeout=1.5))
    assert raised.value.kind == "timeout"
    # By the transport's limit alone it would be more than 2.7.
    assert time.monotonic() - started < 2.5


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
    OpenAIProvider(PROVIDERS["deepseek"], server.url, "k").complete(ProviderRequest((got.message,), "m"))
    assert server.requests[1]["messages"][0]["reasoning_content"] == "\\ud83d"


def test_the_client_can_be_made_ahead(server: ChatServer) -> None:
    server.script(completion({"content": "x"}))
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
    provider.prepare()
    provider.prepare()
    assert provider.complete(ProviderRequest(HISTORY[:2], "m")).message.content == "x"
    assert (provider.name, provider.supports_function_calling()) == ("deepseek", True)


def test_a_stream_that_is_named_plain_text(server: ChatServer) -> None:
    body = streamed(": hello", chunk({"content": "a"}), chunk({}, "stop"), DONE).body
    assert ask(server, Answer(body, content_type="text/plain")).message.content == "a"


def test_a_reply_without_an_end_is_not_read_for_ever(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, Answer(b" " * (65 * 1024 * 1024)))
    assert raised.value.kind == "endless_reply"


@pytest.mark.parametrize(
    ("url", "key", "words"),
    [
        ("ftp://127.0.0.1/v1", "k", "no address"),
        ("http://[", "k", "no address"),
        ("127.0.0.1:80", "k", "no address"),
        ("http://127.0.0.1:99999", "k", "no address"),
        ("http://127.0.0.1/a b", "k", "no address"),
        ("http://127.0.0.1", "k\u2013y", "its key holds"),
        ("http://127.0.0.1", "k\ny", "its key holds"),
    ],
)
def test_what_can_not_be_asked_at_all(url: str, key: str, words: str) -> None:
    with pytest.raises(ProviderFailed, match=words) as raised:
        OpenAIProvider(PROVIDERS["deepseek"], url, key).complete(ProviderRequest(HISTORY[:2], "m"))
    assert (raised.value.kind, raised.value.retry) == ("unusable", False)
    assert key not in raised.value.message or key == "k"


def test_one_at_a_time_where_the_server_wants_it(server: ChatServer) -> None:
    server.script(completion({"content": "x"}))
    provider = OpenAIProvider(PROVIDERS["ollama"], server.url, None)
    with turn(server.url, 1, None):
        with pytest.raises(ProviderFailed) as raised:
            provider.complete(ProviderRequest(HISTORY[:2], "m", timeout=0.05))
        assert (raised.value.kind, server.requests) == ("timeout", [])
        waiting = threading.Thread(target=provider.complete, args=(ProviderRequest(HISTORY[:2], "m"),))
        waiting.start()
        assert server.requests == []
    waiting.join()
    assert len(server.requests) == 1
    OpenAIProvider(PROVIDERS["deepseek"], server.url, "k").complete(ProviderRequest(HISTORY[:2], "m"))


def test_a_strict_server_gets_strict_tools_and_the_tools_get_no_nulls(server: ChatServer) -> None:
    wrote = tool_call("c1", "read_file", path="x.py", start_line=None, end_line=3)
    server.script(completion({"tool_calls": [wrote]}))
    beta = server.url.removesuffix("/v1") + "/BETA/"
    for url in (server.url, beta):
        request = ProviderRequest(HISTORY[:2], "m", tuple(TOOL_SCHEMAS))
        got = OpenAIProvider(PROVIDERS["deepseek"], url, "k").complete(request)
        arguments = json.loads(got.tool_calls[0].arguments)
        nothing = {} if url == beta else {"start_line": None}
        assert arguments == {"path": "x.py", **nothing, "end_line": 3}
    plain, strict = (request["tools"][0]["function"] for request in server.requests)
    assert "strict" not in plain
    assert strict["strict"] is True
    assert strict["parameters"]["required"] == ["path", "start_line", "end_line"]


def as_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("provider", ["deepseek", "openrouter", "mistral", "openai-compatible"])
def test_a_history_that_grows_keeps_its_leading_bytes(server: ChatServer, provider: str) -> None:
    """What a prefix cache sees: the messages up to the old end, the tools and the model."""
    asked = OpenAIProvider(PROVIDERS[provider], server.url, "k")
    history = list(HISTORY[:2])
    details = [{"type": "reasoning.text", "index": 0, "text": "hm", "signature": "s"}]
    for number in range(4):
        message = {"content": None, "reasoning_content": "hm", "reasoning_details": details, "tool_calls": [
            {**CALL, "id": f"call_{number}"}
        ]}  # fmt: skip
        server.script(as_stream(message, "tool_calls"))
        got = asked.complete(ProviderRequest(tuple(history), "m", tuple(TOOL_SCHEMAS), max_tokens=100 - number))
        history += [got.message, Message("tool", f"é{number}", tool_call_id=got.tool_calls[0].id, name="read_file")]
    tools = b'"tools":' + as_bytes(TOOL_SCHEMAS)
    for before, after in pairwise(server.bodies):
        old = b'"messages":' + as_bytes(json.loads(before)["messages"])
        assert old in before
        assert old[:-1] + b"," in after, "the history went on where it had ended, without another byte"
        assert tools in before
        assert tools in after


def test_nothing_costs_its_length_squared(server: ChatServer) -> None:
    """A stream of a hundred thousand small pieces, each of which could be the end of a call."""
    events = [piece(0, "c1", "write_file", '{"a": "')] + [piece(0, "c1", "write_file", "{}")] * 30_000
    got = ask(server, streamed(*events, piece(0, "c1", "write_file", '"}'), END, DONE))
    assert len(got.tool_calls) == 1
    assert len(got.tool_calls[0].arguments) == 60_009
