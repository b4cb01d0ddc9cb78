"""What is peculiar to each forge: forks, marks for drafts, labels and people by number, answers that are not whole."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from forge_server import Answer, ForgeServer, serving

from orefactor.core.errors import UserError
from orefactor.core.forges import FORGES
from orefactor.core.forges.forge import Changes, CommitStatus, Forge, Opened, Proposal, without_mark
from orefactor.core.forges.place import Kind, Place
from orefactor.core.forges.refusals import ForgeRefused
from orefactor.core.forges.rest import RestApi

PATHS: dict[Kind, str] = {"github": "/api/v3", "gitlab": "/api/v4", "gitea": "/api/v1"}
PROPOSAL = Proposal("Title", "body", "topic/x", "main", draft=True)
STATUS = CommitStatus("a" * 40, "failure", "orefactor/gate", "no", "")
ALL: list[Kind] = ["github", "gitlab", "gitea"]


@pytest.fixture
def server() -> Generator[ForgeServer]:
    with serving() as forge:
        yield forge


def _forge(server: ForgeServer, kind: Kind, head: str | None = None) -> Forge:
    project = "group/sub/project" if kind == "gitlab" else "group/project"
    api = server.url + PATHS[kind]
    return FORGES[kind](Place(kind, "forge", server.url, api, project, head or project), RestApi(api, {}))


@pytest.mark.parametrize("kind", ALL)
def test_a_request_from_a_fork(server: ForgeServer, kind: Kind) -> None:
    fork = _forge(server, kind, "me/project")
    assert fork.default_branch() == "main"
    made = fork.open(PROPOSAL)
    sent = server.last("POST")
    assert sent.get("head", "me:topic/x") == "me:topic/x"
    assert sent.get("target_project_id", 1) == 1
    assert fork.find("topic/x", None) == made
    # The project's own branch of that name is another one.
    assert _forge(server, kind).find("topic/x", None) is None


@pytest.mark.parametrize("kind", ALL)
def test_of_several_requests_the_one_to_the_base_is_meant(server: ForgeServer, kind: Kind) -> None:
    forge = _forge(server, kind)
    for base in ("main", "next"):
        forge.open(Proposal("Title", "body", "topic", base, draft=False))
    found = [forge.find("topic", base) for base in ("next", "main", "gone", None)]
    assert [opened.base for opened in found if opened] == ["next", "main", "main", "main"]
    assert forge.find("other", None) is None


@pytest.mark.parametrize(("kind", "mark"), [("gitlab", "Draft: "), ("gitea", "WIP: ")])
def test_a_draft_is_one_by_its_title(server: ForgeServer, kind: Kind, mark: str) -> None:
    forge = _forge(server, kind)
    opened = forge.open(PROPOSAL)
    assert (opened.draft, opened.title) == (True, f"{mark}Title")
    assert forge.change(opened, Changes()) == opened
    renamed = forge.change(opened, Changes(title="WIP: Other"))
    assert (renamed.draft, renamed.title) == (True, f"{mark}Other")
    ready = forge.change(renamed, Changes(ready=True))
    assert (ready.draft, ready.title) == (False, "Other")
    assert forge.change(ready, Changes(title="Third")).title == "Third"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Draft: a", "a"),
        ("[WIP] Draft: a", "a"),
        ("(draft) a", "a"),
        ("wip:a", "a"),
        ("Draft - a", "a"),
        ("Drafty: a", "Drafty: a"),
        ("Wipe a", "Wipe a"),
        ("Draft the text", "Draft the text"),
    ],
)
def test_marks_of_drafts(title: str, expected: str) -> None:
    assert without_mark(title) == expected


def test_github_says_that_it_can_not_make_it_ready(server: ForgeServer) -> None:
    forge = _forge(server, "github")
    opened = forge.open(PROPOSAL)
    server.instead.append(("graphql", Answer(200, {"errors": [{"message": "no"}]})))
    with pytest.raises(UserError, match="does not make the pull request ready"):
        forge.change(opened, Changes(ready=True))
    server.instead[:] = [("POST", Answer(500, {}))]
    with pytest.raises(ForgeRefused):
        forge.open(PROPOSAL)


def test_labels_that_gitea_does_not_know(server: ForgeServer) -> None:
    forge = _forge(server, "gitea")
    opened = forge.open(PROPOSAL)
    with pytest.raises(UserError, match="no label `nope`"):
        forge.add_labels(opened, ("refactoring", "nope"))
    server.instead.append(("orgs/", Answer(404, {"message": "no organisation"})))
    with pytest.raises(UserError, match="no label `shared`"):
        forge.add_labels(opened, ("shared",))


def test_a_server_whose_pages_do_not_end(server: ForgeServer) -> None:
    server.instead.append(("GET .*/pulls", Answer(200, [{"number": 1, "head": {"ref": "other"}}])))
    assert _forge(server, "gitea").find("topic", None) is None
    assert len(server.asked) == 40


def test_gitlab_asks_people_by_number(server: ForgeServer) -> None:
    forge = _forge(server, "gitlab")
    opened = forge.open(PROPOSAL)
    with pytest.raises(UserError, match="knows nobody called `nobody`"):
        forge.ask_reviewers(opened, ("nobody",))
    server.pulls[0]["reviewers"] = None
    forge.ask_reviewers(opened, ("ann", "ann"))
    assert server.last("PUT") == {"reviewer_ids": [11]}


def test_statuses_without_a_page(server: ForgeServer) -> None:
    for kind in ALL:
        _forge(server, kind).set_status(STATUS)
    assert [asked.body["state"] for asked in server.asked] == ["failure", "failed", "failure"]
    same = Answer(400, {"message": "Cannot transition status via :drop from :failed (Reason(s): ...)"})
    server.instead[:] = [("statuses", same)]
    _forge(server, "gitlab").set_status(STATUS)
    server.instead[:] = [("statuses", Answer(400, {"message": "no such commit"}))]
    with pytest.raises(ForgeRefused, match="no such commit"):
        _forge(server, "gitlab").set_status(STATUS)


ODD: list[Any] = [{}, {"number": "1", "iid": None}, {"number": True, "iid": []}]


@pytest.mark.parametrize("kind", ALL)
def test_answers_that_are_not_whole(server: ForgeServer, kind: Kind) -> None:
    forge = _forge(server, kind)
    opened = Opened(1, "", "Title", "", "main", draft=False)
    for odd in ODD:
        server.instead[:] = [("POST|PUT|PATCH", Answer(200, odd)), ("GET", Answer(200, [odd, 5, None]))]
        with pytest.raises(UserError, match="in a form that is not documented"):
            forge.open(PROPOSAL)
        with pytest.raises(UserError, match="in a form that is not documented"):
            forge.change(opened, Changes(title="x"))
        with pytest.raises(UserError, match="in a form that is not documented"):
            forge.default_branch()
        assert forge.find("topic", None) is None
