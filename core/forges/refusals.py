"""One reply of a forge, and what it says where it is a refusal, in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ..errors import ExitCode, UserError
from ..redact import printable

Json = dict[str, Any]

_LONGEST, _DEEPEST, _MOST = 300, 3, 5
"""Characters of what a forge says, levels of it, and entries of each."""

# status -> (what happened, hint)
_STATUSES: Mapping[int, tuple[str, str]] = {
    401: ("refuses the login", "check the token, or log in once more: see `git orefactor --help`, under pr"),
    403: ("does not allow that", "the token or the login needs the right to write requests in this project"),
    404: ("knows no such project, or does not show it to this login", "check the remote's address and the token"),
    405: ("does not know that call", "see whether it is the forge that was named: `--forge NAME`"),
    409: ("says that it is in conflict", "see the requests that are open there"),
    410: ("says that it is gone", "see whether requests are turned off in the project's settings"),
    422: ("refuses the request", "see what it says"),
    429: ("says that there were too many requests", "wait a while, and try again"),
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP reply; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    def value(self) -> Any:  # noqa: ANN401 - JSON
        """The body as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class ForgeRefused(UserError):
    """The forge answered with an error.

    Attributes:
        status: of HTTP.
        said: the forge's own words, without control characters.
    """

    def __init__(self, message: str, *, hint: str, exit_code: ExitCode, status: int, said: str) -> None:
        super().__init__(message, hint=hint, exit_code=exit_code)
        self.status = status
        self.said = said


def refusal(name: str, reply: Reply) -> ForgeRefused:
    """An error status in our words."""
    said = _said(reply)
    status = 429 if reply.status == 403 and _is_limited(reply) else reply.status
    if status >= 500:
        what, hint = "failed", "try again later"
    elif 300 <= status < 400:
        what, hint = "sends us to another address, where the token must not go", "see the remote's address"
    else:
        what, hint = _STATUSES.get(status, ("refuses the request", "see what it says"))
    wait = reply.headers.get("retry-after", "")
    if status == 429 and wait.isascii() and wait.isdigit() and len(wait) < 7:
        hint = f"wait {int(wait)} seconds, and try again"
    is_conflict = status == 409 or (status == 422 and "already exists" in said.lower())
    code = ExitCode.CONFLICT if is_conflict else ExitCode.PROVIDER
    words = f": {said}" if said else ""
    message = f"{name} {what} (HTTP {reply.status}){words}"
    return ForgeRefused(message, hint=hint, exit_code=code, status=reply.status, said=said)


def _is_limited(reply: Reply) -> bool:
    return "retry-after" in reply.headers or reply.headers.get("x-ratelimit-remaining") == "0"


def _said(reply: Reply) -> str:
    """The words of an error: GitHub's `message` and `errors`, GitLab's `message` or `error`, Gitea's `message`."""
    found = reply.value()
    if not isinstance(found, dict):
        return ""
    told = cast("Json", found)
    parts = [_flat(told.get(name)) for name in ("message", "error", "error_description", "errors")]
    return one_line("; ".join(dict.fromkeys(part for part in parts if part)))


def _flat(value: Any, depth: int = 0) -> str:  # noqa: ANN401 - JSON
    match value:
        case str():
            return value[:_LONGEST]
        case list() if depth < _DEEPEST:
            items = cast("Sequence[Any]", value)[:_MOST]
            return ", ".join(part for part in (_flat(item, depth + 1) for item in items) if part)
        case dict() if depth < _DEEPEST:
            told = cast("Mapping[str, Any]", value)
            if isinstance(told.get("message"), str):
                return _flat(told["message"], depth + 1)
            return ", ".join(f"{key} {_flat(item, depth + 1)}" for key, item in list(told.items())[:_MOST])
        case _:
            return ""


def one_line(text: str) -> str:
    """A stranger's words on one short line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in printable(text)).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
