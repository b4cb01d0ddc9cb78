"""What `doctor --online` sees of a server, against a real one that answers GET and POST, and never more than it may."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from chat_server import DONE, Answer, as_stream, chunk, completion, refusal, streamed, tool_call

from orefactor.core.providers.choose import Server
from orefactor.core.providers.online import Finding, look
from orefactor.core.providers.prices import Price, PriceList
from orefactor.core.providers.quirks import PROVIDERS, Quirks
from orefactor.core.providers.server_facts import within

KEY = "key-of-nobody-4711"
CHAT, MODELS, SHOW = "POST /v1/chat/completions", "GET /v1/models", "POST /api/show"
PRICES = PriceList({"m": Price(0.022, 0.66, 1.98)})
Routes = Mapping[str, Sequence[Answer]]


@dataclass(slots=True)
class Answering:
    """One server on a port of its own: what it answers by route, the last answer again and again; and who asked."""

    routes: dict[str, list[Answer]]
    asked: list[str] = field(default_factory=list[str])
    keys: list[str | None] = field(default_factory=list["str | None"])
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    stopped: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def answer(self, route: str) -> Answer:
        answers = self.routes.get(route, [refusal(404)])
        return answers.pop(0) if len(answers) > 1 else answers[0]


@contextmanager
def serving(routes: Routes) -> Generator[Answering]:
    own = Answering({route: list(answers) for route, answers in routes.items()})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            own.asked.append(f"{self.command} {self.path}")
            own.keys.append(self.headers["authorization"])
            if size := int(self.headers["content-length"] or 0):
                own.bodies.append(json.loads(self.rfile.read(size)))
            self.send(own.answer(own.asked[-1]))

        do_POST = do_GET  # noqa: N815 - the name that the base class looks for

        def send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            self.send_header("content-length", str(len(answer.body) + (0 if answer.then == "end" else 10_000)))
            # Said, so that the client doesn't ask again where nobody listens any more.
            self.send_header("connection", "close")
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                while answer.then not in ("end", "cut") and not own.stopped.wait(0.01):
                    self.wfile.write(b"\n" if answer.then == "blank lines" else b"")
            except OSError:
                return

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        own.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield own
        finally:
            own.stopped.set()
            server.shutdown()
            thread.join()


def subject(server: Answering, row: str = "openai-compatible", model: str = "m", key: str | None = KEY) -> Server:
    return Server(PROVIDERS[row], server.url, key, model)


def seen(server: Answering, *, seconds: float = 20.0, **named: Any) -> list[Finding]:
    return list(look(subject(server, **named), PRICES, seconds=seconds))


def listing(*names: object) -> Answer:
    return Answer(json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode())


PING = {"role": "assistant", "content": None, "tool_calls": [tool_call("c1", "ping")]}
OK = {"role": "assistant", "content": "ok"}
USED = {"prompt_tokens": 1200, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 1024}}
CALLED = as_stream(PING, "tool_calls", usage=USED)
IN_TEXT = completion(OK)
THOUGHT = completion({"role": "assistant", "content": "let me"}, "length")
THINKING = streamed(
    chunk({"reasoning_content": "h"}), chunk({"reasoning_content": "m"}), chunk({"content": "ok"}, "stop"), DONE
)
NO_TOOLS = refusal(400, {"error": {"message": "m does not support tools"}})
GOOD_PRICE = ("price", True, "0.022 / 0.66 / 1.98 USD per million tokens (cached / prompt / reply)")
SERVER = ("server", True, "answers and takes the key")
STREAMING, IN_ONE_PIECE = ("streaming", True, "seen"), ("streaming", False, "in one piece")
NO_USAGE = ("usage", False, "not reported, so tokens are estimated")


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        pytest.param(
            {MODELS: [listing("x", "m")], CHAT: [CALLED]},
            [SERVER, ("model", True, "`m` answers as `served` and is in the server's list"),
             ("tools", True, "called (`ping`)"), STREAMING,
             ("usage", True, "reported: 1,200 in, 1,024 of them cached, 7 out"), GOOD_PRICE],
            id="all-is-well",
        ),
        pytest.param(
            {CHAT: [as_stream(PING, usage={"prompt_tokens": 3, "completion_tokens": 1})]},
            [SERVER, ("model", True, "`m` answers as `served`"), ("tools", True, "called"), STREAMING,
             ("usage", True, "reported: 3 in, 1 out"), GOOD_PRICE],
            id="no-list-of-models",
        ),
        pytest.param(
            {MODELS: [listing("models/m")], CHAT: [IN_TEXT]},
            [SERVER, ("model", True, "in the server's list"), ("tools", False, "answered in text"), IN_ONE_PIECE,
             NO_USAGE, GOOD_PRICE],
            id="text-in-one-piece",
        ),
        pytest.param(
            {MODELS: [listing("other")], CHAT: [THINKING]},
            [SERVER, ("model", True, "`m` answers as `served`"), ("tools", False, "answered in text"), STREAMING,
             NO_USAGE, GOOD_PRICE],
            id="list-without-the-model-and-reasoning",
        ),
        pytest.param(
            {CHAT: [THOUGHT]},
            [SERVER, ("model", True, "answers"), ("tools", False, "cut at 256 tokens"), IN_ONE_PIECE, NO_USAGE,
             GOOD_PRICE],
            id="cut-before-a-call",
        ),
        pytest.param(
            {CHAT: [NO_TOOLS, as_stream(OK)]},
            [SERVER, ("model", True, "answers"), ("tools", False, "m does not support tools"), STREAMING, NO_USAGE,
             GOOD_PRICE],
            id="tools-refused",
        ),
        pytest.param(
            {CHAT: [NO_TOOLS, refusal(402)], MODELS: [listing("m")]},
            [("server", True, "answers"), ("model", True, "in the server's list"), ("reply", False, "no credit left"),
             GOOD_PRICE],
            id="tools-refused-and-then-all",
        ),
        pytest.param(
            {MODELS: [listing("m")], CHAT: [refusal(401, {"error": {"message": f"wrong key {KEY}, sorry"}})]},
            [("server", False, "wrong key [key], sorry"), GOOD_PRICE],
            id="key-refused-and-quoted",
        ),
        pytest.param(
            {MODELS: [refusal(401)], CHAT: [CALLED]},
            [SERVER, ("model", True, "answers"), ("tools", True, "called"), STREAMING, ("usage", True, "reported"),
             GOOD_PRICE],
            id="key-without-the-right-to-lists",
        ),
        pytest.param({}, [("server", False, "knows no such model or address"), GOOD_PRICE], id="wrong-address"),
        pytest.param(
            {CHAT: [Answer(b"<html>", content_type="text/html")]},
            [("server", False, "text/html"), GOOD_PRICE],
            id="some-web-page",
        ),
        pytest.param(
            {MODELS: [listing("mm")], CHAT: [refusal(404, {"error": {"message": "no model m"}})]},
            [("server", True, "answers"), ("model", False, "no model m"), GOOD_PRICE],
            id="unknown-model",
        ),
        pytest.param(
            {MODELS: [listing("mm")], CHAT: [refusal(400, {"error": {"message": "Model Not Exist"}})]},
            [("server", True, "answers"), ("model", False, "Model Not Exist"), GOOD_PRICE],
            id="unknown-model-as-a-bad-request",
        ),
        pytest.param(
            {MODELS: [listing("m")], CHAT: [refusal(400, {"error": {"message": "bad"}})]},
            [("server", True, "answers"), ("model", True, "in the server's list"), ("reply", False, "bad"), GOOD_PRICE],
            id="bad-request-with-a-known-model",
        ),
        pytest.param(
            {CHAT: [refusal(429)]},
            [("server", True, "answers"), ("reply", False, "too many requests"), GOOD_PRICE],
            id="rate-limited",
        ),
        pytest.param(
            {CHAT: [refusal(500)]},
            [("server", True, "answers"), ("reply", False, "HTTP 500"), GOOD_PRICE],
            id="failing",
        ),
    ],
)  # fmt: skip
def test_findings(routes: Routes, expected: list[tuple[str, bool, str]]) -> None:
    with serving(routes) as server:
        findings = seen(server)
    assert [(finding.name, finding.ok) for finding in findings] == [(name, ok) for name, ok, _ in expected]
    for finding, (_, _, words) in zip(findings, expected, strict=True):
        assert words in finding.text
        assert "\n" not in finding.text
        assert finding.ok or finding.hint
        assert KEY not in finding.text + finding.hint


def hint(findings: list[Finding], name: str) -> str:
    return next(finding.hint for finding in findings if finding.name == name)


def test_hints() -> None:
    with serving({MODELS: [listing("llama", "m-large")], CHAT: [NO_TOOLS, completion(OK)]}) as server:
        findings = seen(server, model="m-larg")
    assert "`--tool-protocol text`" in hint(findings, "tools")
    assert 'orefactor.m-larg.price "CACHED PROMPT COMPLETION"' in hint(findings, "price")
    with serving({MODELS: [listing("llama", "m-large")], CHAT: [refusal(404)]}) as server:
        assert hint(seen(server, model="m-larg"), "model") == "did you mean `m-large`?"


def test_what_is_asked() -> None:
    with serving({CHAT: [CALLED]}) as server:
        seen(server)
    assert server.asked == [MODELS, CHAT, CHAT]
    assert set(server.keys) == {f"Bearer {KEY}"}
    asked = server.bodies[0]
    assert [tool["function"]["name"] for tool in asked["tools"]] == ["ping"]
    assert (asked["model"], asked["stream"], asked["max_tokens"]) == ("m", True, 256)
    # Whether it streams is asked again only where the reply didn't tell.
    assert "tools" not in server.bodies[1]


def test_without_a_key() -> None:
    with serving({CHAT: [CALLED]}) as server:
        assert seen(server, key=None)[0].text == f"{server.url} answers"


ROW: Quirks = PROVIDERS["ollama"]


@pytest.mark.parametrize(
    ("said", "expected", "offered"),
    [
        pytest.param(Answer(b'{"capabilities": ["completion", "tools"]}'), ("tools", True, "called"), True, id="can"),
        pytest.param(Answer(b'{"capabilities": ["completion"]}'), ("tools", False, "the server says"), False, id="no"),
        pytest.param(Answer(b'{"capabilities": [1]}'), ("tools", False, "the server says"), False, id="odd"),
        pytest.param(Answer(b'{"license": "x"}'), ("tools", True, "called"), True, id="says-nothing"),
        pytest.param(refusal(404), ("tools", True, "called"), True, id="older"),
    ],
)
def test_ollama_is_asked_what_the_model_can_do(said: Answer, expected: tuple[str, bool, str], offered: bool) -> None:
    with serving({MODELS: [listing("m:latest")], SHOW: [said], CHAT: [CALLED]}) as server:
        findings = seen(server, row="ollama", key=None)
    assert "in the server's list" in findings[1].text
    assert (findings[2].name, findings[2].ok) == expected[:2]
    assert expected[2] in findings[2].text
    assert server.asked[1] == SHOW
    assert server.bodies[0] == {"model": "m"}
    assert ("tools" in server.bodies[1]) is offered


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(Answer(b""), id="empty"),
        pytest.param(Answer(b"{"), id="no-json"),
        pytest.param(Answer(b"\xff"), id="no-text"),
        pytest.param(Answer(b"[" * 100_000), id="deep"),
        pytest.param(Answer(b'{"data": {"id": "m"}}'), id="no-list"),
        pytest.param(Answer(b'{"data": [1, {"id": 2}, {"id": ""}]}'), id="no-names"),
        pytest.param(listing("m" * 1_000_000), id="long-name"),
        pytest.param(listing(*["x"] * 1000, "m"), id="many-names"),
        pytest.param(Answer(b'{"data": [{"id": "m"}]}' + b" " * (9 << 20)), id="large"),
        pytest.param(Answer(b'{"data": [{"id": "m"}]}', then="cut"), id="cut"),
        pytest.param(Answer(b'{"data": [{"id": "m"}]}', then="silence"), id="silent"),
        pytest.param(Answer(b'{"data": [{"id": "m"}]}', then="blank lines"), id="never-ending"),
    ],
)
def test_a_list_of_models_that_is_none_proves_nothing(said: Answer) -> None:
    with serving({MODELS: [said], CHAT: [CALLED]}) as server:
        findings = seen(server, seconds=2.0 if said.then in ("silence", "blank lines") else 20.0)
    assert [finding.ok for finding in findings] == [True] * 6
    assert findings[1].text == "`m` answers as `served`"


@pytest.mark.parametrize("names", [["m"], ["M"], ["vendor/m"], ["m:latest"]])
def test_a_bare_list_of_models(names: list[str]) -> None:
    with serving({MODELS: [Answer(json.dumps([{"id": name} for name in names]).encode())], CHAT: [CALLED]}) as server:
        assert "in the server's list" in seen(server)[1].text


@pytest.mark.parametrize("then", ["silence", "blank lines"])
def test_a_server_that_never_comes_to_an_end(then: Any) -> None:
    started = time.monotonic()
    with serving({CHAT: [Answer(b"", then=then)]}) as server:
        first, *rest = seen(server, seconds=0.5)
    assert (first.name, first.ok) == ("server", False)
    assert "within 0.5 seconds" in first.text
    assert [finding.name for finding in rest] == ["price"]
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("url", "key"),
    [
        pytest.param("http://127.0.0.1:1/v1", KEY, id="nobody-listens"),
        pytest.param("http://localhost.invalid/v1", KEY, id="no-such-host"),
        pytest.param("http://[", KEY, id="no-address"),
        pytest.param("http://127.0.0.1:99999999/v1", KEY, id="no-port"),
        pytest.param("http://127.0.0.1:1/v1", f"{KEY}–ä", id="key-with-letters"),
        pytest.param("http://127.0.0.1:1/v1", f"{KEY}\n", id="key-with-a-line-end"),
        pytest.param("ftp://127.0.0.1/v1", KEY, id="other-scheme"),
    ],
)
@pytest.mark.parametrize("row", ["openai-compatible", "ollama"])
def test_what_can_not_be_reached_is_said_in_one_line(url: str, key: str, row: str) -> None:
    first, second = look(Server(PROVIDERS[row], url, key, "m"), PRICES, seconds=5)
    assert (first.name, first.ok, second.name) == ("server", False, "price")
    assert first.text and first.hint
    assert "\n" not in first.text
    assert KEY not in first.text + first.hint


def test_waiting_has_an_end() -> None:
    over = threading.Event()
    with pytest.raises(TimeoutError):
        within(0.05, over.wait)
    over.set()
    assert within(5, lambda: 7) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        within(5, lambda: int("x"))
