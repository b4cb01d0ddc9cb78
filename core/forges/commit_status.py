"""What the statuses of commits have in common at all forges: names, descriptions, and the call that two forges share.

A description stands in lists of people's work beside what other programs say, so it stays one line of plain words.
"""

from __future__ import annotations

from urllib.parse import quote

from ..outputs.markdown_text import title
from .forge import CommitStatus
from .reply import Api, Json, ask

GATE, REVIEW = "orefactor/gate", "orefactor/review"
"""The statuses that we set."""
LONGEST_DESCRIPTION = 140
"""Characters; GitHub takes no more."""


def description(text: str) -> str:
    """The words as a status's description.

    Args:
        text: may hold a stranger's words, but no secrets.

    Returns:
        One line of at most `LONGEST_DESCRIPTION` characters that mentions nobody and drives no terminal.
    """
    line = title(text, LONGEST_DESCRIPTION)
    return line if len(line) <= LONGEST_DESCRIPTION else line[: LONGEST_DESCRIPTION - 1] + "…"


def status_body(status: CommitStatus, *, state: str, name: str) -> Json:
    """The call's body.

    Args:
        state: the status's, as the forge calls it.
        name: the forge's field for the context.
    """
    body = {"state": state, name: status.context, "description": status.description}
    return {**body, **({"target_url": status.url} if status.url else {})}


def set_status_as_github(api: Api, path: str, status: CommitStatus) -> None:
    """Set a status in GitHub's way, which Gitea has taken over.

    Args:
        path: the repository's, below the API's address.

    Raises:
        UserError: as `ask`.
    """
    ask(api, "POST", f"{path}/statuses/{quote(status.commit)}", status_body(status, state=status.state, name="context"))
