"""`review --pr` in the command: what is told to the commit where the review breaks, and what becomes of exit codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from orefactor.cli.review_posting import code_after_posting, failure_posted, planned, post_and_say, statuses_json
from orefactor.core.errors import ExitCode, UserError
from orefactor.core.forges.forge import CommitStatus, Forge
from orefactor.core.redact import Redactor
from orefactor.core.review.posting import Posted, Posting
from orefactor.core.review.request import ReviewRequest
from orefactor.core.review.result import ReviewResult
from orefactor.core.review.reviewed_change import ReviewedChange
from orefactor.sandbox.base import Base

COMMIT = "e" * 40
CHANGE = ReviewedChange("a..b", "c" * 40, "d" * 40, Base("a..b", COMMIT, "f" * 40, COMMIT), (), {}, {}, b"", 0, True)
SECRET = "a-secret-of-24-characters"
STATUS = CommitStatus(COMMIT, "success", "orefactor/gate", "passed", "")


@dataclass
class Listening:
    """A forge of which only the statuses matter."""

    heard: list[CommitStatus] = field(default_factory=list[CommitStatus])

    def set_status(self, status: CommitStatus) -> None:
        """Keep it."""
        self.heard.append(status)


def _break(error: Exception) -> list[tuple[str, str]]:
    """State and description of what is told where this is raised."""
    forge = Listening()
    posting = Posting(CHANGE, cast("Forge", forge), "forge.example", Redactor({"X_TOKEN": SECRET}))
    with pytest.raises(type(error)), failure_posted(posting, quiet=True):
        raise error
    assert {status.commit for status in forge.heard} <= {COMMIT}
    return [(status.state, status.description) for status in forge.heard]


BROKEN: dict[str, tuple[Exception, str]] = {
    "provider": (UserError("no key", hint="", exit_code=ExitCode.PROVIDER), "provider: no key"),
    "environment": (UserError("no bwrap", hint="", exit_code=ExitCode.ENVIRONMENT), "environment: no bwrap"),
    "a secret": (
        UserError(f"is {SECRET}", hint="", exit_code=ExitCode.PROVIDER),
        "provider: is [REDACTED:environment]",
    ),
    "system": (OSError(28, "No space left on device", "/x"), "environment: No space left on device"),
    "system, without a word": (OSError(), "environment: OSError"),
    "usage": (UserError("no such option", hint=""), ""),
    "conflict": (UserError("taken", hint="", exit_code=ExitCode.CONFLICT), ""),
    "interrupt": (cast("Exception", KeyboardInterrupt()), ""),
}


@pytest.mark.parametrize(("error", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_what_breaks_is_told_to_the_commit(error: Exception, said: str) -> None:
    told = _break(error)
    assert told == ([("error", f"not reviewed: {said.partition(': ')[2]}"), ("error", said)] if said else [])


def test_without_the_option_nobody_is_told() -> None:
    request = ReviewRequest(Path.cwd())
    assert planned(request, pr=False, remote=None, forge=None, fix=True) == (request, None)
    assert post_and_say(None, cast("ReviewResult", None), quiet=False) == ()
    with pytest.raises(OSError, match="full"), failure_posted(None, quiet=False):
        raise OSError("full")
    for name in ("remote", "forge"):
        with pytest.raises(UserError, match=f"`--{name}` needs `--pr`"):
            planned(request, pr=False, fix=False, **{"remote": None, "forge": None, name: "x"})


def test_a_refusal_counts_where_nothing_else_does() -> None:
    refused = Posted(STATUS, UserError("no", hint=""))
    for code, posted, expected in (
        (0, (), 0), (0, (Posted(STATUS),), 0), (0, (Posted(STATUS), refused), 5), (1, (refused,), 1),
    ):  # fmt: skip
        assert code_after_posting(code, posted) == expected
    assert [(each["set"], each["error"]) for each in statuses_json([Posted(STATUS), refused])] == [
        (True, None),
        (False, "no"),
    ]
