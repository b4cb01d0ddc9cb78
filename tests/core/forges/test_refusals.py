"""What a forge's error becomes: one line, a hint, an exit code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from orefactor.core.errors import ExitCode
from orefactor.core.forges.refusals import Reply, refusal
from orefactor.core.forges.reply import number_of, text_of


@pytest.mark.parametrize(
    ("status", "body", "headers", "message", "hint", "code"),
    [
        (401, {"message": "401 Unauthorized"}, {}, "refuses the login (HTTP 401): 401 Unauthorized", "check", 5),
        (403, {"message": "no"}, {}, "does not allow that (HTTP 403): no", "needs the right", 5),
        (403, {}, {"x-ratelimit-remaining": "0"}, "too many requests (HTTP 403)", "wait a while", 5),
        (403, {}, {"retry-after": "60"}, "too many requests (HTTP 403)", "wait 60 seconds", 5),
        (429, {}, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "too many requests", "wait a while", 5),
        (404, {"message": {"base": ["is missing"]}}, {}, "(HTTP 404): base is missing", "check the remote", 5),
        (409, {"message": ["exists: !5", "too"]}, {}, "in conflict (HTTP 409): exists: !5, too", "are open", 7),
        (422, {"errors": [{"message": "A PR already exists"}]}, {}, "(HTTP 422): A PR already exists", "see", 7),
        (422, {"error": "x", "error_description": "x"}, {}, "refuses the request (HTTP 422): x", "see", 5),
        (418, [1], {}, "refuses the request (HTTP 418)", "see", 5),
        (307, {}, {}, "sends us to another address", "see the remote", 5),
        (503, b"[" * 99_999, {}, "failed (HTTP 503)", "try again later", 5),
        (503, {"message": [[[[["deep"]]]]]}, {}, "failed (HTTP 503)", "try again later", 5),
        (500, {"message": "a\x1b[2J\n\ud800\u202eb" + "c" * 1000}, {}, r"(HTTP 500): a [2J \ud800 bccc", "later", 5),
    ],
)
def test_one_line(status: int, body: Any, headers: dict[str, str], message: str, hint: str, code: int) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    error = refusal("forge.example", Reply(status, headers, data))
    assert message in error.message
    assert error.message.startswith("forge.example ")
    assert len(error.message) < 400
    assert error.message.isprintable()
    assert hint in error.hint
    assert (error.exit_code, error.status) == (ExitCode(code), status)


def test_values_of_any_form() -> None:
    value = {"a": {"b": "text", "n": 5, "t": True}, "l": [1]}
    assert text_of(value, "a", "b") == "text"
    assert {text_of(value, "a"), text_of(value, "l", "b"), text_of(None, "x")} == {""}
    assert number_of(value, "a", "n") == 5
    assert {number_of(value, "a", "t"), number_of({"n": -1}, "n"), number_of([], "n")} == {None}
