"""What servers say in place of a reply: one clear message each, and whether asking again or elsewhere helps."""

from __future__ import annotations

from typing import Any

import pytest
from chat_server import DONE, Answer, ChatServer, Then, as_stream, chunk, completion, refusal, streamed

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS

USAGE = {"prompt_tokens": 7, "completion_tokens": 3}


def ask(server: ChatServer, *answers: Answer, provider: str = "deepseek", **fields: Any) -> ProviderResponse:
    server.script(*answers)
    asked = OpenAIProvider(PROVIDERS[provider], server.url, "sk-test-key")
    asked.prepare()  # To load the client takes longer than the time that a test gives.
    return asked.complete(ProviderRequest((Message("user", "do it"),), "m", **fields))


FAILURES: dict[str, tuple[Answer, str, tuple[str, ...], bool, bool]] = {
    "400": (refusal(400, {"error": {"message": "bad field"}}), "bad_request", ("HTTP 400", "bad field"), False, False),
    "401": (refusal(401), "unauthorized", ("refused the key", "HTTP 401"), False, True),
    "402": (refusal(402, {"error": {"message": "no money"}}), "no_credit", ("no money",), False, True),
    "403": (refusal(403), "forbidden", ("HTTP 403",), False, True),
    "404": (
        refusal(404, {"detail": "no such model"}), "not_found", ("no such model", "http://127.0.0.1"), False, False
    ),
    "408": (refusal(408), "refused", ("HTTP 408",), True, True),
    "409": (refusal(409), "refused", ("HTTP 409",), True, False),
    "413": (refusal(413), "too_large", ("HTTP 413",), False, False),
    "418": (refusal(418), "refused", ("HTTP 418",), False, False),
    "422": (refusal(422, {"detail": [{"msg": "wrong"}]}), "bad_request", ("wrong",), False, False),
    "425": (refusal(425), "refused", ("HTTP 425",), True, False),
    "429": (refusal(429, {"error": {"code": 429, "message": "slow"}}), "rate_limited", ("slow",), True, True),
    "429-no-money": (
        refusal(429, {"error": {"code": "insufficient_quota", "message": "check your plan"}}),
        "no_credit", ("no credit", "check your plan"), False, True,
    ),
    "429-of-another": (
        refusal(429, {"error": {"code": 429, "message": "Provider returned error", "metadata": {"raw": "full"}}}),
        "rate_limited", ("Provider returned error: full",), True, True,
    ),
    "500": (refusal(500), "server_error", ("HTTP 500",), True, True),
    "501": (refusal(501), "server_error", ("HTTP 501",), False, True),
    "503": (
        refusal(503, b"<html>busy</html>", content_type="text/html"), "server_error", ("HTTP 503",), True, True
    ),
    "529": (refusal(529), "server_error", ("HTTP 529",), True, True),
    "502-text": (refusal(502, b"gateway", content_type="text/plain"), "server_error", ("gateway",), True, True),
    "503-never-again": (refusal(503, x_should_retry="false"), "server_error", ("HTTP 503",), False, True),
    "418-again": (refusal(418, x_should_retry="true"), "refused", ("HTTP 418",), True, False),
    "400-again": (refusal(400, x_should_retry="true"), "bad_request", ("HTTP 400",), False, False),
    "error-is-text": (refusal(400, {"error": "just words"}), "bad_request", ("just words",), False, False),
    "error-without-words": (refusal(400, {"code": 7}), "bad_request", ("HTTP 400",), False, False),
    "error-in-a-list": (
        refusal(400, [{"error": {"message": "in a list"}}]), "bad_request", ("in a list",), False, False
    ),
    "error-empty-list": (refusal(400, []), "bad_request", ("HTTP 400",), False, False),
    "error-is-a-string": (refusal(400, b'"quoted"'), "bad_request", ("quoted",), False, False),
    "error-with-the-key": (refusal(401, {"error": "bad sk-test-key"}), "unauthorized", ("bad [key]",), False, True),
    "error-that-drives-terminals": (
        refusal(400, {"error": "a\x1b[31m\u202eb"}), "bad_request", ("a [31m b",), False, False
    ),
    "error-cut": (Answer(b'{"error": "ha', 400, then="cut"), "bad_request", ("HTTP 400",), False, False),
    "html": (Answer(b"<html>login</html>", content_type="text/html"), "not_json", ("text/html",), False, False),
    "choices-null": (completion(None, error={"message": "boom"}), "no_choices", ("boom",), False, False),
    "choices-null-429": (
        completion(None, error={"message": "boom", "code": 429}), "rate_limited", ("boom",), True, True
    ),
    "choices-missing": (Answer(b'{"ok": true}'), "no_choices", ("no choices",), False, False),
    "json-list": (Answer(b"[]"), "no_choices", ("no choices",), False, False),
    "json-deep": (Answer(b"[" * 100_000), "not_json", ("application/json",), False, False),
    "error-in-choice": (completion({"content": ""}, error={"message": "late"}), "stream_error", ("late",), True, True),
    "stream-error": (
        streamed(chunk({"content": "a"}), 'data: {"error": {"message": "overloaded", "code": 502}}'),
        "stream_error", ("overloaded",), True, True,
    ),
    "stream-error-text": (streamed('data: {"error": "gone"}'), "stream_error", ("gone",), True, True),
    "stream-error-ours": (
        streamed('data: {"error": {"message": "bad", "code": "400"}}'), "stream_error", ("bad",), False, False
    ),
    "stream-error-object": (
        streamed('data: {"object": "error", "message": "bad", "code": 422}'), "stream_error", ("bad",), False, False
    ),
    "finish-error": (as_stream({"content": "a"}, "error"), "interrupted", ("(error)",), True, True),
    "finish-no-resources": (
        completion({"content": "a"}, "insufficient_system_resource"), "interrupted", ("broke its reply",), True, True
    ),
    "stream-cut": (streamed(chunk({"content": "a"})), "cut_stream", ("middle",), True, True),
    "stream-cut-in-a-call": (
        streamed(chunk({"tool_calls": [{"index": 0, "function": {"name": "t", "arguments": "{"}}]})),
        "cut_stream", ("middle",), True, True,
    ),
    "stream-cut-connection": (streamed(chunk({"content": "a"}), then="cut"), "cut_stream", ("middle",), True, True),
    "whole-cut-connection": (Answer(b'{"choices": [', then="cut"), "cut_stream", ("middle",), True, True),
    "stream-empty": (streamed(DONE), "empty_reply", ("empty",), True, True),
    "stream-no-json": (streamed("data: <oops>"), "cut_stream", ("can't be read",), True, True),
    "stream-usage-and-no-end": (
        streamed(chunk({"content": "a"}, usage=USAGE)), "cut_stream", ("middle",), True, True
    ),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "kind", "words", "retry", "elsewhere"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failure_is_one_clear_message(
    server: ChatServer, answer: Answer, kind: str, words: tuple[str, ...], retry: bool, elsewhere: bool
) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, answer)
    stopped = raised.value
    assert (stopped.kind, stopped.reason) == (kind, f"provider:{kind}")
    assert (stopped.status, int(stopped.exit_code)) == ("error", 5)
    assert all(word in stopped.message for word in words), stopped.message
    assert stopped.hint
    assert "`deepseek`" in stopped.message
    assert stopped.message.isprintable() and "<html>" not in stopped.message and "sk-test" not in stopped.message
    assert (stopped.retry, stopped.elsewhere) == (retry, elsewhere)
    assert len(server.requests) == 1, "whether it is asked again is not decided here"


