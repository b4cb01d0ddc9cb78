"""The story of publishing a run: prove its result, push its branch, open the request or update it, say how it went.

What can be refused is looked at first, so that nothing has been made or pushed when it is. A second call finds what the
first one made. What is only an extra (labels, reviewers, the commit's status) is noted where it can't be had: the
request is there by then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from orefactor.sandbox.network_git import NetworkGit, set_aside
from orefactor.sandbox.push import RemoteRefs, has_pre_push, list_remote, push

from .clock import Clock
from .errors import ExitCode, UserError
from .forges.commit_status import GATE, description
from .forges.destination import open_forge
from .forges.forge import Changes, CommitStatus, Forge, Opened, Proposal
from .forges.login import secrets_for_git
from .forges.refusals import ForgeRefused
from .outputs.branch import read_identities
from .outputs.note import write_note
from .outputs.pull_request import merged_body
from .publication_plan import Plan
from .result_branch import ResultBranch, count_commits, is_ancestor, is_branch_name, make_branch

_TRAILER = re.compile(rb"^Orefactor-Run: *(\S{1,40})[ \r]*$", re.MULTILINE)

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Publication:
    """What was published.

    Attributes:
        base: the branch that the request goes to.
        pushed: whether something had to be pushed.
        action: what was done with the request; `none` where the forge isn't known.
        request: what the forge calls it.
        url: the request's page; empty where there is none.
        status_set: whether the commit has its status.
        notes: what people should know, one line each.
    """

    branch: ResultBranch
    base: str | None
    pushed: bool
    action: Literal["created", "updated", "none"] = "none"
    request: str = ""
    number: int | None = None
    url: str = ""
    draft: bool | None = None
    status_set: bool = False
    notes: tuple[str, ...] = field(default=())


def publish(
    plan: Plan, environment: Mapping[str, str], clock: Clock, *, interactive: bool = False, say: Say = lambda _: None
) -> Publication:
    """Push the branch and open the request, or update it.

    Args:
        environment: with the secrets, among which a token may be.
        interactive: whether git may ask on the terminal.
        say: told what is being done.

    Raises:
        UserError: no login (exit 6), nobody answers or refuses (5), somebody else's commits are there (7).
    """
    repository, remote = plan.repository, plan.remote
    git = NetworkGit(repository, secrets_for_git(environment), interactive)
    forge = open_forge(plan.place, environment) if plan.place else None
    name, wanted = plan.branch.name, plan.request.base or (forge.default_branch() if forge else "")
    if not is_branch_name(repository, wanted):
        wanted = ""
    refs = list_remote(git, remote, name, *([wanted] if wanted else []))
    base = wanted or refs.default or ""
    _require_base(plan, base, refs)
    there = refs.branches.get(name)
    branch = plan.branch
    if there is not None:
        _require_ours(plan, there)
    notes: list[str] = []
    if not branch.commit:
        branch = make_branch(repository, plan.trace, name, clock)
        _tried(lambda: _write_note(plan, branch.commit, clock), "the note was not written", notes)
    notes += _notes(plan, branch, refs.branches.get(base))
    if pushed := there != branch.tip:
        say(f"pushing {name} to {remote.name} ({plan.address})")
        notes += [f"{remote.name} says: {line}" for line in push(git, remote, branch.tip, name)]
    done = Publication(branch, base or None, pushed)
    if forge is not None:
        say(f"asking {plan.place.host if plan.place else ''} for the {forge.request} from {name} to {base}")
        done = _requested(plan, forge, done, base, notes)
    return replace(done, notes=tuple(notes))


def _require_base(plan: Plan, base: str, refs: RemoteRefs) -> None:
    name = plan.branch.name
    if not base and plan.place is not None:
        raise UserError(
            f"the project {plan.place.project} has no default branch",
            hint="name the branch that the request goes to: `--base NAME`",
            exit_code=ExitCode.CONFLICT,
        )
    if base == name:
        raise UserError(
            f"the result's branch `{name}` is the one that the request would go to",
            hint="run the task again with another `--branch`, or name another `--base`",
            exit_code=ExitCode.CONFLICT,
        )
    is_fork = plan.place is not None and plan.place.head_project != plan.place.project
    if plan.request.base is not None and not is_fork and plan.request.base not in refs.branches:
        raise UserError(
            f"the remote `{plan.remote.name}` has no branch `{plan.request.base}`",
            hint=f"see `git ls-remote --heads {plan.remote.name}`",
            exit_code=ExitCode.CONFLICT,
        )


def _require_ours(plan: Plan, there: str) -> None:
    """The branch on the remote may only move forward, to commits that we know."""
    repository, name, remote = plan.repository, plan.branch.name, plan.remote.name
    if plan.branch.tip and (there == plan.branch.tip or is_ancestor(repository, there, plan.branch.tip)):
        return
    found = repository.git.result("cat-file", "commit", there, ok=(0, 1, 128))
    runs = _TRAILER.findall(found.stdout) if found.returncode == 0 else []
    if runs and runs[-1].decode("ascii", "replace") == plan.trace.run_id:
        said = "holds this result as it was written before"
        hint = f"nothing is forced; remove it there, and try again: `git push {remote} --delete {name}`"
    elif runs:
        said, hint = "holds the result of another run", "run the task again with `--branch auto`"
    else:
        said = "has commits that are not this run's"
        hint = f"look at them: `git fetch {remote} {name} && git log FETCH_HEAD`; nothing was pushed"
    raise UserError(f"the branch `{name}` at `{remote}` {said}", hint=hint, exit_code=ExitCode.CONFLICT)


def _write_note(plan: Plan, commit: str, clock: Clock) -> None:
    identities = read_identities(plan.repository)
    write_note(plan.repository, commit, plan.folder, plan.trace, identities, clock.now())


def _notes(plan: Plan, branch: ResultBranch, base: str | None) -> list[str]:
    notes: list[str] = []
    below = count_commits(plan.repository, base, branch.commit) - 1 if base else 0
    if below > 0:
        notes.append(f"{below} commit(s) below the run's are published too, which the request's base does not have yet")
    if branch.on_top:
        notes.append(f"{branch.on_top} commit(s) on top of the run's are published too; they were not checked by it")
    if has_pre_push(plan.repository):
        run_it = f"git push --dry-run {plan.remote.name} {branch.name}"
        notes.append(f"hooks were not run (pre-push); to run them: `{run_it}`")
    if keys := set_aside(plan.repository.config, plan.remote.name):
        once = f"git -c {keys[0]}=VALUE orefactor pr"
        notes.append(
            f"programs that the repository's own configuration names don't count ({', '.join(keys)}): `{once}`"
        )
    return notes


def _requested(plan: Plan, forge: Forge, done: Publication, base: str, notes: list[str]) -> Publication:
    proposal = Proposal(plan.title, plan.body(done.branch.commit), done.branch.name, base, draft=not plan.request.ready)
    opened = forge.find(done.branch.name, plan.request.base)
    action: Literal["created", "updated"] = "updated"
    if opened is None:
        try:
            opened, action = forge.open(proposal), "created"
        except ForgeRefused as error:
            # Somebody was faster.
            opened = forge.find(done.branch.name, None) if _exists(error) else None
            if opened is None:
                raise
    if action == "updated":
        opened = _updated(plan, forge, opened, proposal, notes)
    elif proposal.draft and not opened.draft:
        notes.append(f"{forge.label} has no drafts in this project; the {forge.request} is ready")
    _add_extras(plan, forge, opened, notes)
    return replace(
        done,
        base=opened.base or base,
        action=action,
        request=forge.request,
        number=opened.number,
        url=opened.url,
        draft=opened.draft,
        status_set=_set_status(plan, forge, done.branch.commit, opened.url, notes),
    )


def _exists(error: ForgeRefused) -> bool:
    return error.status == 409 or (error.status == 422 and "already exists" in error.said.lower())


def _updated(plan: Plan, forge: Forge, opened: Opened, proposal: Proposal, notes: list[str]) -> Opened:
    body = merged_body(opened.body, proposal.body)
    if body is None:
        notes.append(f"the text of the {forge.request} is full; it stays as it is")
    title = plan.title if plan.request.title is not None else None
    changes = Changes(title, body if body != opened.body else None, plan.request.ready)
    return forge.change(opened, changes)


def _add_extras(plan: Plan, forge: Forge, opened: Opened, notes: list[str]) -> None:
    if plan.request.labels:
        _tried(lambda: forge.add_labels(opened, plan.request.labels), "the labels were not added", notes)
    if plan.request.reviewers:
        names = tuple(name.removeprefix("@") for name in plan.request.reviewers)
        _tried(lambda: forge.ask_reviewers(opened, names), "the reviewers were not asked", notes)


def _set_status(plan: Plan, forge: Forge, commit: str, url: str, notes: list[str]) -> bool:
    trace = plan.trace
    passed = ", ".join(c.name for c in trace.checks if c.when == "final" and c.required and c.outcome == "passed")
    said = {True: f"verified: {passed}", False: "not verified", None: "passed; no check could run"}[trace.verified]
    state: Literal["success", "failure"] = "failure" if trace.verified is False else "success"
    status = CommitStatus(commit, state, GATE, description(said), url)
    return _tried(lambda: forge.set_status(status), f"the status `{GATE}` was not set", notes)


def _tried(call: Callable[[], None], otherwise: str, notes: list[str]) -> bool:
    try:
        call()
    except UserError as error:
        notes.append(f"{otherwise}: {error.message}")
        return False
    return True
