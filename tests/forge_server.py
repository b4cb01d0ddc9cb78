"""A server with the documented answers of GitHub, GitLab and Gitea over real HTTP; it keeps requests as they do.

Sources: docs.github.com/rest, docs.gitlab.com/api, Gitea's swagger file. Only the fields that matter are sent, beside
some that don't.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends; `cut`: it breaks off before the end."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False

    def data(self) -> bytes:
        """The body as bytes; JSON unless it is bytes already."""
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.status == 204 else json.dumps(self.body).encode()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came in."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Json

    @property
    def line(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


class ForgeServer:
    """One server on a port of its own.

    Attributes:
        asked: what came in.
        pulls: the requests that are kept, in the form of the forge.
        instead: answers in place of the documented ones, by a pattern of method and path; the first fit counts.
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.pulls: list[Json] = []
        self.instead: list[tuple[str, Answer | Callable[[Asked], Answer | None]]] = []
        self.url = ""

    def answer(self, asked: Asked) -> Answer:
        """Take a request."""
        self.asked.append(asked)
        for pattern, instead in self.instead:
            if re.search(pattern, asked.line):
                given = instead if isinstance(instead, Answer) else instead(asked)
                if given is not None:
                    return given
        for root, api in (("/api/v3/", _github), ("/api/v4/", _gitlab), ("/api/v1/", _gitea)):
            if asked.path.startswith(root):
                return api(self, asked, asked.path.removeprefix(root))
        return Answer(404, b"<html>Not found</html>", {"content-type": "text/html"})

    def lines(self, method: str = "") -> list[str]:
        """What was asked, as method and path."""
        return [asked.line for asked in self.asked if asked.line.startswith(method)]

    def last(self, pattern: str) -> Json:
        """The body of the last request that fits."""
        return [asked.body for asked in self.asked if re.search(pattern, asked.line)][-1]


