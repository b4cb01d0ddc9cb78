"""`pr`: pushes a run's result and opens the request to take it, at GitHub, GitLab, Gitea or Forgejo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option

from orefactor.core.json_text import json_text

from ..errors import redacted, say
from ..terminal import spelled_out, write_bytes
from ..wording import plain
from .show import RunName

if TYPE_CHECKING:
    from orefactor.core.publication import Publication
    from orefactor.core.publication_plan import Plan

Remote = Annotated[str | None, Option("--remote", metavar="NAME", help="Where to push (as `git push` would).")]
Base = Annotated[str | None, Option("--base", metavar="BRANCH", help="Where the request goes (the remote's default).")]
Title = Annotated[str | None, Option("--title", metavar="TEXT", help="The request's title (the run's).")]
Labels = Annotated[list[str] | None, Option("--label", metavar="NAME", help="A label, repeatable.")]
Reviewers = Annotated[list[str] | None, Option("--reviewer", metavar="NAME", help="Who is asked, repeatable.")]
Ready = Annotated[bool, Option("--ready", help="No draft.")]
ForgeName = Annotated[
    str | None,
    Option("--forge", metavar="KIND[=URL]", help="github, gitlab or gitea, where the remote's address doesn't tell."),
]
DryRun = Annotated[bool, Option("--dry-run", help="Print what would be pushed and written; ask nobody.")]
Json = Annotated[bool, Option("--json", help="Print what was done as JSON.")]


def pr_command(
    run: RunName = None,
    remote: Remote = None,
    base: Base = None,
    title: Title = None,
    label: Labels = None,
    reviewer: Reviewers = None,
    ready: Ready = False,
    forge: ForgeName = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Push a run's result and open a pull request, or update it."""
    from orefactor.core.keys import whole_environment
    from orefactor.core.publication_plan import PublishRequest, plan_publication
    from orefactor.core.trace import find_change
    from orefactor.sandbox.repository import find_repository

    repository = find_repository(Path.cwd())
    folder = find_change(repository.common_dir, run)
    request = PublishRequest(remote, base, forge, title, tuple(label or ()), tuple(reviewer or ()), ready)
    plan = plan_publication(repository, folder, request, whole_environment())
    if plan is None:
        say("note", f"the run {folder.run_id} needed no change; there is nothing to publish")
        if as_json:
            print(json_text({"run_id": folder.run_id, "action": "none", "pushed": False}))
    elif dry_run:
        _show_plan(plan, as_json=as_json)
    else:
        publish_and_say(plan, prints="json" if as_json else "address")


def publish_run(result: Any, *, as_json: bool) -> int:  # noqa: ANN401 - RefactorResult, loaded late
    """Publish what a run has just put on a branch; the branch stands whatever comes of it.

    Returns:
        The exit code; as JSON, the run's object is printed with one field more.

    Raises:
        UserError: it can't be published; as JSON, the field says why.
    """
    from orefactor.core.errors import UserError
    from orefactor.core.keys import whole_environment
    from orefactor.core.publication_plan import PublishRequest, plan_publication
    from orefactor.core.trace import RunFolder
    from orefactor.sandbox.repository import find_repository

    try:
        folder = RunFolder(result.trace_path.parent)
        plan = plan_publication(find_repository(Path.cwd()), folder, PublishRequest(), whole_environment())
        assert plan is not None, "the run has a patch"
        told = publish_and_say(plan, prints="nothing" if as_json else "address")
    except UserError as error:
        if not as_json:
            print(result.branch)
            raise
        failed = {"error": error.message, "hint": error.hint}
        print(json_text({**result.to_json(), "pull_request": failed}))
        return int(error.exit_code)
    if as_json:
        print(json_text({**result.to_json(), "pull_request": told}))
    return 0


def publish_and_say(plan: Plan, *, prints: Literal["address", "json", "nothing"] = "address") -> dict[str, Any]:
    """Publish, and say on standard output where the request is.

    Returns:
        What was done, as JSON has it.
    """
    from orefactor.core.clock import SystemClock
    from orefactor.core.keys import whole_environment
    from orefactor.core.publication import publish
    from orefactor.sandbox.network_git import is_interactive

    def tell(text: str) -> None:
        say("note", text)

    done = publish(plan, whole_environment(), SystemClock(), interactive=is_interactive(), say=tell)
    for note in done.notes:
        tell(note)
    told = _as_json(plan, done)
    if prints == "json":
        print(json_text(told))
    elif prints == "address" and done.url:
        print(plain(redacted(done.url)))
    elif prints == "address":
        print(f"{redacted(done.branch.name)}\n{plain(redacted(plan.address))}")
    if done.action == "none":
        say("hint", "open the request there, or say which forge it is: `--forge github`, `gitlab` or `gitea`")
    else:
        draft = ", a draft" if done.draft else ""
        say("done", f"{done.request} {done.number} to {done.base} {done.action}{draft}: {plan.title}")
    return told


def _as_json(plan: Plan, done: Publication | None) -> dict[str, Any]:
    """What was done; without it, what would be."""
    branch = done.branch if done else plan.branch
    told: dict[str, Any] = {
        "run_id": plan.trace.run_id,
        "branch": branch.name,
        "commit": branch.commit or None,
        "remote": plan.remote.name,
        "address": plan.address,
        "forge": plan.place.kind if plan.place else None,
        "project": plan.place.project if plan.place else None,
        "base": done.base if done else plan.request.base,
        "title": plan.title,
        "pushed": done.pushed if done else False,
        "action": done.action if done else "none",
        "number": done.number if done else None,
        "url": (done.url or None) if done else None,
        "draft": done.draft if done else not plan.request.ready,
        "status_set": done.status_set if done else False,
        "notes": [redacted(note) for note in done.notes] if done else [],
        "dry_run": done is None,
    }
    return {name: redacted(value) if isinstance(value, str) else value for name, value in told.items()}


def _show_plan(plan: Plan, *, as_json: bool) -> None:
    body = plan.body(plan.branch.commit)
    if as_json:
        print(json_text({**_as_json(plan, None), "body": body}))
        return
    place = f"{plan.place.kind}, {plan.place.project}" if plan.place else "not known; the branch would be pushed"
    made = "" if plan.branch.commit else " (would be made from the run's patch)"
    lines = [
        f"branch   {plan.branch.name} {plan.branch.tip[:12]}".rstrip() + made,
        f"remote   {plan.remote.name} {plan.address}",
        f"forge    {place}",
        f"base     {plan.request.base or 'the default branch'}{'' if plan.request.ready else ', as a draft'}",
        f"title    {plan.title}",
    ]
    text = redacted("\n".join(lines) + "\n\n") + body + "\n"
    write_bytes(spelled_out(text.encode()))
