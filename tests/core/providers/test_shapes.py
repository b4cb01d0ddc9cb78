"""The table "Shapes of tool calls" of the design, line by line: what real servers send, and what goes back to them.

Each line is tried as a whole reply and as a stream, through the real client against a real HTTP server. What its "must"
says is checked on the reply and on the request that follows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from chat_server import DONE, Answer, ChatServer, Json, as_stream, chunk, completion, refusal, streamed, tool_call

from orefactor.core.errors import ProviderFailed, ToolError
from orefactor.core.history import for_history
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, ToolCall, Usage
from orefactor.core.providers.as_text.written_calls import recognise
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.tools import TOOL_SCHEMAS
from orefactor.core.tools.validation import load_object

CALL = tool_call("c1", "read_file", path="x.py")
OTHER = tool_call("c2", "list_dir")
USAGE = {"prompt_tokens": 70, "completion_tokens": 3}


class Talk:
    """A conversation with one server, in one of the two modes."""

    def __init__(self, server: ChatServer, mode: str, provider: str = "openai-compatible") -> None:
        self.server = server
        self.is_streamed = mode == "streamed"
        self.provider = OpenAIProvider(PROVIDERS[provider], server.url, "sk-test", "m")
        self.history = [Message("user", "do it")]

    def reply(self, message: Json, finish: str | None = "tool_calls", **fields: Any) -> ProviderResponse:
        """Let the server say this."""
        return self.answer((as_stream if self.is_streamed else completion)(message, finish, **fields))

    def answer(self, answer: Answer) -> ProviderResponse:
        """Let the server answer so; its message and an answer to each of its calls go into the history."""
        self.server.script(answer)
        got = self.provider.complete(ProviderRequest(tuple(self.history), "m", tuple(TOOL_SCHEMAS)))
        self.history.append(for_history(got.message))
        self.history += [Message("tool", "ok", tool_call_id=call.id, name=call.name) for call in got.tool_calls]
        return got

    def failure(self, answer: Answer) -> ProviderFailed:
        """Let the server answer so, which is no reply."""
        with pytest.raises(ProviderFailed) as raised:
            self.answer(answer)
        assert "\n" not in raised.value.message and "<" not in raised.value.message
        assert self.provider.name in raised.value.message
        assert "sk-test" not in raised.value.message
        return raised.value

    def sent_back(self) -> list[Json]:
        """What the next request says after the task."""
        self.reply({"content": "done"}, "stop")
        messages: list[Json] = self.server.requests[-1]["messages"]
        return messages[1:]


Line = Callable[[ChatServer, str], None]


def bare(arguments: Any = ..., **fields: Any) -> Json:
    function = {"name": "list_dir"} if arguments is ... else {"name": "list_dir", "arguments": arguments}
    return {"tool_calls": [{"id": "c1", "type": "function", "function": function, **fields}]}


def arguments_of_no_or_another_form(server: ChatServer, mode: str) -> None:
    for arguments, expected in [
        (..., {}), (None, {}), ("", {}), ("{}", {}), ({}, {}), ({"path": "src"}, {"path": "src"}),
        ('{"path": "src"}', {"path": "src"}),
    ]:  # fmt: skip
        talk = Talk(server, mode)
        (call,) = talk.reply(bare(arguments)).tool_calls
        assert load_object(call.arguments) == expected
        sent = talk.sent_back()[0]["tool_calls"][0]["function"]["arguments"]
        assert json.loads(sent) == expected


def arguments_that_are_no_json(server: ChatServer, mode: str) -> None:
    for arguments in ('{"path": ', "[1]", "nonsense", '{"path": "x"} and more'):
        talk = Talk(server, mode)
        (call,) = talk.reply(bare(arguments)).tool_calls
        assert call.arguments == arguments, "the model is told about what it wrote"
        with pytest.raises(ToolError):
            load_object(call.arguments)
        assert talk.sent_back()[0]["tool_calls"][0]["function"]["arguments"] == "{}"


def ids_that_are_missing_or_not_unique(server: ChatServer, mode: str) -> None:
    for provider in ("openai-compatible", "mistral"):
        for first, second in (("", ""), (None, None), ("c1", "c1"), ("call_0fypS1hVX", "call_0fypS1hVY")):
            talk = Talk(server, mode, provider)
            both = [{**CALL, "id": first}, {**OTHER, "id": second}]
            talk.reply({"tool_calls": both})
            talk.reply({"tool_calls": both})
            sent = talk.sent_back()
            asked = [call["id"] for message in sent for call in message.get("tool_calls", ())]
            answered = [message["tool_call_id"] for message in sent if message["role"] == "tool"]
            assert asked == answered
            assert len(set(asked)) == 4
            if provider == "mistral":
                assert all(len(call_id) == 9 and call_id.isalnum() for call_id in asked)


def type_missing_or_no_calls(server: ChatServer, mode: str) -> None:
    talk = Talk(server, mode)
    (call,) = talk.reply({"tool_calls": [{"id": "c1", "function": CALL["function"]}]}).tool_calls
    assert call == ToolCall("c1", "read_file", '{"path": "x.py"}')
    assert talk.sent_back()[0]["tool_calls"] == [CALL]
    nothings: tuple[list[Json] | None, ...] = (None, [])
    for nothing in nothings:
        got = Talk(server, mode).reply({"content": "hi", "tool_calls": nothing}, "stop")
        assert (got.tool_calls, got.message.content) == ((), "hi")


def content_in_each_form(server: ChatServer, mode: str) -> None:
    parts = [{"type": "text", "text": "I "}, {"type": "text", "text": "look"}, {"type": "image_url"}, 7]
    for content, expected in [(None, None), (..., None), ("", None), ("I look", "I look"), (parts, "I look")]:
        for provider, empty in [("openai-compatible", ""), ("openai", None)]:
            talk = Talk(server, mode, provider)
            got = talk.reply({"tool_calls": [CALL]} | ({} if content is ... else {"content": content}))
            assert (got.message.content, len(got.tool_calls)) == (expected, 1)
            assert talk.sent_back()[0]["content"] == (expected or empty)


def a_finish_that_lies(server: ChatServer, mode: str) -> None:
    for finish in ("stop", "", "STOP", "tool_calls"):
        got = Talk(server, mode).reply({"tool_calls": [CALL]}, finish)
        assert (got.finish_reason, len(got.tool_calls)) == ("tool_calls", 1)
    got = Talk(server, mode).reply({"content": None}, "tool_calls")
    assert (got.tool_calls, got.message.content) == ((), None), "the session asks again once"


def several_calls(server: ChatServer, mode: str) -> None:
    talk = Talk(server, mode)
    got = talk.reply({"tool_calls": [CALL, OTHER]})
    assert [call.name for call in got.tool_calls] == ["read_file", "list_dir"]
    asked, *answers = talk.sent_back()
    assert asked["tool_calls"] == [CALL, OTHER]
    assert [(answer["role"], answer["tool_call_id"]) for answer in answers] == [("tool", "c1"), ("tool", "c2")]


def piece(index: int | None, call_id: str | None, name: str | None, arguments: str | None) -> str:
    function = {"name": name, "arguments": arguments}
    return chunk({"tool_calls": [{"id": call_id, "function": function} | ({} if index is None else {"index": index})]})


ONE = piece(0, "c1", "read_file", '{"path": "x.py"}')
HEAD = piece(0, "c1", "read_file", '{"path": ')
TAIL = '"x.py"}'
END = chunk({}, "tool_calls")
TWO = piece(0, "c2", "list_dir", "{}")


def calls_in_odd_pieces(server: ChatServer, mode: str) -> None:
    if mode == "whole":
        # The same in one piece: an index that repeats makes no call a piece of another.
        got = Talk(server, mode).reply({"tool_calls": [{**CALL, "index": 0}, {**OTHER, "index": 0}]})
        assert [call.id for call in got.tool_calls] == ["c1", "c2"]
        return
    for events, names in [
        ([ONE, END, DONE], ["read_file"]),
        ([HEAD, piece(0, "", "", TAIL), END, DONE], ["read_file"]),
        ([HEAD, piece(0, None, None, TAIL), END, DONE], ["read_file"]),
        ([HEAD, piece(0, "c1", "read_file", TAIL), END, DONE], ["read_file"]),
        ([ONE, piece(0, "", "", ""), END, DONE], ["read_file"]),
        ([ONE, TWO, END, DONE], ["read_file", "list_dir"]),
        ([ONE, piece(0, "", "list_dir", "{}"), END, DONE], ["read_file", "list_dir"]),
        ([ONE, DONE], ["read_file"]),
        ([ONE, chunk({}, ""), DONE], ["read_file"]),
    ]:
        talk = Talk(server, mode)
        got = talk.answer(streamed(*events))
        assert [call.name for call in got.tool_calls] == names
        assert got.finish_reason == "tool_calls"
        assert talk.sent_back()[0]["tool_calls"][0] == CALL


def usage_anywhere(server: ChatServer, mode: str) -> None:
    expected = Usage(70, 0, 3, 1)
    if mode == "whole":
        assert Talk(server, mode).reply({"content": "x"}, "stop", usage=USAGE).usage == expected
        assert Talk(server, mode).reply({"content": "x"}, "stop").usage is None
        return
    text = chunk({"content": "x"})
    for events, usage in [
        ([text, chunk({}, "stop"), chunk(None, usage=USAGE)], expected),
        ([text, chunk({}, "stop", usage=USAGE)], expected),
        ([text, chunk({}, "stop", x_groq={"usage": USAGE})], expected),
        ([text, chunk({}, "stop", usage=USAGE), chunk(None, usage={"prompt_tokens": 0})], expected),
        ([text, chunk({}, "stop", usage=None)], None),
    ]:
        assert Talk(server, mode).answer(streamed(*events, DONE)).usage == usage


def a_reply_that_breaks_off(server: ChatServer, mode: str) -> None:
    if mode == "whole":
        cut = Answer(b'{"choices": [{"message": {"content": "a"', then="cut")
        patient = Answer(b"\n\n \n" + completion({"content": "a"}).body)
        failing = completion({"content": "a"}, error={"message": "overloaded", "code": 503})
    else:
        cut = streamed(chunk({"content": "a"}))
        patient = streamed(": keep-alive", "", "\n", chunk({"content": "a"}), ": again", "", chunk({}, "stop"), DONE)
        failing = streamed(chunk({"content": "a"}), 'event: error\ndata: {"error": {"message": "overloaded"}}')
    assert Talk(server, mode).answer(patient).message.content == "a"
    broken = Talk(server, mode).failure(failing)
    assert (broken.kind, broken.retry) == ("stream_error", True)
    assert "overloaded" in broken.message
    assert Talk(server, mode).failure(cut).kind == "cut_stream"


def an_error_in_a_good_status(server: ChatServer, mode: str) -> None:
    def event(**fields: Any) -> Answer:
        body = json.dumps({"choices": None, **fields})
        return streamed(f"data: {body}", DONE) if mode == "streamed" else Answer(body.encode())

    for answer, retry in [
        (event(error={"code": 429, "message": "busy"}), True),
        (event(error={"code": 502, "message": "gone"}), True),
        (event(error={"code": 401, "message": "who"}), False),
        (Answer(b"<html>login</html>", content_type="text/html"), False),
        (refusal(400, {"detail": "no such field"}), False),
        (refusal(422, {"detail": [{"loc": ["body"], "msg": "no such field"}]}), False),
    ]:
        assert Talk(server, mode).failure(answer).retry is retry


def a_call_that_the_server_refuses(server: ChatServer, mode: str) -> None:
    error = {"code": "tool_use_failed", "message": "did not match schema", "failed_generation": '{"name": "read"}'}
    talk = Talk(server, mode, "groq")
    whole = refusal(400, {"error": error})
    failure = talk.failure(streamed(chunk({"reasoning": "a"}), "data: " + json.dumps({"error": error}))
                           if talk.is_streamed else whole)  # fmt: skip
    assert (failure.kind, failure.said) == ("tool_use_failed", '{"name": "read"}')
    assert not failure.retry, "the session says it to the model once"


DETAIL = {"type": "reasoning.text", "index": 0, "format": "anthropic-claude-v1", "id": None}


def reasoning_in_each_field(server: ChatServer, mode: str) -> None:
    for provider, name in [
        ("deepseek", "reasoning_content"), ("zhipu", "reasoning_content"), ("groq", "reasoning"),
        ("cerebras", "reasoning"), ("ollama", "reasoning"), ("vllm", "reasoning"), ("vllm", "reasoning_content"),
    ]:  # fmt: skip
        talk = Talk(server, mode, provider)
        got = talk.reply({name: "I think", "tool_calls": [CALL]})
        assert got.message.reasoning is not None
        assert (got.message.reasoning.text, got.message.reasoning.fields) == ("I think", {name: "I think"})
        assert talk.sent_back()[0][name] == "I think"
    signed = [{**DETAIL, "text": "I think", "signature": "sig"}]
    encrypted = [{"type": "reasoning.encrypted", "index": 1, "data": "abc=="}]
    talk = Talk(server, mode, "openrouter")
    if talk.is_streamed:
        deltas = [{**DETAIL, "text": "I "}, {**DETAIL, "text": "think"}, {**DETAIL, "signature": "sig"}, *encrypted]
        pieces = [chunk({"reasoning_details": [delta]}) for delta in deltas]
        got = talk.answer(streamed(*pieces, ONE, END, DONE))
    else:
        got = talk.reply({"reasoning_details": signed + encrypted, "tool_calls": [CALL]})
    assert got.message.reasoning is not None
    assert got.message.reasoning.text == "I think"
    assert talk.sent_back()[0]["reasoning_details"] == signed + encrypted


def calls_written_as_text(server: ChatServer, mode: str) -> None:
    for text in (
        '```json\n{"name": "read_file", "arguments": {"path": "x.py"}}\n```',
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "x.py"}}\n</tool_call>',
        "<function=read_file>\n<parameter=path>\nx.py\n</parameter>\n</function>",
        'functions.read_file:0 {"path": "x.py"}',
    ):
        talk = Talk(server, mode)
        got = recognise(talk.reply({"content": text}, "stop"), TOOL_SCHEMAS, frozenset())
        assert [(call.name, load_object(call.arguments)) for call in got.tool_calls] == [
            ("read_file", {"path": "x.py"})
        ], text


def cached_tokens_in_each_field(server: ChatServer, mode: str) -> None:
    for usage in (
        {"prompt_tokens_details": {"cached_tokens": 60}},
        {"prompt_cache_hit_tokens": 60},
        {"num_cached_tokens": 60},
        {"cached_tokens": 60},
    ):
        for provider in ("deepseek", "mistral", "moonshot", "openai-compatible"):
            got = Talk(server, mode, provider).reply({"content": "x"}, "stop", usage={**USAGE, **usage})
            assert got.usage == Usage(70, 60, 3, 1)


LINES: dict[str, Line] = {
    "arguments-missing-null-empty-or-an-object": arguments_of_no_or_another_form,
    "arguments-invalid": arguments_that_are_no_json,
    "id-empty-or-repeated": ids_that_are_missing_or_not_unique,
    "type-missing-calls-null": type_missing_or_no_calls,
    "content-null-missing-beside-calls-in-parts": content_in_each_form,
    "finish-stop-with-calls": a_finish_that_lies,
    "several-calls": several_calls,
    "stream-odd-pieces": calls_in_odd_pieces,
    "stream-usage": usage_anywhere,
    "stream-error-cut-comments": a_reply_that_breaks_off,
    "error-in-a-good-status": an_error_in_a_good_status,
    "tool-use-failed": a_call_that_the_server_refuses,
    "reasoning": reasoning_in_each_field,
    "call-as-text": calls_written_as_text,
    "cached-tokens": cached_tokens_in_each_field,
}


@pytest.mark.traces("REQ-103-003", "REQ-103-006", "REQ-103-007", "TST-103-003")
@pytest.mark.parametrize("mode", ["whole", "streamed"])
@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_line_of_the_table(server: ChatServer, line: Line, mode: str) -> None:
    line(server, mode)
