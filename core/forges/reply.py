"""What a forge answers: read with care, and said in one line where it is a refusal.

A forge may be anybody's server, or something else that answers in its place, such as a proxy's page for logging in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeVar, cast

from ..errors import ExitCode, UserError
from ..redact import printable
from .refusals import Json as Json
from .refusals import Reply, one_line, refusal

Found = TypeVar("Found")
Method = Literal["GET", "POST", "PATCH", "PUT"]

LARGEST_REPLY = 8 << 20
"""Bytes; a page of requests with long descriptions has some hundred thousand."""


class Api(Protocol):
    """One way to call a forge's API.

    Attributes:
        name: who is asked, for messages.
    """

    @property
    def name(self) -> str:
        """Who is asked, for messages."""
        ...

    def call(self, method: Method, path: str, body: Json | None = None) -> Reply:
        """Make one call, whatever its status.

        Args:
            path: below the API's address, each part quoted, maybe with a query.

        Raises:
            UserError: there was no reply.
        """
        ...


def ask(api: Api, method: Method, path: str, body: Json | None = None) -> Any:  # noqa: ANN401 - JSON
    """Make a call that has to succeed, and give the JSON of its reply; None where there is nothing in it.

    Raises:
        ForgeRefused: the forge says no, or something else than a forge answered.
        UserError: nobody answered.
    """
    reply = api.call(method, path, body)
    if not 200 <= reply.status < 300:
        raise refusal(api.name, reply)
    found = reply.value()
    if found is None and reply.body.strip() not in (b"", b"null"):
        raise _no_api(api.name, reply)
    return found


def ask_object(api: Api, method: Method, path: str, body: Json | None = None) -> Json:
    """The same for a reply that has to be an object.

    Raises:
        UserError: as `ask`.
    """
    found = ask(api, method, path, body)
    if not isinstance(found, dict):
        raise _odd(api.name)
    return cast("Json", found)


def ask_list(api: Api, path: str) -> list[Json]:
    """The same for a list of objects.

    Raises:
        UserError: as `ask`.
    """
    found = ask(api, "GET", path)
    if not isinstance(found, list):
        raise _odd(api.name)
    return [cast("Json", item) for item in cast("Sequence[Any]", found) if isinstance(item, dict)]


def made(found: Found | None, api: Api) -> Found:
    """What was read from a reply, which has to be there.

    Raises:
        UserError: it isn't.
    """
    if found is None:
        raise _odd(api.name)
    return found


def text_of(value: Any, *names: str) -> str:  # noqa: ANN401 - JSON
    """The text below these names; empty where there is none."""
    for name in names:
        value = cast("Json", value).get(name) if isinstance(value, dict) else None
    return printable(value) if isinstance(value, str) else ""


def number_of(value: Any, *names: str) -> int | None:  # noqa: ANN401 - JSON
    """The whole number below these names."""
    for name in names:
        value = cast("Json", value).get(name) if isinstance(value, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63 else None


def _no_api(name: str, reply: Reply) -> UserError:
    kind = one_line(reply.headers.get("content-type", "").partition(";")[0]) or "something"
    return UserError(
        f"{name} answers with {kind} in place of JSON",
        hint="see whether a proxy or a page for logging in stands before it, and whether it is that forge: `--forge`",
        exit_code=ExitCode.PROVIDER,
    )


def _odd(name: str) -> UserError:
    return UserError(
        f"{name} answers in a form that is not documented",
        hint="see whether it is that forge: `--forge github`, `gitlab` or `gitea`",
        exit_code=ExitCode.PROVIDER,
    )
