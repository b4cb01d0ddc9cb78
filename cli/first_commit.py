"""A hook before the first commit: there is nothing that a change could be compared with, and it has to be possible."""

from __future__ import annotations

from pathlib import Path

from orefactor.core.json_text import json_text

from .errors import say


def is_first_commit(folder: Path) -> bool:
    """Whether the repository has no commit yet.

    Raises:
        UserError: there is no repository.
    """
    from orefactor.core.review.revisions import HEAD, commit_of
    from orefactor.sandbox.repository import find_repository

    return commit_of(find_repository(folder).git, HEAD) is None


def say_not_reviewed(*, as_json: bool) -> None:
    """Say that the first commit is not looked at."""
    message = "this is the first commit, which is not looked at"
    say("note", message)
    if as_json:
        said = {"run_id": None, "outcome": "not_reviewed", "reason": "nothing_to_do", "exit_code": 0}
        print(json_text({**said, "message": message, "verdict": None, "findings": [], "blocking_findings": []}))
