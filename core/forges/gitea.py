"""Gitea and its fork Forgejo, at codeberg.org and on hosts of their users' own.

Source: the swagger file that each server shows at `/api/swagger` (repository, issue). A request is a draft by its
title, with a prefix that servers may change and mostly don't; labels have numbers and may be an organisation's.
"""

from __future__ import annotations

from urllib.parse import quote

from ..errors import ExitCode, UserError
from .commit_status import set_status_as_github
from .forge import Changes, CommitStatus, Opened, Proposal, chosen, without_mark
from .place import Place
from .refusals import ForgeRefused
from .reply import Api, Json, ask, ask_list, ask_object, made, number_of, text_of

_DRAFT = "WIP: "
_PAGE, _MOST_PAGES = 50, 40
"""50 is what servers give at most, unless they are told otherwise."""


class Gitea:
    """One repository at a server of Gitea or Forgejo."""

    label = "Gitea"
    request = "pull request"

    def __init__(self, place: Place, api: Api) -> None:
        self._api = api
        self._owner = place.project.partition("/")[0]
        self._path = f"repos/{quote(place.project)}"
        self._head_project = place.head_project
        self._is_fork = place.head_project != place.project

    def default_branch(self) -> str:
        """The repository's default branch."""
        return text_of(ask_object(self._api, "GET", self._path), "default_branch")

    def find(self, branch: str, base: str | None) -> Opened | None:
        """The open request from the branch; servers can't be asked for one branch, so all are looked through."""
        pulls = self._pages(f"{self._path}/pulls?state=open&sort=recentupdate")
        ours = [item for item in pulls if self._is_ours(item, branch)]
        return chosen([opened for item in ours if (opened := _opened(item))], base)

    def _is_ours(self, item: Json, branch: str) -> bool:
        project = text_of(item, "head", "repo", "full_name")
        return text_of(item, "head", "ref") == branch and project.lower() in ("", self._head_project.lower())

    def _pages(self, path: str) -> list[Json]:
        found: list[Json] = []
        for page in range(1, _MOST_PAGES + 1):
            joined = "&" if "?" in path else "?"
            items = ask_list(self._api, f"{path}{joined}limit={_PAGE}&page={page}")
            found += items
            # A server may give fewer than were asked for, so only an empty page is surely the last.
            if not items:
                break
        return found

    def open(self, proposal: Proposal) -> Opened:
        """Open a request."""
        body = {
            "title": (_DRAFT if proposal.draft else "") + proposal.title,
            "body": proposal.body,
            "head": f"{self._head_project.partition('/')[0]}:{proposal.branch}" if self._is_fork else proposal.branch,
            "base": proposal.base,
        }
        return made(_opened(ask_object(self._api, "POST", f"{self._path}/pulls", body)), self._api)

    def change(self, opened: Opened, changes: Changes) -> Opened:
        """Change a request."""
        title = changes.title
        if opened.draft and (changes.ready or title is not None):
            title = ("" if changes.ready else _DRAFT) + without_mark(opened.title if title is None else title)
        named = {"title": title, "body": changes.body}
        body = {name: value for name, value in named.items() if value is not None}
        if not body:
            return opened
        answer = ask_object(self._api, "PATCH", f"{self._path}/pulls/{opened.number}", body)
        return made(_opened(answer), self._api)

    def add_labels(self, opened: Opened, labels: tuple[str, ...]) -> None:
        """Add labels that the repository or its organisation has."""
        known = {text_of(item, "name"): number_of(item, "id") for item in self._pages(f"{self._path}/labels")}
        if any(name not in known for name in labels):
            known = {**self._organisation_labels(), **known}
        missing = [name for name in labels if known.get(name) is None]
        if missing:
            raise UserError(
                f"{self._api.name} has no label `{missing[0]}` for this repository",
                hint="make it there first, or leave it out",
                exit_code=ExitCode.PROVIDER,
            )
        path = f"{self._path}/issues/{opened.number}/labels"
        ask(self._api, "POST", path, {"labels": [known[name] for name in labels]})

    def _organisation_labels(self) -> dict[str, int | None]:
        try:
            listed = self._pages(f"orgs/{quote(self._owner)}/labels")
        except ForgeRefused:
            # The owner is a person.
            return {}
        return {text_of(item, "name"): number_of(item, "id") for item in listed}

    def ask_reviewers(self, opened: Opened, reviewers: tuple[str, ...]) -> None:
        """Ask people, and teams by `organisation/team`."""
        teams = [name.partition("/")[2] for name in reviewers if "/" in name]
        people = [name for name in reviewers if "/" not in name]
        path = f"{self._path}/pulls/{opened.number}/requested_reviewers"
        ask(self._api, "POST", path, {"reviewers": people, "team_reviewers": teams})

    def set_status(self, status: CommitStatus) -> None:
        """Set the status of a commit."""
        set_status_as_github(self._api, self._path, status)


def _opened(item: Json) -> Opened | None:
    number = number_of(item, "number")
    if number is None:
        return None
    title = text_of(item, "title")
    # `draft` came with Gitea 1.22; the title tells in all versions.
    draft = item.get("draft") is True or without_mark(title) != title.strip()
    return Opened(number, text_of(item, "html_url"), title, text_of(item, "body"), text_of(item, "base", "ref"), draft)
