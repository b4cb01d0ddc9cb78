"""`verify`: proves offline that a patch or a commit gives the tree that its run names."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import redacted, say
from ..wording import plain

if TYPE_CHECKING:
    from orefactor.core.checks.required import CheckResult
    from orefactor.core.gate import Outcome
    from orefactor.core.proof import Proof
    from orefactor.sandbox.repository import Repository

_MOST_SHOWN = 20
"""Files, and findings of one check."""

What = Annotated[
    str,
    Argument(
        metavar="PATCH|COMMIT",
        help="A patch's file, - for standard input, or a commit.",
        show_default=False,
    ),
]
Checks = Annotated[bool, Option("--checks", help="Also run the run's required checks on the result.")]
Json = Annotated[bool, Option("--json", help="Print what was proven as JSON.")]


def verify_command(
    what: What, checks: Checks = False, as_json: Json = False, python: o.Python = None, sandbox: o.Sandbox = None
) -> None:
    """Prove that a patch or a commit gives the tree that its run names."""
    from orefactor.sandbox.repository import find_repository

    repository = find_repository(Path.cwd())
    proof = _prove(repository, what)
    ran: list[CheckResult] = []
    outcome: Outcome | None = None
    if checks:
        named = {"python": str(python) if python else None, "sandbox": sandbox}
        ran, outcome = _recheck(repository, proof, {name: value for name, value in named.items() if value is not None})
    if as_json:
        print(json_text(_as_json(proof, ran, outcome)))
    else:
        print("\n".join(map(redacted, _lines(proof, ran, outcome))))
    if outcome is not None and outcome.exit_code:
        sys.stdout.flush()
        say("error", outcome.message)
        say("hint", "the tree is proven, but not good; see what the checks found on standard output")
        raise typer.Exit(int(outcome.exit_code))


def _prove(repository: Repository, what: str) -> Proof:
    from orefactor.core.patch_file import read_patch, read_patch_file
    from orefactor.core.proof import prove_commit, prove_patch

    if what == "-":
        # Python has no standard input where it was closed on entry.
        return prove_patch(repository, read_patch(sys.stdin.buffer) if sys.stdin else b"")
    if os.path.lexists(what) and not os.path.isdir(what):
        return prove_patch(repository, read_patch_file(Path(what)))
    return prove_commit(repository, what)


def _recheck(repository: Repository, proof: Proof, named: dict[str, str]) -> tuple[list[CheckResult], Outcome]:
    from orefactor.core.gate import Facts, judge
    from orefactor.core.keys import whole_environment
    from orefactor.core.recheck import recheck, wanted_checks
    from orefactor.core.setting_sources import from_environment, from_git, policy_from_git
    from orefactor.core.settings import OPTION, Source, resolve

    users = [Source(OPTION, named), *from_environment(whole_environment()), *from_git(repository.config)]
    settings = resolve(users, policy=policy_from_git(repository.config))
    wanted = wanted_checks(proof)
    for name in wanted.unknown:
        say("note", f"`{name}` is a check of the project's own, which is not run here")
    ran = list(recheck(repository, proof, wanted.names, settings))
    return ran, judge(Facts(changed=bool(proof.changes), checks=ran))


def _lines(proof: Proof, checks: list[CheckResult], outcome: Outcome | None) -> list[str]:
    kept = "kept here, names the same" if proof.trace else "not kept here; the head of the patch alone was proven"
    kept = "kept here, with this choice of its hunks" if proof.is_picked else kept
    lines = [
        f"run       {proof.run_id}",
        *([f"commit    {proof.commit}"] if proof.commit else []),
        f"base      {proof.base}",
        f"tree      {proof.tree}",
        f"files     {_listed([change.path for change in proof.changes])}",
        f"trace     {kept}",
    ]
    if proof.same_bytes is False:
        lines.append("bytes     not the patch that the run delivered, byte for byte; it gives the same tree")
    for check in checks:
        lines.append(f"check     {plain(check.name)}: {_words(check)}")
        lines += [f"          {plain(str(finding))}" for finding in check.new[:_MOST_SHOWN]]
    if outcome is not None:
        said = {True: "yes", False: "no", None: "no check could run"}
        lines.append(f"verified  {said[outcome.verified]}")
    return [*lines, f"proven    {'the commit holds' if proof.commit else 'the patch gives'} that tree"]


def _listed(paths: list[str]) -> str:
    more = f" and {len(paths) - _MOST_SHOWN} more" if len(paths) > _MOST_SHOWN else ""
    return ", ".join(map(plain, paths[:_MOST_SHOWN])) + more


def _words(check: CheckResult) -> str:
    why = f": {plain(check.detail)}" if check.outcome in ("not_run", "not_installed") and check.detail else ""
    counts = f", {len(check.new)} new and {check.old} old finding(s)" if check.new or check.old else ""
    return f"{check.outcome.replace('_', ' ')}{counts}{why}"


def _as_json(proof: Proof, checks: list[CheckResult], outcome: Outcome | None) -> dict[str, Any]:
    return {
        "proven": True,
        "run_id": proof.run_id,
        "commit": proof.commit,
        "base": proof.base,
        "tree": proof.tree,
        "files_changed": [redacted(change.path) for change in proof.changes],
        "trace_kept": proof.trace is not None,
        "same_bytes": proof.same_bytes,
        "picked": proof.is_picked,
        "checks": [_check_json(check) for check in checks] if outcome else None,
        "verified": outcome.verified if outcome else None,
        "exit_code": int(outcome.exit_code) if outcome else 0,
    }


def _check_json(check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.name,
        "outcome": check.outcome,
        "findings_new": len(check.new),
        "findings_old": check.old,
        "new": [redacted(str(finding)) for finding in check.new[:_MOST_SHOWN]],
        "detail": redacted(check.detail) if check.outcome in ("not_run", "not_installed") else "",
    }
