"""GitHub, and GitHub Enterprise on hosts of its users' own.

Source: docs.github.com/rest, version 2022-11-28 (pulls, issues, commits/statuses); `markPullRequestReadyForReview` is
of its GraphQL API, since REST can't turn a draft into a request that is ready.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from ..errors import ExitCode, UserError
from .commit_status import set_status_as_github
from .forge import Changes, CommitStatus, Opened, Proposal, chosen
from .place import Place
from .refusals import ForgeRefused
from .reply import Api, Json, ask, ask_list, ask_object, made, number_of, text_of

_READY = "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }"


class GitHub:
    """One repository at GitHub."""

    label = "GitHub"
    request = "pull request"

    def __init__(self, place: Place, api: Api) -> None:
        self._api = api
        self._path = f"repos/{quote(place.project)}"
        self._head_project = place.head_project
        self._owner = place.head_project.partition("/")[0]
        self._is_fork = place.head_project != place.project

    def default_branch(self) -> str:
        """The repository's default branch."""
        return text_of(ask_object(self._api, "GET", self._path), "default_branch")

    def find(self, branch: str, base: str | None) -> Opened | None:
        """The open request from the branch."""
        query = f"state=open&per_page=100&head={quote(f'{self._owner}:{branch}', safe='')}"
        listed = ask_list(self._api, f"{self._path}/pulls?{query}")
        # Some servers overlook the filter.
        ours = [item for item in listed if self._is_ours(item, branch)]
        return chosen([opened for item in ours if (opened := _opened(item))], base)

    def _is_ours(self, item: Json, branch: str) -> bool:
        project = text_of(item, "head", "repo", "full_name")
        return text_of(item, "head", "ref") == branch and project.lower() in ("", self._head_project.lower())

    def open(self, proposal: Proposal) -> Opened:
        """Open a request; one that is ready where drafts are not to be had."""
        body: Json = {
            "title": proposal.title,
            "body": proposal.body,
            "head": f"{self._owner}:{proposal.branch}" if self._is_fork else proposal.branch,
            "base": proposal.base,
            "draft": proposal.draft,
        }
        try:
            answer = ask_object(self._api, "POST", f"{self._path}/pulls", body)
        except ForgeRefused as error:
            if error.status != 422 or not proposal.draft or "draft" not in error.said.lower():
                raise _explained(error, proposal) from error
            answer = ask_object(self._api, "POST", f"{self._path}/pulls", {**body, "draft": False})
        return made(_opened(answer), self._api)

    def change(self, opened: Opened, changes: Changes) -> Opened:
        """Change a request."""
        named = {"title": changes.title, "body": changes.body}
        body = {name: value for name, value in named.items() if value is not None}
        if body:
            answer = ask_object(self._api, "PATCH", f"{self._path}/pulls/{opened.number}", body)
            opened = made(_opened(answer), self._api)
        if changes.ready and opened.draft and opened.key:
            told = ask_object(self._api, "POST", "graphql", {"query": _READY, "variables": {"id": opened.key}})
            if told.get("errors"):
                raise UserError(
                    f"{self._api.name} does not make the pull request ready",
                    hint=f"do it on its page: {opened.url}",
                    exit_code=ExitCode.PROVIDER,
                )
            return replace(opened, draft=False)
        return opened

    def add_labels(self, opened: Opened, labels: tuple[str, ...]) -> None:
        """Add labels; GitHub makes those that don't exist yet."""
        ask(self._api, "POST", f"{self._path}/issues/{opened.number}/labels", {"labels": list(labels)})

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
    return Opened(
        number,
        text_of(item, "html_url"),
        text_of(item, "title"),
        text_of(item, "body"),
        text_of(item, "base", "ref"),
        item.get("draft") is True,
        text_of(item, "node_id"),
    )


def _explained(error: ForgeRefused, proposal: Proposal) -> UserError:
    said = error.said.lower()
    if error.status == 422 and "no commits between" in said:
        return UserError(
            f"`{proposal.base}` holds all that the branch `{proposal.branch}` brings",
            hint="there is nothing to request; it may be merged already",
            exit_code=ExitCode.CONFLICT,
        )
    return error
