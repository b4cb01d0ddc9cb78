"""What publishing a run would do: which commit, to which branch of which remote, with which words. Nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from orefactor.sandbox.line_counts import LineCount, count_lines
from orefactor.sandbox.remote import Remote
from orefactor.sandbox.repository import Repository

from .errors import UserError
from .forges.destination import Destination, find_destination
from .forges.forge import without_mark
from .forges.place import Place
from .outputs.pull_request import LONGEST_TITLE, request_body, request_title
from .redact import Redactor
from .result_branch import ResultBranch, find_branch, is_branch_name, require_result
from .trace import RunFolder
from .trace_model import Trace


@dataclass(frozen=True, slots=True)
class PublishRequest:
    """What a caller asks for; None where it is left to the remote and the trace.

    Attributes:
        remote: the name of a remote.
        base: the branch that the request goes to.
        forge: which forge the remote is at, where that can't be known.
        ready: no draft.
    """

    remote: str | None = None
    base: str | None = None
    forge: str | None = None
    title: str | None = None
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be published; making it asks nobody and changes nothing."""

    repository: Repository
    folder: RunFolder
    request: PublishRequest
    trace: Trace
    branch: ResultBranch
    remote: Remote
    place: Place | None
    title: str
    counts: tuple[LineCount, ...]

    @property
    def address(self) -> str:
        """Where people find the remote, without a password."""
        return Destination(self.remote, self.place).address

    def body(self, commit: str) -> str:
        """The request's text."""
        return request_body(self.trace, self.counts, commit or "COMMIT", self.branch.name)


def plan_publication(
    repository: Repository, folder: RunFolder, request: PublishRequest, environment: Mapping[str, str]
) -> Plan | None:
    """What would be published; None where the run changed nothing.

    Args:
        environment: with the secrets, which are taken out of what is published.

    Raises:
        UserError: the run gave no result, it can't be proven, or it isn't clear where it should go.
    """
    _require_sane(repository, request)
    trace = require_result(folder)
    if not trace.files_changed:
        return None
    branch = find_branch(repository, folder, trace)
    destination = find_destination(repository, request.remote, request.forge, environment)
    redactor = Redactor(environment)
    clean = Trace.model_validate(redactor.value(trace.model_dump(mode="json", by_alias=True)))
    assert trace.base is not None
    assert trace.tree is not None
    counts = tuple(
        replace(
            count, path=redactor.text(count.path), old_path=redactor.text(count.old_path) if count.old_path else None
        )
        for count in count_lines(repository.git, trace.base.tree, trace.tree)
    )
    title = without_mark(request.title or request_title(clean)) or "Refactor"
    return Plan(repository, folder, request, clean, branch, destination.remote, destination.place, title, counts)


def _require_sane(repository: Repository, request: PublishRequest) -> None:
    if request.base is not None and not is_branch_name(repository, request.base):
        raise UserError(f"`{request.base}` is no name of a branch", hint="name one that the remote has: `--base main`")
    if request.title is not None and not 0 < len(request.title.strip()) <= LONGEST_TITLE:
        raise UserError(f"a title has 1 to {LONGEST_TITLE} characters", hint="give another one: `--title TEXT`")
    texts = (request.title or "", *request.labels, *request.reviewers)
    if not all(map(str.isprintable, texts)) or not all(text.strip() for text in (*request.labels, *request.reviewers)):
        raise UserError(
            "a title, label or reviewer is empty or holds control characters",
            hint="write it once more: `--title TEXT`, `--label NAME`, `--reviewer NAME`",
        )
