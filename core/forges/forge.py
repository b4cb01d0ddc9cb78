"""What all forges have in common: a request from branch to branch, labels, reviewers, the status of a commit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

_MARKED = re.compile(r"^\s*(?:(?:draft|wip)\s*:|\[(?:draft|wip)\]\s*:?|\(draft\)|draft\s+-)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A request to be opened.

    Attributes:
        title: without a mark for drafts.
        body: Markdown.
        branch: what is to be merged.
        base: where to.
    """

    title: str
    body: str
    branch: str
    base: str
    draft: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A request that is open.

    Attributes:
        number: within the project.
        url: its page.
        title: with the forge's mark for drafts.
        key: the forge's own name for it, where a call needs that.
    """

    number: int
    url: str
    title: str
    body: str
    base: str
    draft: bool
    key: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to change in a request; None and False leave things as they are."""

    title: str | None = None
    body: str | None = None
    ready: bool = False


@dataclass(frozen=True, slots=True)
class CommitStatus:
    """What is said of a commit.

    Attributes:
        state: an error is what broke on the way; at a forge without such a state it is a failure.
        context: the status's name.
        description: one line, see `commit_status.description`.
        url: where more is told; may be empty.
    """

    commit: str
    state: Literal["success", "failure", "error"]
    context: str
    description: str
    url: str


class Forge(Protocol):
    """One project at a forge. Each method raises `UserError` where the forge refuses or can't be reached."""

    label: str
    """What people call this kind of forge."""
    request: str
    """And its requests."""

    def default_branch(self) -> str:
        """The branch that requests go to unless another one is named."""
        ...

    def find(self, branch: str, base: str | None) -> Opened | None:
        """The open request from the branch: the one to `base`, else any."""
        ...

    def open(self, proposal: Proposal) -> Opened:
        """Open a request."""
        ...

    def change(self, opened: Opened, changes: Changes) -> Opened:
        """Change a request, and give it as it is now."""
        ...

    def add_labels(self, opened: Opened, labels: tuple[str, ...]) -> None:
        """Add labels to those that it has."""
        ...

    def ask_reviewers(self, opened: Opened, reviewers: tuple[str, ...]) -> None:
        """Ask these people, beside those that are asked already."""
        ...

    def set_status(self, status: CommitStatus) -> None:
        """Set the status of a commit."""
        ...


def without_mark(title: str) -> str:
    """The title without the words that make a request a draft at some forge."""
    while marked := _MARKED.match(title):
        title = title[marked.end() :]
    return title.strip()


def chosen(found: list[Opened], base: str | None) -> Opened | None:
    """Of the requests from one branch the one to the base, else the first."""
    return next((opened for opened in found if opened.base == base), found[0] if found else None)