def test_a_long_error_is_shortened(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(400, {"error": {"message": "long " * 500}}))
    assert len(raised.value.message) < 400


@pytest.mark.parametrize("then", ["silence", "blank lines"])
def test_an_error_whose_text_does_not_end(server: ChatServer, then: Then) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, Answer(b"busy", 503, "text/plain", then=then), timeout=0.5)
    assert (raised.value.kind, raised.value.retry) == ("server_error", True)


def test_an_error_of_any_length_is_read_in_part(server: ChatServer) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, Answer(b"x" * 3_000_000, 500, "text/plain"))
    assert raised.value.kind == "server_error"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({"retry-after-ms": "250"}, 0.25, id="milliseconds"),
        pytest.param({"retry-after-ms": "no", "retry-after": "7"}, 7, id="seconds"),
        pytest.param({"retry-after-ms": "-1", "retry-after": "1.5"}, 1.5, id="half-seconds"),
        pytest.param({"retry-after-ms": "", "retry-after": "999999"}, 86400, id="at-most-a-day"),
        pytest.param({"retry-after-ms": "", "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, 86400, id="date"),
        pytest.param({"retry-after-ms": "", "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, id="past-date"),
        pytest.param({"retry-after-ms": "", "retry-after": "soon"}, None, id="junk"),
        pytest.param({"retry-after-ms": "nan", "retry-after": "inf"}, None, id="no-numbers"),
        pytest.param({"retry-after-ms": ""}, None, id="nothing"),
    ],
)
def test_how_long_the_server_asks_to_wait(server: ChatServer, headers: dict[str, str], expected: float | None) -> None:
    with pytest.raises(ProviderFailed) as raised:
        ask(server, refusal(429, None, **headers))
    assert raised.value.retry_after == expected