def _github(server: ForgeServer, asked: Asked, path: str) -> Answer:
    if path == "graphql":
        (pull,) = [pull for pull in server.pulls if pull["node_id"] == asked.body["variables"]["id"]]
        pull["draft"] = False
        return Answer(200, {"data": {"markPullRequestReadyForReview": {"pullRequest": {"isDraft": False}}}})
    match asked.method, path.split("/")[3:]:
        case "GET", []:
            return Answer(200, {"id": 1, "full_name": "group/project", "default_branch": "main", "private": False})
        case "GET", ["pulls"]:
            return Answer(200, [p for p in server.pulls if asked.query["head"] == f"{p['owner']}:{p['head']['ref']}"])
        case "POST", ["pulls"]:
            return Answer(201, _github_pull(server, asked.body))
        case "PATCH", ["pulls", number]:
            (pull,) = [pull for pull in server.pulls if pull["number"] == int(number)]
            pull.update(asked.body)
            return Answer(200, pull)
        case "POST", ["issues", _, "labels"]:
            return Answer(200, [{"name": name} for name in asked.body["labels"]])
        case "POST", ["pulls", _, "requested_reviewers"] | ["statuses", _]:
            return Answer(201, {"id": 7})
        case _:
            return Answer(404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"})


def _github_pull(server: ForgeServer, body: Json) -> Json:
    owner, _, branch = body["head"].rpartition(":")
    number = len(server.pulls) + 1
    pull = {
        "number": number,
        "node_id": f"PR_{number}",
        "html_url": f"{server.url}/group/project/pull/{number}",
        "state": "open",
        "owner": owner or "group",
        "title": body["title"],
        "body": body["body"],
        "draft": body["draft"],
        "head": {"ref": branch, "repo": {"full_name": f"{owner or 'group'}/project"}},
        "base": {"ref": body["base"]},
    }
    server.pulls.append(pull)
    return pull


def _gitlab(server: ForgeServer, asked: Asked, path: str) -> Answer:
    parts = path.split("/")
    if parts[0] == "users":
        known = {"ann": 11, "bob": 12}
        name = asked.query["username"]
        return Answer(200, [{"id": known[name], "username": name}] if name in known else [])
    project = 1 if parts[1] == "group%2Fsub%2Fproject" else 2
    match asked.method, parts[2:]:
        case "GET", []:
            return Answer(200, {"id": project, "path_with_namespace": unquote(parts[1]), "default_branch": "main"})
        case "GET", ["merge_requests"]:
            return Answer(200, [p for p in server.pulls if p["source_branch"] == asked.query["source_branch"]])
        case "POST", ["merge_requests"]:
            return Answer(201, _gitlab_pull(server, asked.body, project))
        case (("GET" | "PUT"), ["merge_requests", number]):
            (pull,) = [pull for pull in server.pulls if pull["iid"] == int(number)]
            pull.update({name: value for name, value in asked.body.items() if name in ("title", "description")})
            pull["draft"] = pull["title"].startswith("Draft: ")
            return Answer(200, pull)
        case "POST", ["statuses", _]:
            return Answer(201, {"id": 9, "status": asked.body["state"]})
        case _:
            return Answer(404, {"message": "404 Project Not Found"})


def _gitlab_pull(server: ForgeServer, body: Json, source: int) -> Json:
    number = len(server.pulls) + 1
    pull = {
        "id": 1000 + number,
        "iid": number,
        "web_url": f"{server.url}/group/sub/project/-/merge_requests/{number}",
        "title": body["title"],
        "description": body["description"],
        "draft": body["title"].startswith("Draft: "),
        "source_branch": body["source_branch"],
        "target_branch": body["target_branch"],
        "source_project_id": source,
        "target_project_id": body.get("target_project_id", source),
        "reviewers": [{"id": 10, "username": "zoe"}],
    }
    server.pulls.append(pull)
    return pull


def _gitea(server: ForgeServer, asked: Asked, path: str) -> Answer:
    first = asked.query.get("page") == "1"
    if path == "orgs/group/labels":
        return Answer(200, [{"id": 32, "name": "shared"}] if first else [])
    match asked.method, path.split("/")[3:]:
        case "GET", []:
            return Answer(200, {"id": 1, "full_name": "group/project", "default_branch": "main"})
        case "GET", ["pulls"]:
            return Answer(200, server.pulls if first else [])
        case "GET", ["labels"]:
            return Answer(200, [{"id": 31, "name": "refactoring"}] if first else [])
        case "POST", ["pulls"]:
            return Answer(201, _gitea_pull(server, asked.body))
        case "PATCH", ["pulls", number]:
            (pull,) = [pull for pull in server.pulls if pull["number"] == int(number)]
            pull.update(asked.body)
            return Answer(201, pull)
        case "POST", ["issues", _, "labels"] | ["pulls", _, "requested_reviewers"] | ["statuses", _]:
            return Answer(201, [])
        case _:
            return Answer(404, {"message": "The target couldn't be found.", "errors": []})


def _gitea_pull(server: ForgeServer, body: Json) -> Json:
    owner, _, branch = body["head"].rpartition(":")
    number = len(server.pulls) + 1
    pull = {
        "id": 500 + number,
        "number": number,
        "html_url": f"{server.url}/group/project/pulls/{number}",
        "title": body["title"],
        "body": body["body"],
        "head": {"label": branch, "ref": branch, "repo": {"full_name": f"{owner or 'group'}/project"}},
        "base": {"label": body["base"], "ref": body["base"]},
    }
    server.pulls.append(pull)
    return pull


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that goes away has read enough; it is no error of the server's.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving() -> Generator[ForgeServer]:
    """Run a server until the block ends."""
    forge = ForgeServer()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = forge.answer(Asked(self.command, parts.path, query, headers, json.loads(data or b"{}")))
            body = answer.data()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body) + (1000 if answer.cut else 0)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_PUT = _serve  # noqa: N815 - the names that the base class looks for

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
            pass

    with _Server(("127.0.0.1", 0), Handler) as server:
        forge.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield forge
        finally:
            server.shutdown()
            thread.join()
