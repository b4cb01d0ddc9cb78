"""Calls a forge's API with a token, by the HTTP client that the model's client brings along.

The token goes to one origin only: a redirect is followed where it stays there, since renamed projects answer that way.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from ..errors import ExitCode, UserError
from .refusals import Reply, one_line
from .reply import LARGEST_REPLY, Json, Method

if TYPE_CHECKING:
    import httpx

_SILENCE, _CONNECT, _WHOLE = 30.0, 10.0, 90.0
"""Seconds: between two pieces, until there is a connection, and for one call."""
_MOST_REDIRECTS = 3


class RestApi:
    """The API at an address."""

    def __init__(self, api: str, headers: Mapping[str, str]) -> None:
        self._api = api
        self.headers = {"Accept": "application/json", "User-Agent": "git-orefactor", **headers}
        self._client: httpx.Client | None = None

    @property
    def name(self) -> str:
        """The host."""
        return urlsplit(self._api).netloc

    def call(self, method: Method, path: str, body: Json | None = None) -> Reply:
        """Make one call.

        Raises:
            UserError: there was no reply, or one without end.
        """
        import httpx

        url = f"{self._api}/{path}"
        end = time.monotonic() + _WHOLE
        try:
            reply = self._once(method, url, body, end)
            for _ in range(_MOST_REDIRECTS):
                target = urljoin(url, reply.headers.get("location", "")) if 300 <= reply.status < 400 else ""
                if not target or _origin(target) != _origin(self._api):
                    break
                url = target
                reply = self._once(method, url, body, end)
            return reply
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError) as error:
            raise no_reply(self.name, error) from error

    def _opened(self) -> httpx.Client:
        if self._client is None:
            import httpx

            # Certificates take long to load, and an open line has none; it isn't left for one that has, see `_origin`.
            client = httpx.Client(
                timeout=httpx.Timeout(_SILENCE, connect=_CONNECT),
                follow_redirects=False,
                verify=self._api.startswith("https:"),
            )
            weakref.finalize(self, client.close)
            self._client = client
        return self._client

    def _once(self, method: Method, url: str, body: Json | None, end: float) -> Reply:
        pieces: list[bytes] = []
        with self._opened().stream(method, url, json=body, headers=self.headers) as response:
            for piece in response.iter_bytes():
                pieces.append(piece)
                if sum(map(len, pieces)) > LARGEST_REPLY or time.monotonic() > end:
                    raise self._endless()
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status_code, headers, b"".join(pieces))

    def _endless(self) -> UserError:
        return UserError(
            f"{self.name} answers without end", hint="see whether it is that forge", exit_code=ExitCode.PROVIDER
        )


def no_reply(name: str, error: Exception) -> UserError:
    """Why there was no reply, in one line.

    Args:
        name: who was asked.
        error: the client's, or of an address that it can't read.
    """
    import httpx

    what, hint = "can't be reached", "check the network, the address and the proxy settings, and try again"
    if isinstance(error, httpx.TimeoutException):
        what = "does not answer in time"
    elif isinstance(error, httpx.ProxyError):
        what, hint = "can't be reached through the proxy", "check HTTPS_PROXY and NO_PROXY"
    elif isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)):
        what, hint = "broke the connection off", "try again; what was made there is found and updated"
    elif "CERTIFICATE" in str(error).upper():
        what, hint = "shows a certificate that is not trusted", "name its authority's file in SSL_CERT_FILE"
    said = one_line(str(error)) or type(error).__name__
    return UserError(f"{name} {what}: {said}", hint=hint, exit_code=ExitCode.PROVIDER)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
