"""GitLab, at gitlab.com and on hosts of its users' own.

Source: docs.gitlab.com/api (merge_requests, users, commits). A request is a draft by its title; people are asked by
number; labels are added by name, and made where they don't exist yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import quote

from ..errors import ExitCode, UserError
from .commit_status import status_body
from .forge import Changes, CommitStatus, Opened, Proposal, chosen, without_mark
from .place import Place
from .refusals import ForgeRefused
from .reply import Api, Json, ask, ask_list, ask_object, made, number_of, text_of

_DRAFT = "Draft: "


class GitLab:
    """One project at GitLab."""

    label = "GitLab"
    request = "merge request"

    def __init__(self, place: Place, api: Api) -> None:
        self._api = api
        self._path = f"projects/{quote(place.project, safe='')}"
        self._head_path = f"projects/{quote(place.head_project, safe='')}"
        self._is_fork = place.head_project != place.project

    def default_branch(self) -> str:
        """The project's default branch."""
        return text_of(ask_object(self._api, "GET", self._path), "default_branch")

    def find(self, branch: str, base: str | None) -> Opened | None:
        """The open request from the branch."""
        query = f"state=opened&per_page=100&source_branch={quote(branch, safe='')}"
        listed = ask_list(self._api, f"{self._path}/merge_requests?{query}")
        source = self._number(self._head_path) if self._is_fork and listed else None
        ours = [
            item
            for item in listed
            if text_of(item, "source_branch") == branch
            and number_of(item, "source_project_id")
            == (source if self._is_fork else number_of(item, "target_project_id"))
        ]
        return chosen([opened for item in ours if (opened := _opened(item))], base)

    def _number(self, path: str) -> int | None:
        return number_of(ask_object(self._api, "GET", path), "id")

    def open(self, proposal: Proposal) -> Opened:
        """Open a request."""
        body: Json = {
            "title": (_DRAFT if proposal.draft else "") + proposal.title,
            "description": proposal.body,
            "source_branch": proposal.branch,
            "target_branch": proposal.base,
        }
        if self._is_fork:
            body["target_project_id"] = self._number(self._path)
        return made(_opened(ask_object(self._api, "POST", f"{self._head_path}/merge_requests", body)), self._api)

    def change(self, opened: Opened, changes: Changes) -> Opened:
        """Change a request."""
        title = changes.title
        if opened.draft and (changes.ready or title is not None):
            title = ("" if changes.ready else _DRAFT) + without_mark(opened.title if title is None else title)
        named = {"title": title, "description": changes.body}
        body = {name: value for name, value in named.items() if value is not None}
        if not body:
            return opened
        return made(_opened(self._put(opened, body)), self._api)

    def _put(self, opened: Opened, body: Json) -> Json:
        return ask_object(self._api, "PUT", f"{self._path}/merge_requests/{opened.number}", body)

    def add_labels(self, opened: Opened, labels: tuple[str, ...]) -> None:
        """Add labels."""
        self._put(opened, {"add_labels": ",".join(labels)})

    def ask_reviewers(self, opened: Opened, reviewers: tuple[str, ...]) -> None:
        """Ask people beside those that are asked already, since the list is set as a whole."""
        current = ask_object(self._api, "GET", f"{self._path}/merge_requests/{opened.number}")
        found = current.get("reviewers")
        asked = cast("Sequence[Any]", found) if isinstance(found, list) else ()
        numbers = [number for person in asked if (number := number_of(person, "id")) is not None]
        numbers += [self._person(name) for name in reviewers]
        self._put(opened, {"reviewer_ids": list(dict.fromkeys(numbers))})

    def _person(self, name: str) -> int:
        found = ask_list(self._api, f"users?username={quote(name.removeprefix('@'), safe='')}")
        number = number_of(found[0], "id") if found else None
        if number is None:
            raise UserError(
                f"{self._api.name} knows nobody called `{name}`",
                hint="name people by their user names: `--reviewer NAME`",
                exit_code=ExitCode.PROVIDER,
            )
        return number

    def set_status(self, status: CommitStatus) -> None:
        """Set the status of a commit; GitLab refuses to set the same one again."""
        # It has no word for an error.
        state = "success" if status.state == "success" else "failed"
        body = status_body(status, state=state, name="name")
        try:
            ask(self._api, "POST", f"{self._head_path}/statuses/{quote(status.commit)}", body)
        except ForgeRefused as error:
            if error.status != 400 or "cannot transition status" not in error.said.lower():
                raise


def _opened(item: Json) -> Opened | None:
    number = number_of(item, "iid")
    if number is None:
        return None
    title = text_of(item, "title")
    draft = item.get("draft") is True or item.get("work_in_progress") is True
    return Opened(
        number, text_of(item, "web_url"), title, text_of(item, "description"), text_of(item, "target_branch"), draft
    )
