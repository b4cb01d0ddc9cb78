"""What a server says when it refuses: an error status and its body, or an error object inside of a reply.

Read here and not by the client, which reads a body whole, however long and slow it is. What a refusal means is said in
`failures`, and what can be done without in `downgrades`.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Any

from .values import Json, as_object, as_objects, as_text, dumped, error_text, one_line

_LARGEST_BODY = 256 * 1024
_LONGEST_READ = 10.0
"""Seconds that the body of an error may take; what came until then is enough."""
_LONGEST_SAID = 4000
_LONGEST_GENERATION = 20_000
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal.

    Attributes:
        status: the HTTP status, or the code in the error object that means one; 0 where there is none.
        said: the server's words on one line, longer than people want to read.
        code: the error's code, in small letters.
        parameter: the parameter that the error names.
        generation: the model's call that the server itself refused.
        retry_after: seconds that the server asks to wait.
        should_retry: whether the server says that asking again helps; None where it says nothing.
    """

    status: int
    said: str
    code: str = ""
    parameter: str = ""
    generation: str = ""
    retry_after: float | None = None
    should_retry: bool | None = None


class Refused(Exception):
    """Carries a refusal through the client."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.said)
        self.refusal = refusal


def raise_for_status(response: Any) -> None:  # noqa: ANN401 - httpx's or httpx2's
    """A hook of the client's transport: reads an error's body in time and bounds.

    Raises:
        Refused: the response has an error status.
    """
    if response.status_code >= 400:
        body = _read_body(response)
        raise Refused(read_refusal(response.status_code, body, response.headers))


def _read_body(response: Any) -> bytes:  # noqa: ANN401 - as above
    transport = import_module(type(response).__module__.partition(".")[0])
    allowed = response.request.extensions.get("timeout", {}).get("read") or _LONGEST_READ
    end = time.monotonic() + min(allowed, _LONGEST_READ)
    body = bytearray()
    try:
        for piece in response.iter_bytes():
            body += piece
            if len(body) > _LARGEST_BODY or time.monotonic() > end:
                break
    except transport.HTTPError:
        # The status says enough where the body doesn't come.
        pass
    return bytes(body[:_LARGEST_BODY])


def read_refusal(status: int, body: bytes, headers: Mapping[str, str]) -> Refusal:
    """The refusal of an error status. A page of HTML says nothing worth quoting."""
    text = body.decode("utf-8", "replace").strip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        is_page = "html" in headers.get("content-type", "") or text.startswith("<")
        found = {} if is_page else {"message": text}
    if isinstance(found, list):
        # Gemini wraps its error in a list.
        found = next(iter(as_objects(found)), None)
    refusal = find_refusal(as_object(found) or {"message": as_text(found)}, status)
    wait, should_retry = read_retry_after(headers), headers.get("x-should-retry", "").lower()
    return Refusal(
        status, refusal.said, refusal.code, refusal.parameter, refusal.generation, wait,
        {"true": True, "false": False}.get(should_retry),
    )  # fmt: skip


def find_refusal(body: Json, status: int = 0) -> Refusal:
    """The refusal that an error object means; its own status where none is given."""
    error = as_object(body.get("error")) or body
    code = error.get("code") or error.get("type")
    said = error_text(body) or (dumped(body) if body and not error.get("code") else "")
    return Refusal(
        status or _status(error) or _status(body),
        one_line(said, _LONGEST_SAID),
        one_line(str(code) if isinstance(code, int) else as_text(code)).lower(),
        one_line(as_text(error.get("param"))),
        as_text(error.get("failed_generation"))[:_LONGEST_GENERATION],
    )


def _status(error: Json) -> int:
    for name in ("code", "status_code", "status", "raw_status_code"):
        value = error.get(name)
        number = (
            int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3 else value
        )
        if isinstance(number, int) and 400 <= number < 600:
            return number
    return 0


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the headers ask to wait, at most a day; None where they ask for nothing or for nonsense."""
    wait = _number(headers.get("retry-after-ms", ""))
    if wait is not None:
        return min(wait / 1000, _DAY)
    asked = headers.get("retry-after", "").strip()
    wait = _number(asked)
    if wait is None:
        try:
            wait = max(parsedate_to_datetime(asked).timestamp() - time.time(), 0.0)
        except (ValueError, TypeError, OverflowError):
            return None
    return min(wait, _DAY)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
