"""`pr`: what forges answer, and how the command goes on or says so; the server is real."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from conftest import MakeRepository, git
from e2e.publishing import SECRET, TOKENS, Command, Scene, at_forge, make_scene
from forge_server import Answer, Asked, ForgeServer, serving

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def scene(make_repository: MakeRepository) -> Scene:
    return make_scene(make_repository)


@pytest.fixture
def command(scene: Scene, capfdbinary: Capture) -> Command:
    return Command(capfdbinary, scene)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Generator[ForgeServer]:
    """A forge, and a token for it in the environment."""
    for variable in TOKENS.values():
        monkeypatch.setenv(variable, SECRET)
    with serving() as forge:
        yield forge


def _invalid(message: str) -> Answer:
    return Answer(422, {"message": "Validation Failed", "errors": [{"message": message}]})


_PAGE = Answer(200, b"<html>", {"content-type": "text/html"})
FAILING: dict[str, tuple[str, Answer, int, str]] = {
    "login": ("GET", Answer(401, {"message": "Bad credentials"}), 5, "refuses the login (HTTP 401): Bad credentials"),
    "project": ("GET", Answer(404, {"message": "Not Found"}), 5, "knows no such project"),
    "limit": ("POST", Answer(429, {"message": "slow"}, {"Retry-After": "17"}), 5, "hint: wait 17 seconds"),
    "hidden limit": ("POST", Answer(403, {}, {"X-RateLimit-Remaining": "0"}), 5, "too many requests"),
    "down": ("GET", Answer(502, b"<html>Bad gateway</html>"), 5, "failed (HTTP 502)\nhint: try again later"),
    "page": ("GET", _PAGE, 5, "answers with text/html in place of JSON"),
    "form": ("GET", Answer(200, [1]), 5, "in a form that is not documented"),
    "other form": ("POST", Answer(201, {"number": "five"}), 5, "in a form that is not documented"),
    "list": ("GET .*/pulls", Answer(200, {"a": 1}), 5, "in a form that is not documented"),
    "cut": ("GET", Answer(200, {"a": 1}, cut=True), 5, "broke the connection off"),
    "elsewhere": ("GET", Answer(302, {}, {"Location": "http://127.0.0.1:1/x"}), 5, "the token must not go"),
    "conflict": ("POST", Answer(409, {"message": ["Another open merge request exists: !5"]}), 7, "is in conflict"),
    "taken": ("POST", _invalid("A pull request already exists for group:x."), 7, "A pull request already exists"),
    "nothing new": ("POST", _invalid("No commits between main and x"), 7, "holds all that the branch"),
    "refused": ("POST", Answer(422, {"errors": [{"field": "base", "code": "bad"}]}), 5, "field base, code bad"),
}


def test_what_the_forge_answers_is_one_line_and_an_exit_code(
    scene: Scene, command: Command, server: ForgeServer
) -> None:
    commit = scene.branch()
    words = at_forge(scene, server, "github")
    for name, (method, answer, expected, said) in FAILING.items():
        server.instead[:] = [(f"^{method}", answer)]
        code, told = command.fail(*words)
        assert (name, code, said in told) == (name, expected, True), told
        lines = [line.partition(":")[0] for line in told.splitlines()]
        assert lines[-2:] == ["error", "hint"]
    # The failed posts came after the push, which stands; the next call goes on from there.
    server.instead.clear()
    done = command.json(*words)
    assert (done["action"], done["pushed"], done["commit"]) == ("created", False, commit)


def test_extras_that_fail_are_notes(scene: Scene, command: Command, server: ForgeServer) -> None:
    scene.branch()
    words = at_forge(scene, server, "github")
    server.instead[:] = [
        ("labels|requested_reviewers", Answer(422, {"message": "Reviews may only be requested from collaborators"})),
        ("statuses", Answer(403, {"message": "Resource not accessible"})),
    ]
    told = command.json(*words, "--label", "a", "--reviewer", "b")
    assert (told["action"], told["status_set"], len(told["notes"])) == ("created", False, 3)
    assert [note.partition(":")[0] for note in told["notes"]] == [
        "the labels were not added",
        "the reviewers were not asked",
        "the status `orefactor/gate` was not set",
    ]


def test_a_request_that_somebody_opens_meanwhile_is_updated(
    scene: Scene, command: Command, server: ForgeServer
) -> None:
    scene.branch()
    words = at_forge(scene, server, "github")
    command.json(*words)
    answers = [Answer(200, [])]
    exists = _invalid("A pull request already exists for group:x")

    def empty_once(_asked: Asked) -> Answer | None:
        return answers.pop() if answers else None

    server.instead[:] = [("GET .*/pulls$", empty_once), ("POST .*/pulls$", exists)]
    assert command.json(*words)["action"] == "updated"


def test_a_full_text_stays_as_it_is(scene: Scene, command: Command, server: ForgeServer) -> None:
    scene.branch()
    words = at_forge(scene, server, "gitea")
    command.json(*words)
    (pull,) = server.pulls
    pull["body"] = "x" * 65_000
    assert command.json(*words)["notes"] == ["the text of the pull request is full; it stays as it is"]
    assert pull["body"] == "x" * 65_000
    pull["body"] = "Theirs."
    command.json(*words)
    assert pull["body"].startswith("Theirs.\n\n<!-- orefactor:begin -->")


def test_a_project_without_drafts_and_one_without_a_default_branch(
    scene: Scene, command: Command, server: ForgeServer
) -> None:
    scene.branch()
    words = at_forge(scene, server, "github")

    def no_drafts(asked: Asked) -> Answer | None:
        refusal = Answer(422, {"message": "Draft pull requests are not supported in this repository."})
        return refusal if asked.body.get("draft") else None

    server.instead[:] = [("POST .*/pulls$", no_drafts)]
    told = command.json(*words)
    assert (told["draft"], told["notes"]) == (
        False,
        ["GitHub has no drafts in this project; the pull request is ready"],
    )
    server.instead[:] = [("GET .*project$", Answer(200, {"default_branch": "-x\x00"}))]
    git(scene.bare, "symbolic-ref", "HEAD", "refs/heads/unborn")
    code, said = command.fail(*words)
    assert (code, "has no default branch" in said) == (7, True)
