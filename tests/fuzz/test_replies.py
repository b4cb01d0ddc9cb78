"""What a server sends: whatever comes, in whatever pieces, gives a reply that can be sent on, or a failure."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from chat_server import Answer, serving
from fuzz.mutations import KEY, as_json, is_unicode, mutated_bytes, mutated_json, odd_values, repeated_bytes
from fuzz.profiles import fuzzed, in_time
from fuzz.replies import CHUNKS, COMPLETIONS, ERRORS, PIECES
from hypothesis import example, given
from hypothesis import strategies as st

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, ToolCall, ignore_delta
from orefactor.core.providers.call_pieces import CallPieces
from orefactor.core.providers.event_stream import event_data, looks_like_events
from orefactor.core.providers.failures import Party, refused
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.providers.refusals import read_refusal
from orefactor.core.providers.replies import Reply, read_completion
from orefactor.core.providers.values import as_object
from orefactor.core.tools import TOOL_SCHEMAS

PARTY = Party("somebody", "http://127.0.0.1/v1", KEY)
TAKEN = frozenset(["c1", "call00000"])
EVENTS = [b"data: " + as_json(chunk) + b"\n\n" for chunk in (*CHUNKS, *ERRORS)]
STREAMS = [
    b"".join(EVENTS[: len(CHUNKS)]) + b"data: [DONE]\n\n",
    b": hello\r\n\r\nevent: x\r\ndata: {}\r\n\r\n",
    *EVENTS,
]
bodies = mutated_bytes([*map(as_json, COMPLETIONS), *map(as_json, ERRORS)]) | mutated_json([*COMPLETIONS, *ERRORS]).map(
    as_json
)
changed_streams = mutated_bytes(STREAMS, [b"data:", b"data: [DONE]\n\n", b":", b"\n\n"])
statuses = st.sampled_from([400, 401, 403, 404, 408, 413, 422, 429, 500, 503, 599])


def require_sound(got: ProviderResponse) -> None:
    """Fail where a reply could not be sent back, kept or shown."""
    ids = [call.id for call in got.tool_calls]
    assert len(set(ids)) == len(ids) and not TAKEN & set(ids)
    assert all(ids)
    texts = [got.message.content or "", got.model, *(part for call in got.tool_calls for part in _texts(call))]
    assert all(map(is_unicode, texts))
    if got.message.reasoning is not None:
        assert is_unicode(got.message.reasoning.text)
        json.dumps(dict(got.message.reasoning.fields), ensure_ascii=False, allow_nan=False).encode()
    if got.usage is not None:
        assert 0 <= got.usage.cached_tokens <= got.usage.prompt_tokens < 2**53
        assert 0 <= got.usage.completion_tokens < 2**53


def _texts(call: ToolCall) -> tuple[str, ...]:
    return call.id, call.name, call.arguments


def require_told(error: ProviderFailed) -> None:
    """Fail where a failure is no line for people, or shows the key."""
    assert len(error.message) < 1000 and is_unicode(error.message)
    assert not {"Cc", "Cf", "Zl", "Zp"} & set(map(unicodedata.category, error.message))
    assert KEY not in error.message + error.hint + error.said
    assert is_unicode(error.said)
    assert error.retry_after is None or 0 <= error.retry_after <= 86_400


def read_stream(body: bytes) -> None:
    said: list[str] = []

    def hear(text: str, /, *, reasoning: bool = False) -> None:
        said.append(text)

    reply = Reply(PARTY, hear, TAKEN)
    try:
        for data in event_data([body]):
            reply.add_event(data)
        require_sound(reply.finish())
    except ProviderFailed as error:
        require_told(error)
    assert all(map(is_unicode, said))


def read_body(body: bytes, content_type: str) -> None:
    try:
        require_sound(read_completion(body, content_type, Reply(PARTY, ignore_delta, TAKEN)))
    except ProviderFailed as error:
        require_told(error)


@fuzzed()
@given(changed_streams, st.lists(st.integers(0, 400), max_size=6))
def test_a_stream_is_the_same_however_it_is_cut(body: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[begin:end] for begin, end in pairwise(places)]
    assert list(event_data(pieces)) == list(event_data([body]))
    looks_like_events(body)


@fuzzed()
@given(
    changed_streams
    | st.lists(mutated_json(CHUNKS).map(lambda chunk: b"data: " + as_json(chunk) + b"\n\n"), max_size=5).map(b"".join)
)
def test_a_stream_is_a_reply_or_a_failure(body: bytes) -> None:
    read_stream(body)


@fuzzed()
@given(bodies, st.sampled_from(["application/json", "text/html", "", "\x1b]0;x\7" + KEY]))
def test_one_body_is_a_reply_or_a_failure(body: bytes, content_type: str) -> None:
    read_body(body, content_type)


@fuzzed()
@given(st.lists(mutated_json(PIECES) | st.sampled_from(PIECES), max_size=8), st.booleans())
def test_pieces_of_calls_in_any_order(pieces: Sequence[Any], is_whole: bool) -> None:
    collected = CallPieces()
    for piece in pieces:
        (collected.add_whole if is_whole else collected.add)(as_object(piece))
    calls, signed = collected.finish(TAKEN)
    require_sound(ProviderResponse(Message("assistant", None, calls)))
    assert {item["id"] for item in signed} <= {call.id for call in calls}
    json.dumps(signed, ensure_ascii=False, allow_nan=False).encode()


headers = st.dictionaries(
    st.sampled_from(["retry-after", "retry-after-ms", "x-should-retry", "content-type"]),
    st.sampled_from(
        ["1", "-1", "1e400", "nan", "Wed, 99 Foo", "Wed, 21 Oct 9999 07:28:00 GMT", "true", "text/html", ""]
    ),
)


@fuzzed()
@example(400, as_json({"error": "an Arabic letter mark: \u061c, and tags: \U000e0041"}), {}, False)
@given(statuses, bodies | odd_values.map(as_json), headers, st.booleans())
def test_a_refusal_is_told_in_one_line(status: int, body: bytes, told: dict[str, str], with_form: bool) -> None:
    require_told(refused(read_refusal(status, body, told), PARTY, with_form=with_form))


@pytest.mark.untraced
@fuzzed(cost=6)
@given(repeated_bytes(STREAMS) | repeated_bytes([*map(as_json, COMPLETIONS), *map(as_json, ERRORS)]))
def test_long_bodies_take_linear_time(body: bytes) -> None:
    with in_time(len(body)):
        read_stream(body)
        read_body(body, "")
        refused(read_refusal(400, body, {}), PARTY)


answers = st.builds(
    Answer,
    bodies | changed_streams,
    st.just(200) | statuses,
    st.sampled_from(["application/json", "text/event-stream", "text/plain"]),
)


@fuzzed(cost=3)
@given(st.lists(answers, min_size=2, max_size=2), st.sampled_from(["openai-compatible", "deepseek", "openai"]))
def test_a_real_server_with_any_answers(scripted: list[Answer], row: str) -> None:
    with serving() as server:
        server.script(*scripted)
        provider = OpenAIProvider(PROVIDERS[row], server.url, KEY)
        history = (Message("user", "do it"), Message("assistant", None, tuple(ToolCall(i, "x", "{}") for i in TAKEN)))
        for _ in range(2):
            try:
                require_sound(provider.complete(ProviderRequest(history, "m", tuple(TOOL_SCHEMAS), timeout=20)))
            except ProviderFailed as error:
                require_told(error)
