"""The API over real HTTP: what is sent, where the token may go, and every way not to get a reply."""

from __future__ import annotations

import socket
from collections.abc import Generator

import httpx
import pytest
from forge_server import Answer, ForgeServer, serving

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.forges.rest import RestApi, no_reply

TOKEN = {"Authorization": "Bearer nobody"}


@pytest.fixture
def server() -> Generator[ForgeServer]:
    with serving() as forge:
        yield forge


def _api(server: ForgeServer) -> RestApi:
    return RestApi(f"{server.url}/api/v3", TOKEN)


def test_a_call(server: ForgeServer) -> None:
    server.instead.append(("POST", Answer(201, {"a": 1}, {"X-Some": "Thing"})))
    reply = _api(server).call("POST", "repos/a%20b?x=1%2F2", {"title": "\u00e9"})
    assert (reply.status, reply.value(), reply.headers["x-some"]) == (201, {"a": 1}, "Thing")
    (asked,) = server.asked
    assert (asked.line, asked.query, asked.body) == ("POST /api/v3/repos/a%20b", {"x": "1/2"}, {"title": "\u00e9"})
    assert (asked.headers["authorization"], asked.headers["user-agent"]) == ("Bearer nobody", "git-orefactor")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_on_the_same_server_is_followed(server: ForgeServer, status: int) -> None:
    server.instead.append(("POST .*/old", Answer(status, {}, {"Location": "/api/v3/new"})))
    server.instead.append(("POST .*/new", Answer(201, {"a": 1})))
    assert _api(server).call("POST", "old", {"x": 1}).status == 201
    assert [(asked.line, asked.body) for asked in server.asked] == [
        ("POST /api/v3/old", {"x": 1}),
        ("POST /api/v3/new", {"x": 1}),
    ]


def test_one_to_another_server_is_not(server: ForgeServer) -> None:
    with serving() as other:
        server.instead.append(("GET", Answer(302, {}, {"Location": f"{other.url}/api/v3/x"})))
        assert _api(server).call("GET", "x").status == 302
        assert other.asked == []


def test_redirects_have_an_end(server: ForgeServer) -> None:
    server.instead.append(("GET", Answer(302, {}, {"Location": "/again"})))
    assert _api(server).call("GET", "x").status == 302
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(200, {"a": 1}, cut=True), "broke the connection off"),
        (Answer(200, b"x" * (9 << 20)), "answers without end"),
        (Answer(200, b"no gzip", {"Content-Encoding": "gzip"}), "can't be reached"),
        (Answer(302, {}, {"Location": "http://[bad"}), "can't be reached"),
    ],
    ids=["cut", "endless", "spoiled", "odd redirect"],
)
def test_no_reply(server: ForgeServer, answer: Answer, said: str) -> None:
    server.instead.append(("GET", answer))
    with pytest.raises(UserError, match=said) as caught:
        _api(server).call("GET", "x")
    assert caught.value.exit_code is ExitCode.PROVIDER


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (httpx.ReadTimeout(""), "f does not answer in time: ReadTimeout"),
        (httpx.ConnectTimeout("slow"), "f does not answer in time: slow"),
        (httpx.ProxyError("403 Forbidden"), "f can't be reached through the proxy: 403 Forbidden"),
        (httpx.ReadError("reset"), "f broke the connection off: reset"),
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] x"), "f shows a certificate that is not trusted"),
        (httpx.ConnectError("Name or\nservice\x1b not known"), "f can't be reached: Name or service not known"),
    ],
)
def test_why_there_was_none(error: Exception, said: str) -> None:
    assert no_reply("f", error).message.startswith(said)


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(UserError, match="can't be reached"):
            RestApi(url, TOKEN).call("GET", "x")


def test_a_server_without_a_certificate(server: ForgeServer) -> None:
    with pytest.raises(UserError, match=r"127\.0\.0\.1:\d+ can't be reached"):
        RestApi(server.url.replace("http:", "https:"), TOKEN).call("GET", "x")
    assert server.asked == []


def test_a_proxy_that_is_none(server: ForgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.instead.append(("", Answer(200, {"a": 1})))
    monkeypatch.setenv("http_proxy", server.url)
    assert RestApi("http://forge.example/api/v3", TOKEN).call("GET", "x").status == 200
    monkeypatch.setenv("https_proxy", server.url)
    with pytest.raises(UserError, match="can't be reached through the proxy"):
        RestApi("https://forge.example/api/v3", TOKEN).call("GET", "x")
